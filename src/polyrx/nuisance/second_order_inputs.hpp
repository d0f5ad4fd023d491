// SPDX-License-Identifier: Apache-2.0
// Squares and products of inputs, with which linear models see curves and interactions.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// With more columns than this there are none: they cost more than they tell.
inline constexpr Eigen::Index most_second_order_inputs = 500;

// The inputs in standard deviations from their means, their squares (of those with more than two values) and the
// products of every two. No columns where that would be too many, or where there is one input or none. Products are
// multiplied when they are asked for: hundreds of columns of all rows would not fit into memory.
class SecondOrderInputs {
public:
    SecondOrderInputs() = default;
    explicit SecondOrderInputs(const Matrix& inputs);

    [[nodiscard]] Eigen::Index columns() const { return std::ssize(columns_); }

    // Some rows of some columns.
    [[nodiscard]] Matrix at(std::span<const std::size_t> rows, std::span<const Eigen::Index> columns) const;

    // The columns that go with a residual (rows x outputs, of the rows named): the 40 at most with the largest
    // correlation, in standard errors, if it is above 2.5. Among hundreds of columns a penalty alone leaves too much
    // noise.
    [[nodiscard]] std::vector<Eigen::Index> screened(std::span<const std::size_t> rows, const Matrix& residual) const;

private:
    static constexpr Eigen::Index alone = -1;

    [[nodiscard]] double value(Eigen::Index row, Eigen::Index column) const {
        const auto [a, b] = columns_[static_cast<std::size_t>(column)];
        return b == alone ? standard_(row, a) : standard_(row, a) * standard_(row, b);
    }

    Matrix standard_;
    std::vector<std::pair<Eigen::Index, Eigen::Index>> columns_;  // of standard_: both factors, or one alone
};

}  // namespace polyrx
