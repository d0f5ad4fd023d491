// SPDX-License-Identifier: Apache-2.0
// Objective (4) of the paper over a batch, and its gradient with the prescription frozen.
#pragma once

#include <span>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// What a batch of rows teaches: the treatments given, the outcomes seen, and what each row weighs.
struct Lessons {
    std::span<const int> treatment;
    std::span<const float> outcome;
    std::span<const float> weight;
};

struct BatchLoss {
    double objective = 0;   // sum over rows of w [ mu (y if pi = t else f_pi) + (1-mu) (y - f_t)^2 ]
    double prescribed = 0;  // sum over rows of f_pi, to see a run that leaves for minus infinity

    BatchLoss& operator+=(const BatchLoss& other);
};

// `outputs` is rows x K, pi its argmin per row, ties to the lowest index.
[[nodiscard]] BatchLoss batch_loss(const MatrixF& outputs, const Lessons& lessons, double mu);

// The same, and the gradient of objective / rows in the outputs with pi held at its current value: the objective
// jumps where the argmin switches between y and f_pi, so this is its derivative away from switches only.
[[nodiscard]] BatchLoss batch_loss_and_gradient(const MatrixF& outputs, const Lessons& lessons, double mu,
                                                MatrixF& gradient);

// The mu under which training on (y - mean) / sd has the same minimisers as mu has on y: dividing
// mu sd f + (1-mu) sd^2 (y - f)^2 by sd (mu + (1-mu) sd) leaves mu' f + (1-mu') (y - f)^2.
[[nodiscard]] double mu_for_scaled_outcome(double mu, double sd);

}  // namespace polyrx
