// SPDX-License-Identifier: Apache-2.0
// Objective (4) of the paper over rows of a batch, and its slopes with the prescription frozen.
#pragma once

#include <cstddef>

#include "polyrx/train/training_rows.hpp"

namespace polyrx {

struct BatchLoss {
    double objective = 0;   // sum over rows of w [ mu (y if pi = t else f_pi) + (1-mu) (y - f_t)^2 ]
    double prescribed = 0;  // sum over rows of f_pi, to see a run that leaves for minus infinity

    BatchLoss& operator+=(const BatchLoss& other);
};

// The loss of at most batch_lanes rows whose outputs lie treatment by treatment, batch_lanes floats each; pi is the
// argmin of a row among the treatments that it may get, ties to the lowest index; where it may get none, f_pi is 0. In
// `slopes`, laid out the same, the derivatives of objective / batch in the outputs with pi held at its current value:
// the objective jumps where the argmin switches between y and f_pi, so these are its derivatives away from switches
// only.
[[nodiscard]] BatchLoss loss_and_slopes(const float* outputs, std::size_t treatments, const TrainingRows& rows,
                                        RowRange range, double mu, std::size_t batch, float* slopes);

// The mu under which training on (y - mean) / sd has the same minimizers as mu has on y: dividing
// mu sd f + (1-mu) sd^2 (y - f)^2 by sd (mu + (1-mu) sd) leaves mu' f + (1-mu') (y - f)^2.
[[nodiscard]] double mu_for_scaled_outcome(double mu, double sd);

}  // namespace polyrx
