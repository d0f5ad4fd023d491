// SPDX-License-Identifier: Apache-2.0
// The sufficient statistics of least squares and ridge regression: a triangle, means and scales.
#pragma once

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/linear/least_squares.hpp"
#include "polyrx/learners/linear/triangle.hpp"

namespace polyrx {

struct ReducedRows {
    StandardRows rows;
    Vector outcome_means;
    Triangle triangle;  // of standardized inputs and centered outcomes
};

// Throws a usage error unless there is one outcome per row; see StandardRows for weights.
[[nodiscard]] ReducedRows reduce(const Matrix& inputs, const Matrix& outcomes, const Vector& weights, int threads);

// The model with these raw weights that passes through the means.
[[nodiscard]] LinearModel through_the_means(const ReducedRows& reduced, Eigen::Index outcome, Vector raw_weights);

}  // namespace polyrx
