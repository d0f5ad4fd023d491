// SPDX-License-Identifier: Apache-2.0
// Squares and products of inputs, with which linear models see curves and interactions.
#pragma once

#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// With more columns than this there are none: they cost more than they tell.
inline constexpr Eigen::Index most_second_order_inputs = 500;

// The inputs in standard deviations from their means, their squares (of those with more than two values) and the
// products of every two. No columns where that would be too many, or where there is one input or none.
[[nodiscard]] Matrix second_order_inputs(const Matrix& inputs);

// Of these columns, those that go with a residual (rows x outputs, of the rows named): the 40 at most with the largest
// correlation, in standard errors, if it is above 2.5. Among hundreds of columns a penalty alone leaves too much noise.
[[nodiscard]] std::vector<Eigen::Index> screened_columns(const Matrix& inputs, std::span<const std::size_t> rows,
                                                         const Matrix& residual);

}  // namespace polyrx
