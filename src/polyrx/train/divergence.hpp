// SPDX-License-Identifier: Apache-2.0
// Sees that a run in training is on its way to nowhere, and says so with advice.
#pragma once

#include <string>

#include "polyrx/train/backprop.hpp"
#include "polyrx/train/train.hpp"

namespace polyrx {

// From this mu on a run that leaves for minus infinity does so because the objective has no lower bound, which smaller
// steps only put off: it is said at once, and not begun again.
inline constexpr double unbounded_mu = 0.01;

// These throw Diverged. `epoch` is 0-based.

[[noreturn]] void say_diverged(const TrainOptions& options, int epoch, const std::string& symptom);

// Unless `prescribed`, the mean outcome expected under the network's own prescriptions, is one that could happen.
void check_believable(const TrainingRows& rows, double prescribed, const TrainOptions& options, int epoch);

// A step is judged by the loss of the batch after it, which the last one lacks: so its own batch once more, beside the
// mean loss of the last epoch.
void check_last_step(Backprop& backprop, const AlignedFloats& parameters, const TrainingRows& rows,
                     const TrainOptions& options, double epoch_loss);

}  // namespace polyrx
