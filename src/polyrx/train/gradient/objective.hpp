// SPDX-License-Identifier: Apache-2.0
// Objective (4) of the paper for rows of a batch, and its derivatives with fixed prescriptions.
#pragma once

#include <cstddef>

#include "polyrx/train/training_rows.hpp"

namespace polyrx {

struct BatchLoss {
    double objective = 0;   // sum over rows of w [ mu (y if pi = t else f_pi) + (1-mu) (y - f_t)^2 ]
    double prescribed = 0;  // sum over rows of f_pi, to detect divergence to minus infinity

    BatchLoss& operator+=(const BatchLoss& other);
};

// The loss of at most batch_lanes rows. Outputs are stored by treatment, batch_lanes floats each. pi is a row's argmin
// among its allowed treatments; ties go to the lowest index. If none is allowed, f_pi is 0. `slopes`, in the same
// layout, receives the derivatives of objective / batch with respect to the outputs, with pi fixed. The objective jumps
// where the argmin switches between y and f_pi, so these are its derivatives only away from switches.
[[nodiscard]] BatchLoss loss_and_slopes(const float* outputs, std::size_t treatments, const TrainingRows& rows,
                                        RowRange range, double mu, std::size_t batch, float* slopes);

// The mu' for training on (y - mean) / sd that has the same minimizers as mu has for y. Dividing mu sd f + (1-mu) sd^2
// (y - f)^2 by sd (mu + (1-mu) sd) gives mu' f + (1-mu') (y - f)^2.
[[nodiscard]] double mu_for_scaled_outcome(double mu, double sd);

}  // namespace polyrx
