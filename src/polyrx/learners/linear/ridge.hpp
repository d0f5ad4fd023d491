// SPDX-License-Identifier: Apache-2.0
// Ridge regression, with leave-one-out choice of the penalty.
#pragma once

#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/linear/least_squares.hpp"

namespace polyrx {

// Minimizes sum_i w_i (y_i - intercept - x_i . weights)^2 + penalty * sum_j (deviation_j weights_j)^2, where the
// deviations are weighted population standard deviations. The penalty is thus in units of rows. The intercept is not
// penalized, and constant inputs have weight 0. With penalty 0, the result has the same bytes as least_squares(); the
// contract is the same. Throws a usage error if the penalty is negative or not finite.
[[nodiscard]] LinearModel ridge(const Matrix& inputs, const Vector& outcome, const Vector& weights, double penalty,
                                int threads = 1);

struct RidgeChoice {
    LinearModel model;
    double penalty = 0;
    // The weighted mean squared leave-one-out error for each penalty. Infinite if a row cannot be predicted without
    // itself, for example if it is the only one.
    std::vector<double> errors;
};

[[nodiscard]] std::vector<double> usual_penalties();  // 1e-3, 1e-2, .. 1e6

// Chooses the penalty with the smallest leave-one-out error; ties go to the first. Leaving out is exact given the
// deviations of all rows (residual / (1 - leverage)). It is cheaper than cross-validation and needs no seed. A row is
// left out with its full weight, so two equal rows differ from one of weight 2. Penalties must be above 0: without a
// penalty, some rows cannot be left out.
[[nodiscard]] RidgeChoice ridge_cv(const Matrix& inputs, const Vector& outcome, const Vector& weights = {},
                                   const std::vector<double>& penalties = usual_penalties(), int threads = 1);

}  // namespace polyrx
