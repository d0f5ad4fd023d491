// SPDX-License-Identifier: Apache-2.0
// Ridge regression, and the choice of its penalty by leaving each row out in turn.
#pragma once

#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/linear/least_squares.hpp"

namespace polyrx {

// Minimizes sum_i w_i (y_i - intercept - x_i . weights)^2 + penalty * sum_j (deviation_j weights_j)^2, the deviations
// being the weighted population ones. So the penalty is in units of rows: as if so many of them, each input in turn a
// deviation from its mean, had said that it does not matter. The intercept is never penalized, an input that does not
// vary has weight 0, and penalty 0 is least_squares() to the byte; the contract is the same. Throws a usage error for a
// penalty that is negative or not finite.
[[nodiscard]] LinearModel ridge(const Matrix& inputs, const Vector& outcome, const Vector& weights, double penalty,
                                int threads = 1);

struct RidgeChoice {
    LinearModel model;
    double penalty = 0;
    // The weighted mean of the squared errors of left-out rows, for each penalty; infinite where a row's outcome cannot
    // be said without it, as with one row alone.
    std::vector<double> errors;
};

[[nodiscard]] std::vector<double> usual_penalties();  // 1e-3, 1e-2, .. 1e6

// The penalty, of those given, under which the outcome of each row is best predicted by the model of all others; ties
// go to the first. Leaving out is exact for the deviations of all rows (the residual divided by one minus the
// leverage), costs less than folds would, and needs no seed. A row is left out with all of its weight: two equal rows
// are not one of weight 2 here. Penalties are above 0: without one, some rows cannot be left out.
[[nodiscard]] RidgeChoice ridge_cv(const Matrix& inputs, const Vector& outcome, const Vector& weights = {},
                                   const std::vector<double>& penalties = usual_penalties(), int threads = 1);

}  // namespace polyrx
