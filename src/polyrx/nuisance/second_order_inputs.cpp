// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/second_order_inputs.hpp"

#include <algorithm>
#include <cmath>

namespace polyrx {

Matrix second_order_inputs(const Matrix& inputs) {
    std::vector<Vector> columns;
    std::vector<char> two_valued;
    for (Eigen::Index c = 0; c < inputs.cols(); ++c) {
        const Vector centered = inputs.col(c).array() - inputs.col(c).mean();
        const double deviation = std::sqrt(centered.squaredNorm() / static_cast<double>(inputs.rows()));
        if (!(deviation > 0)) continue;
        columns.push_back(centered / deviation);
        const double least = inputs.col(c).minCoeff();
        const double most = inputs.col(c).maxCoeff();
        two_valued.push_back((inputs.col(c).array() == least || inputs.col(c).array() == most).all() ? 1 : 0);
    }
    const std::size_t first = columns.size();
    if (first < 2 || static_cast<Eigen::Index>(first * (first + 3) / 2) > most_second_order_inputs)
        return Matrix(inputs.rows(), 0);
    for (std::size_t a = 0; a < first; ++a)
        for (std::size_t b = a; b < first; ++b)
            if (a != b || two_valued[a] == 0) columns.push_back(columns[a].cwiseProduct(columns[b]));
    Matrix result(inputs.rows(), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t c = 0; c < columns.size(); ++c) result.col(static_cast<Eigen::Index>(c)) = columns[c];
    return result;
}

std::vector<Eigen::Index> screened_columns(const Matrix& inputs, std::span<const std::size_t> rows,
                                           const Matrix& residual) {
    constexpr std::size_t most = 40;
    constexpr double least = 2.5;
    Matrix products = Matrix::Zero(inputs.cols(), residual.cols());
    Matrix squares = products;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto x = inputs.row(static_cast<Eigen::Index>(rows[i]));
        const auto r = residual.row(static_cast<Eigen::Index>(i));
        for (Eigen::Index c = 0; c < inputs.cols(); ++c)
            for (Eigen::Index k = 0; k < residual.cols(); ++k) {
                const double product = x[c] * r[k];
                products(c, k) += product;
                squares(c, k) += product * product;
            }
    }
    std::vector<double> size(static_cast<std::size_t>(inputs.cols()), 0);
    std::vector<Eigen::Index> columns;
    for (Eigen::Index c = 0; c < inputs.cols(); ++c) {
        double& largest = size[static_cast<std::size_t>(c)];
        for (Eigen::Index k = 0; k < residual.cols(); ++k)
            if (squares(c, k) > 0) largest = std::max(largest, std::abs(products(c, k)) / std::sqrt(squares(c, k)));
        if (largest > least) columns.push_back(c);
    }
    std::ranges::stable_sort(columns, std::ranges::greater{},
                             [&](Eigen::Index c) { return size[static_cast<std::size_t>(c)]; });
    if (columns.size() > most) columns.resize(most);
    std::ranges::sort(columns);
    return columns;
}

}  // namespace polyrx
