// SPDX-License-Identifier: Apache-2.0
// Refuses what cannot be trained, before any work: options out of range, and rows that do not fit together.
#pragma once

#include "polyrx/train/train.hpp"

namespace polyrx {

// Throws a usage error, or a data error where there are no rows. Training does not look at indices and lengths again.
void check_training(const TrainingRows& rows, const TrainingRows* validation, const TrainOptions& options);

}  // namespace polyrx
