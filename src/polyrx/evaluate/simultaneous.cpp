// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/simultaneous.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/core/matrix.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/evaluate/mean_estimate.hpp"
#include "polyrx/evaluate/normal_quantile.hpp"
#include "polyrx/evaluate/ratio_estimate.hpp"

namespace polyrx {
namespace {

constexpr std::size_t draws_per_task = 256;
constexpr double combination = 1e-10;  // variance that is left of an error which others determine, by rounding

// Influences of length 1, so that products are correlations; those of length 0 are left out.
std::vector<std::vector<double>> directions(std::span<const std::vector<double>> influences,
                                            std::span<const std::size_t> group) {
    std::vector<std::vector<double>> result;
    std::size_t rows = 0;
    for (const std::vector<double>& influence : influences) {
        if (influence.empty()) continue;
        if (rows != 0 && influence.size() != rows)
            throw usage_error(fmt::format("estimates shown together need the same rows for each, not {} and {}", rows,
                                          influence.size()));
        rows = influence.size();
        std::vector<double> sums = summed_by_group({influence, influence}, group).numerator;
        double squares = 0;
        for (const double sum : sums) squares += sum * sum;
        if (squares == 0) continue;
        const double length = std::sqrt(squares);
        for (double& sum : sums) sum /= length;
        result.push_back(std::move(sums));
    }
    return result;
}

Matrix correlations(const std::vector<std::vector<double>>& unit, int threads) {
    const auto count = static_cast<Eigen::Index>(unit.size());
    Matrix result = Matrix::Identity(count, count);
    parallel_for(unit.size(), threads, [&](std::size_t a) {
        for (std::size_t b = 0; b < a; ++b) {
            double sum = 0;
            for (std::size_t i = 0; i < unit[a].size(); ++i) sum += unit[a][i] * unit[b][i];
            result(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) = sum;
        }
    });
    return result;
}

// Cholesky's lower factor in the place of the lower part. Correlations may well be singular (the errors of the leaves
// of a tree determine that of the whole): such an error gets no part of its own.
void factorise(Matrix& lower) {
    for (Eigen::Index j = 0; j < lower.cols(); ++j) {
        const double left = lower(j, j) - lower.row(j).head(j).squaredNorm();
        const double pivot = left > combination ? std::sqrt(left) : 0;
        lower(j, j) = pivot;
        for (Eigen::Index i = j + 1; i < lower.rows(); ++i)
            lower(i, j) = pivot == 0 ? 0 : (lower(i, j) - lower.row(i).head(j).dot(lower.row(j).head(j))) / pivot;
    }
}

double largest_error(const Matrix& lower, Rng& rng, Vector& normals) {
    for (double& normal : normals) normal = rng.normal();
    double largest = 0;
    for (Eigen::Index i = 0; i < lower.rows(); ++i)
        largest = std::max(largest, std::abs(lower.row(i).head(i + 1).dot(normals.head(i + 1))));
    return largest;
}

}  // namespace

double simultaneous_factor(std::span<const std::vector<double>> influences, std::span<const std::size_t> group,
                           const SimultaneousOptions& options) {
    const double alone = two_sided_factor(options.level);
    if (options.draws < 1) throw usage_error("a bootstrap needs at least 1 draw, not 0");
    const std::vector<std::vector<double>> unit = directions(influences, group);
    if (unit.size() < 2) return alone;
    Matrix lower = correlations(unit, options.threads);
    factorise(lower);
    std::vector<double> largest(options.draws);
    parallel_for((options.draws + draws_per_task - 1) / draws_per_task, options.threads, [&](std::size_t task) {
        Vector normals(lower.rows());
        const std::size_t end = std::min(options.draws, (task + 1) * draws_per_task);
        for (std::size_t draw = task * draws_per_task; draw < end; ++draw) {
            Rng rng(options.seed, Draw::multipliers, draw);
            largest[draw] = largest_error(lower, rng, normals);
        }
    });
    std::ranges::sort(largest);
    const auto place = static_cast<std::size_t>(std::ceil(options.level * static_cast<double>(options.draws)));
    const double drawn = largest[std::min(place, options.draws) - 1];
    const double independent = simultaneous_factor(unit.size(), options.level);
    return std::clamp(drawn, alone, independent);
}

}  // namespace polyrx
