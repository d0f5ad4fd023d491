// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/second_order_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace polyrx {

SecondOrderInputs::SecondOrderInputs(const Matrix& inputs) {
    std::vector<Vector> standard;
    std::vector<char> two_valued;
    for (Eigen::Index c = 0; c < inputs.cols(); ++c) {
        const Vector centered = inputs.col(c).array() - inputs.col(c).mean();
        const double deviation = std::sqrt(centered.squaredNorm() / static_cast<double>(inputs.rows()));
        if (!(deviation > 0)) continue;
        standard.push_back(centered / deviation);
        const double least = inputs.col(c).minCoeff();
        const double most = inputs.col(c).maxCoeff();
        two_valued.push_back((inputs.col(c).array() == least || inputs.col(c).array() == most).all() ? 1 : 0);
    }
    const Eigen::Index first = std::ssize(standard);
    if (first < 2 || first * (first + 3) / 2 > most_second_order_inputs) return;
    standard_.resize(inputs.rows(), first);
    for (Eigen::Index a = 0; a < first; ++a) {
        standard_.col(a) = standard[static_cast<std::size_t>(a)];
        columns_.emplace_back(a, alone);
    }
    for (Eigen::Index a = 0; a < first; ++a)
        for (Eigen::Index b = a; b < first; ++b)
            if (a != b || two_valued[static_cast<std::size_t>(a)] == 0) columns_.emplace_back(a, b);
}

Matrix SecondOrderInputs::at(std::span<const std::size_t> rows, std::span<const Eigen::Index> columns) const {
    Matrix values(std::ssize(rows), std::ssize(columns));
    for (Eigen::Index i = 0; i < values.rows(); ++i)
        for (Eigen::Index c = 0; c < values.cols(); ++c)
            values(i, c) = value(static_cast<Eigen::Index>(rows[static_cast<std::size_t>(i)]),
                                 columns[static_cast<std::size_t>(c)]);
    return values;
}

std::vector<Eigen::Index> SecondOrderInputs::screened(std::span<const std::size_t> rows, const Matrix& residual) const {
    constexpr std::size_t most = 40;
    constexpr double least = 2.5;
    Matrix products = Matrix::Zero(columns(), residual.cols());
    Matrix squares = products;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto r = residual.row(static_cast<Eigen::Index>(i));
        for (Eigen::Index c = 0; c < columns(); ++c) {
            const double x = value(static_cast<Eigen::Index>(rows[i]), c);
            for (Eigen::Index k = 0; k < residual.cols(); ++k) {
                const double product = x * r[k];
                products(c, k) += product;
                squares(c, k) += product * product;
            }
        }
    }
    std::vector<double> size(columns_.size(), 0);
    std::vector<Eigen::Index> chosen;
    for (Eigen::Index c = 0; c < columns(); ++c) {
        double& largest = size[static_cast<std::size_t>(c)];
        for (Eigen::Index k = 0; k < residual.cols(); ++k)
            if (squares(c, k) > 0) largest = std::max(largest, std::abs(products(c, k)) / std::sqrt(squares(c, k)));
        if (largest > least) chosen.push_back(c);
    }
    std::ranges::stable_sort(chosen, std::ranges::greater{},
                             [&](Eigen::Index c) { return size[static_cast<std::size_t>(c)]; });
    if (chosen.size() > most) chosen.resize(most);
    std::ranges::sort(chosen);
    return chosen;
}

}  // namespace polyrx
