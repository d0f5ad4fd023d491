// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/linear/reduced_rows.hpp"

#include <fmt/format.h>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

// Computed relative to the first row, so that outcomes far from 0 lose no digits and constant outcomes are exact.
Vector weighted_means(const StandardRows& rows, const Matrix& outcomes, int threads) {
    const Eigen::RowVectorXd first = outcomes.row(rows.origin(0));
    const Matrix sum = sum_over_chunks(rows, threads, 1, outcomes.cols(), [&](Eigen::Index chunk, Matrix& part) {
        rows.each_block(chunk, [&](Eigen::Index block) {
            for (Eigen::Index lane = 0; lane < rows.rows_in(block); ++lane) {
                const Eigen::Index row = rows.first_row(block) + lane;
                part += rows.weight(row) * (outcomes.row(rows.origin(row)) - first);
            }
        });
    });
    return (first + sum / rows.total_weight()).transpose();
}

}  // namespace

ReducedRows reduce(const Matrix& inputs, const Matrix& outcomes, const Vector& weights, int threads) {
    if (outcomes.rows() != inputs.rows())
        throw usage_error(fmt::format("{} outcomes were given for {} rows", outcomes.rows(), inputs.rows()));
    StandardRows rows(inputs, weights, threads);
    Vector means = weighted_means(rows, outcomes, threads);
    Triangle triangle = triangle_of(rows, outcomes, means, threads);
    return {std::move(rows), std::move(means), std::move(triangle)};
}

LinearModel through_the_means(const ReducedRows& reduced, Eigen::Index outcome, Vector raw_weights) {
    const double intercept = reduced.outcome_means[outcome] - reduced.rows.shift(raw_weights);
    return {std::move(raw_weights), intercept};
}

}  // namespace polyrx
