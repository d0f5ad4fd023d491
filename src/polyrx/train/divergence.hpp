// SPDX-License-Identifier: Apache-2.0
// Detects diverging training runs, and throws an error with advice.
#pragma once

#include "polyrx/train/step/train_step.hpp"
#include "polyrx/train/train.hpp"

namespace polyrx {

// Above this mu, a run diverges to minus infinity because the objective has no lower bound. Smaller steps only delay
// that, so the run is not retried.
inline constexpr double unbounded_mu = 0.01;

// These functions throw Diverged. `epoch` is 0-based.

// Throws unless the loss and the gradient are finite.
void check_step(const StepResult& step, const TrainOptions& options, int epoch);

// Throws unless the weights are finite after an epoch with this sum of losses, and the mean predicted outcome under the
// network's own prescriptions is plausible.
void check_epoch(const TrainingRows& rows, const BatchLoss& sum, const TrainingState& state,
                 const TrainOptions& options, int epoch);

void check_validation_loss(double loss, const TrainOptions& options, int epoch);

// The loss of the next batch shows a bad step, but the last step has no next batch. So `last` is the loss of the last
// batch of `count` rows after its own step, to compare with the mean loss of the last epoch.
void check_last_step(const TrainingRows& rows, const BatchLoss& last, std::size_t count, double epoch_loss,
                     const TrainOptions& options);

}  // namespace polyrx
