// SPDX-License-Identifier: Apache-2.0
// Weighted least squares with an intercept; among the best fits, the one with the smallest weights.
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

// Minimizes sum_i w_i (y_i - intercept - x_i . weights)^2 and, where that leaves a choice (one-hot columns sum to 1;
// there are fewer rows than inputs), |weights| in the units of the inputs. The intercept is free: inputs are centered
// first, so a constant input has weight 0, and one row alone gives its outcome as the intercept.
//
// Inputs and outcomes are finite by contract, and no sum of a few of them overflows. No
// weights means that every row counts once; a row of weight 0 has no influence whatever. Throws a usage error for sizes
// that do not fit, weights that are negative or not finite, and where no row has a weight above 0.
//
// An input is taken to be a combination of others when what it has beyond them is less than 1e-11 of its own deviation:
// above what rounding leaves of columns that are exactly collinear, even with means of 10 000 deviations. In units of
// deviations, so the units of the inputs never decide it.
//
// The bytes of the model do not depend on the number of threads (0: as many as there are cores), nor, for one build, on
// the machine.
[[nodiscard]] LinearModel least_squares(const Matrix& inputs, const Vector& outcome, const Vector& weights = {},
                                        int threads = 1);

// One model for each column of the outcomes, the same to the byte as if fitted alone, for little more than one costs.
[[nodiscard]] std::vector<LinearModel> least_squares_all(const Matrix& inputs, const Matrix& outcomes,
                                                         const Vector& weights = {}, int threads = 1);

// Each sum starts at 0, takes its inputs in column order and adds the intercept last.
[[nodiscard]] Vector predict(const LinearModel& model, const Matrix& inputs);

}  // namespace polyrx
