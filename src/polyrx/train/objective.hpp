// SPDX-License-Identifier: Apache-2.0
// Objective (4) of the paper, per row and in its mean, with the prescription frozen.
#pragma once

#include <span>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// What one batch teaches: the treatments given, the outcomes seen and what each row weighs.
struct Lessons {
    std::span<const int> treatment;
    std::span<const float> outcome;
    std::span<const float> weight;  // mean 1 over the training rows
};

// mean over rows of w [ mu (y if pi = t else f_pi) + (1-mu) (y - f_t)^2 ], pi = argmin f, in rows x K outputs f.
[[nodiscard]] double objective(const MatrixF& outputs, const Lessons& lessons, double mu);

// The same, and its gradient in the outputs with pi held at its current value: the objective jumps where the argmin
// switches between y and f_pi, so this is the derivative almost everywhere, and what the paper descends.
[[nodiscard]] double objective_and_gradient(const MatrixF& outputs, const Lessons& lessons, double mu,
                                            MatrixF& gradient);

// The mu that makes training on the outcome divided by `sd` the same problem as mu on the raw outcome.
[[nodiscard]] double mu_for_scaled_outcome(double mu, double sd);

}  // namespace polyrx
