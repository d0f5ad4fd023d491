// SPDX-License-Identifier: Apache-2.0
// Checks options and rows before training.
#pragma once

#include "polyrx/train/train.hpp"

namespace polyrx {

// Throws a usage error, or a data error if there are no rows. Training itself does not check indices and lengths.
void check_training(const TrainingRows& rows, const TrainingRows* validation, const TrainOptions& options);

}  // namespace polyrx
