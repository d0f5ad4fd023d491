// SPDX-License-Identifier: Apache-2.0
// Where the time of one training step goes.
#pragma once

#include "polyrx/train/train.hpp"

namespace polyrx::bench {

// Seconds of a step: the fastest of several rounds of many steps.
struct StepSplit {
    double products = 0;  // the kernels: values, gradients of weights, gradients of inputs
    double adam = 0;
    double rest = 0;  // rows to lanes, objective, checks
};

// Steps over all whole batches of the rows, with the clock read between their parts.
[[nodiscard]] StepSplit split_step(const TrainingRows& rows, const TrainOptions& options);

}  // namespace polyrx::bench
