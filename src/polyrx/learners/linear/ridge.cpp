// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/linear/ridge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/learners/linear/reduced_rows.hpp"

namespace polyrx {
namespace {

// The penalty equals additional rows sqrt(penalty) I with outcomes 0.
Triangle penalized(const ReducedRows& reduced, double penalty) {
    Triangle triangle = reduced.triangle;
    triangle.absorb_diagonal(std::sqrt(penalty));
    return triangle;
}

LinearModel solved(const ReducedRows& reduced, const Triangle& triangle) {
    Vector standard = triangle.rotated().col(0);
    triangle.solve(standard);
    return through_the_means(reduced, 0, reduced.rows.raw_weights(standard));
}

// Below this, 1 - leverage is a rounding error.
constexpr double least_remainder = 1e-12;

// The weighted squared leave-one-out errors of one block. With R of the penalized triangle and z = R'^-1 x, the fit of
// a row is z . Q'y and its leverage w (1/W + z . z), so one substitution gives both.
double left_out_errors(const ReducedRows& reduced, const Triangle& triangle, const Vector& outcome, Eigen::Index block,
                       const Block& lanes, Block& z) {
    const StandardRows& rows = reduced.rows;
    const Eigen::Index inputs = rows.inputs();
    const auto factor = triangle.factor();
    z = lanes;
    Eigen::ArrayXd fit = Eigen::ArrayXd::Zero(lanes.rows());
    Eigen::ArrayXd square = Eigen::ArrayXd::Zero(lanes.rows());
    for (Eigen::Index j = 0; j < inputs; ++j) {
        z.col(j) /= factor(j, j);
        fit += z.col(j) * triangle.rotated()(j, 0);
        square += z.col(j).square();
        for (Eigen::Index k = j + 1; k < inputs; ++k)
            add_multiple(-factor(j, k), z.col(j).data(), z.col(k).data(), z.rows());
    }
    double sum = 0;
    for (Eigen::Index lane = 0; lane < rows.rows_in(block); ++lane) {
        const Eigen::Index row = rows.first_row(block) + lane;
        const double weight = rows.weight(row);
        const double remainder = 1 - weight * (1 / rows.total_weight() + square[lane]);
        if (remainder < least_remainder) return std::numeric_limits<double>::infinity();
        const double error = (outcome[rows.origin(row)] - reduced.outcome_means[0] - fit[lane]) / remainder;
        sum += weight * error * error;
    }
    return sum;
}

}  // namespace

LinearModel ridge(const Matrix& inputs, const Vector& outcome, const Vector& weights, double penalty, int threads) {
    if (!(penalty >= 0) || std::isinf(penalty))
        throw usage_error(fmt::format("the penalty must be finite and at least 0, not {}", penalty));
    if (penalty == 0) return least_squares(inputs, outcome, weights, threads);
    const ReducedRows reduced = reduce(inputs, outcome, weights, threads);
    return solved(reduced, penalized(reduced, penalty));
}

std::vector<double> usual_penalties() {
    return {1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
}

RidgeChoice ridge_cv(const Matrix& inputs, const Vector& outcome, const Vector& weights,
                     const std::vector<double>& penalties, int threads) {
    if (penalties.empty()) throw usage_error("no penalties to choose from; expected at least one");
    for (const double penalty : penalties)
        if (!(penalty > 0) || std::isinf(penalty))
            throw usage_error(fmt::format("penalties to choose from must be finite and above 0, not {}", penalty));
    const ReducedRows reduced = reduce(inputs, outcome, weights, threads);
    std::vector<Triangle> triangles;
    for (const double penalty : penalties) triangles.push_back(penalized(reduced, penalty));

    const auto count = static_cast<Eigen::Index>(penalties.size());
    const Matrix sums = sum_over_chunks(reduced.rows, threads, 1, count, [&](Eigen::Index chunk, Matrix& sum) {
        Block lanes;
        Block z;
        reduced.rows.each_block(chunk, [&](Eigen::Index block) {
            reduced.rows.fill(block, 0, lanes);
            for (Eigen::Index p = 0; p < count; ++p)
                sum(0, p) += left_out_errors(reduced, triangles[static_cast<std::size_t>(p)], outcome, block, lanes, z);
        });
    });

    RidgeChoice choice;
    for (Eigen::Index p = 0; p < count; ++p) choice.errors.push_back(sums(0, p) / reduced.rows.total_weight());
    const auto best = static_cast<std::size_t>(std::ranges::min_element(choice.errors) - choice.errors.begin());
    choice.penalty = penalties[best];
    choice.model = solved(reduced, triangles[best]);
    return choice;
}

}  // namespace polyrx
