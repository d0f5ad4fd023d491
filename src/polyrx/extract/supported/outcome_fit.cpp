// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/supported/outcome_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace polyrx {
namespace {

// The cost is quadratic in the inputs; beyond this number, only other candidates are used.
constexpr Eigen::Index most_inputs = 256;
// Penalty in units of rows.
constexpr double ridge = 1;
constexpr std::array<double, 3> shares = {0.1, 0.3, 1};

// Computes A = L L' in place, then x = A^-1 b for each column b. Plain loops, because the order of operations in an
// Eigen decomposition may depend on the machine.
void cholesky(Matrix& a) {
    for (Eigen::Index j = 0; j < a.rows(); ++j) {
        for (Eigen::Index k = 0; k < j; ++k) a(j, j) -= a(j, k) * a(j, k);
        a(j, j) = std::sqrt(a(j, j));
        for (Eigen::Index i = j + 1; i < a.rows(); ++i) {
            for (Eigen::Index k = 0; k < j; ++k) a(i, j) -= a(i, k) * a(j, k);
            a(i, j) /= a(j, j);
        }
    }
}

Vector solve(const Matrix& l, Vector b) {
    for (Eigen::Index i = 0; i < b.size(); ++i) {
        for (Eigen::Index k = 0; k < i; ++k) b[i] -= l(i, k) * b[k];
        b[i] /= l(i, i);
    }
    for (Eigen::Index i = b.size(); i-- > 0;) {
        for (Eigen::Index k = i + 1; k < b.size(); ++k) b[i] -= l(k, i) * b[k];
        b[i] /= l(i, i);
    }
    return b;
}

}  // namespace

std::vector<OutcomeFit> fit_outcomes(const LabeledRows& rows, std::span<const Eigen::Index> members,
                                     std::span<const TreatmentPair> pairs, const std::vector<char>& used) {
    std::vector<Eigen::Index> inputs;
    for (Eigen::Index input = 0; input < rows.inputs.cols(); ++input)
        if (used[static_cast<std::size_t>(input)]) inputs.push_back(input);
    if (static_cast<Eigen::Index>(inputs.size()) > most_inputs || pairs.empty()) return {};

    // Standardized, so that the penalty is the same for every input.
    const auto n = static_cast<double>(members.size());
    Matrix x = rows.inputs(std::vector<Eigen::Index>(members.begin(), members.end()), inputs);
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(x.cols());
    Eigen::RowVectorXd scale = Eigen::RowVectorXd::Zero(x.cols());
    for (Eigen::Index row = 0; row < x.rows(); ++row) mean += x.row(row) / n;
    for (Eigen::Index row = 0; row < x.rows(); ++row) scale += (x.row(row) - mean).cwiseAbs2() / n;
    scale = scale.unaryExpr([](double variance) { return variance > 0 ? 1 / std::sqrt(variance) : 0; });
    for (Eigen::Index row = 0; row < x.rows(); ++row) x.row(row) = (x.row(row) - mean).cwiseProduct(scale);

    Matrix normal = Matrix::Zero(x.cols(), x.cols());
    normal.diagonal().setConstant(ridge);
    for (Eigen::Index row = 0; row < x.rows(); ++row)
        for (Eigen::Index i = 0; i < x.cols(); ++i) normal.row(i).head(i + 1) += x(row, i) * x.row(row).head(i + 1);
    cholesky(normal);

    std::vector<OutcomeFit> fits;
    for (const TreatmentPair& pair : pairs) {
        std::vector<double> gaps;
        for (const Eigen::Index row : members) gaps.push_back(rows.outcomes(row, pair.a) - rows.outcomes(row, pair.b));
        std::vector<double> sizes(gaps.size());
        std::transform(gaps.begin(), gaps.end(), sizes.begin(), [](double gap) { return std::abs(gap); });
        std::sort(sizes.begin(), sizes.end());
        for (const double share : shares) {
            const double most = sizes[static_cast<std::size_t>(share * (n - 1))];
            double target_mean = 0;
            for (const double gap : gaps) target_mean += std::clamp(gap, -most, most) / n;
            Vector moment = Vector::Zero(x.cols());
            for (std::size_t row = 0; row < gaps.size(); ++row)
                moment += (std::clamp(gaps[row], -most, most) - target_mean) *
                          x.row(static_cast<Eigen::Index>(row)).transpose();
            const Vector slope = solve(normal, moment);
            AffineFunction function{Vector::Zero(rows.inputs.cols()), target_mean};
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                const auto at = static_cast<Eigen::Index>(i);
                function.weights[inputs[i]] = slope[at] * scale[at];
                function.constant -= slope[at] * scale[at] * mean[at];
            }
            fits.push_back({pair, std::move(function)});
        }
    }
    return fits;
}

}  // namespace polyrx
