// SPDX-License-Identifier: Apache-2.0
// Weighted least squares with an intercept. Among equally good fits, it chooses the smallest weights.
#pragma once

#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

struct LinearModel {
    Vector weights;
    double intercept = 0;

    friend bool operator==(const LinearModel& a, const LinearModel& b) {
        return a.weights == b.weights && a.intercept == b.intercept;
    }
};

// Minimizes sum_i w_i (y_i - intercept - x_i . weights)^2. If the minimizer is not unique (one-hot columns sum to 1, or
// there are fewer rows than inputs), minimizes |weights| in raw units. Inputs are centered first, so the intercept is
// free, a constant input has weight 0, and a single row gives its outcome as the intercept.
//
// Inputs and outcomes must be finite, and sums of a few of them must not overflow. Empty weights mean equal weights.
// Rows of weight 0 have no influence. Throws a usage error if sizes do not match, weights are negative or not finite,
// or no weight is above 0.
//
// An input counts as collinear if the part not explained by other inputs is below 1e-11 of its standard deviation. That
// exceeds the rounding errors of exactly collinear columns, even with means of 10,000 deviations. The units of the
// inputs do not matter.
//
// The result does not depend on the number of threads (0: all cores) and, for one build, has the same bytes on every
// machine.
[[nodiscard]] LinearModel least_squares(const Matrix& inputs, const Vector& outcome, const Vector& weights = {},
                                        int threads = 1);

// Fits one model per column of outcomes, with the same bytes as separate fits, for little more than the cost of one.
[[nodiscard]] std::vector<LinearModel> least_squares_all(const Matrix& inputs, const Matrix& outcomes,
                                                         const Vector& weights = {}, int threads = 1);

// Sums start at 0, follow column order and add the intercept last.
[[nodiscard]] Vector predict(const LinearModel& model, const Matrix& inputs);

}  // namespace polyrx
