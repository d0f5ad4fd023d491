// SPDX-License-Identifier: Apache-2.0
// Sees that a run in training diverges, and says so with advice.
#pragma once

#include "polyrx/train/step/train_step.hpp"
#include "polyrx/train/train.hpp"

namespace polyrx {

// From this mu on a run that leaves for minus infinity does so because the objective has no lower bound, which smaller
// steps only put off: it is said at once, and the run is not repeated.
inline constexpr double unbounded_mu = 0.01;

// These throw Diverged. `epoch` is 0-based.

// Unless the loss and the gradient are finite.
void check_step(const StepResult& step, const TrainOptions& options, int epoch);

// Unless the weights are finite after an epoch with this sum of losses, and the mean outcome expected under the
// network's own prescriptions is one that could happen.
void check_epoch(const TrainingRows& rows, const BatchLoss& sum, const TrainingState& state,
                 const TrainOptions& options, int epoch);

void check_validation_loss(double loss, const TrainOptions& options, int epoch);

// A step is judged by the loss of the batch after it, which the last one lacks: so `last` is the loss of its own batch
// after it, of `count` rows, beside the mean loss of the last epoch.
void check_last_step(const TrainingRows& rows, const BatchLoss& last, std::size_t count, double epoch_loss,
                     const TrainOptions& options);

}  // namespace polyrx
