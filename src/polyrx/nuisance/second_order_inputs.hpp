// SPDX-License-Identifier: Apache-2.0
// Squares and products of inputs, for curves and interactions in linear models.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// With more inputs than this, none are used: the cost would exceed the benefit.
inline constexpr Eigen::Index most_second_order_inputs = 500;

// Standardized inputs, their squares (if an input has more than two values), and all pairwise products. Has no columns
// if there would be too many, or if there are fewer than two inputs. Products are computed on request, because hundreds
// of columns for all rows do not fit into memory.
class SecondOrderInputs {
public:
    SecondOrderInputs() = default;
    explicit SecondOrderInputs(const Matrix& inputs);

    [[nodiscard]] Eigen::Index columns() const { return std::ssize(columns_); }

    // Values of the given rows and columns.
    [[nodiscard]] Matrix at(std::span<const std::size_t> rows, std::span<const Eigen::Index> columns) const;

    // The columns that correlate with a residual (rows x outputs, for the given rows): at most 40 with the largest
    // correlation in standard errors, if above 2.5. With hundreds of columns, a penalty alone leaves too much noise.
    [[nodiscard]] std::vector<Eigen::Index> screened(std::span<const std::size_t> rows, const Matrix& residual) const;

private:
    static constexpr Eigen::Index alone = -1;

    [[nodiscard]] double value(Eigen::Index row, Eigen::Index column) const {
        const auto [a, b] = columns_[static_cast<std::size_t>(column)];
        return b == alone ? standard_(row, a) : standard_(row, a) * standard_(row, b);
    }

    Matrix standard_;
    std::vector<std::pair<Eigen::Index, Eigen::Index>>
        columns_;  // both factors, or one with `alone`, as columns of standard_
};

}  // namespace polyrx
