// SPDX-License-Identifier: Apache-2.0
// The learning rate as a function of the step.
#pragma once

#include <cstdint>

#include "polyrx/train/train_options.hpp"

namespace polyrx {

// The learning rate of step `step` out of `steps`.
[[nodiscard]] double scheduled_rate(const TrainOptions& options, std::int64_t step, std::int64_t steps);

}  // namespace polyrx
