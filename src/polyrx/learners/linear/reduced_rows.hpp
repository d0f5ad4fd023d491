// SPDX-License-Identifier: Apache-2.0
// What least squares and ridge regression need to know of all the rows: a triangle, the size of the inputs.
#pragma once

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/linear/least_squares.hpp"
#include "polyrx/learners/linear/triangle.hpp"

namespace polyrx {

struct ReducedRows {
    StandardRows rows;
    Vector outcome_means;
    Triangle triangle;  // of the standardized inputs and centered outcomes
};

// Throws a usage error unless there is one outcome per row; and for weights, see StandardRows.
[[nodiscard]] ReducedRows reduce(const Matrix& inputs, const Matrix& outcomes, const Vector& weights, int threads);

// The model that has these weights, of the raw inputs, and passes through the means.
[[nodiscard]] LinearModel through_the_means(const ReducedRows& reduced, Eigen::Index outcome, Vector raw_weights);

}  // namespace polyrx
