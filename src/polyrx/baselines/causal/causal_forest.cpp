// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/causal/causal_forest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polyrx/baselines/causal/relabeled_criterion.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/learners/trees/forest.hpp"

namespace polyrx {
namespace {

// Relative to the variance of the treatment among all rows, or to its mean square.
constexpr double no_variance = 1e-10;

void check(const CausalForestOptions& options) {
    if (options.trees < 1) throw usage_error(fmt::format("a forest has at least 1 tree, not {}", options.trees));
    if (!(options.subsample > 0 && options.subsample <= 1))
        throw usage_error(
            fmt::format("the share of rows per tree must be above 0 and at most 1, not {}", options.subsample));
    if (options.leaf_rows < 1) throw usage_error("leaves of a causal forest need at least 1 row, not 0");
    if (!(options.least_share >= 0 && options.least_share <= 0.5))
        throw usage_error(
            fmt::format("the share of rows on each side of a split must be 0 to 0.5, not {}", options.least_share));
}

// Residuals minus their means, in the order of `rows`. The forest does not depend on the means; centering reduces
// rounding errors.
std::vector<RelabeledCriterion::Row> centered(std::span<const std::size_t> rows, const Residuals& residuals,
                                              std::span<const double> weight) {
    ResidualSums sums;
    std::vector<RelabeledCriterion::Row> result;
    result.reserve(rows.size());
    for (const std::size_t row : rows) {
        result.push_back({weight.empty() ? 1 : weight[row], residuals.treatment[row], residuals.outcome[row], false});
        sums.add(result.back().weight, result.back().treatment, result.back().outcome);
    }
    for (RelabeledCriterion::Row& row : result) {
        row.treatment -= sums.treatment / sums.weight;
        row.outcome -= sums.outcome / sums.weight;
    }
    return result;
}

double effect_of(const CausalForest& forest, const double* row, Eigen::Index stride) {
    ResidualSums like_it;
    for (const EffectTree& each : forest.trees) {
        const ResidualSums& leaf = each.leaves[static_cast<std::size_t>(leaf_of(each.tree, row, stride))];
        if (leaf.weight > 0) like_it.add(leaf, 1 / leaf.weight);
    }
    const bool differ = like_it.weight > 0 && like_it.variance() > forest.least_variance;
    return differ ? like_it.slope() : forest.overall;
}

}  // namespace

Subsample draw_subsample(std::size_t rows, const CausalForestOptions& options, std::size_t tree) {
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng rng(options.seed, Draw::honest_halves, tree);
    const auto count = static_cast<std::size_t>(std::ceil(options.subsample * static_cast<double>(rows)));
    for (std::size_t i = 0; i < count; ++i) std::swap(order[i], order[i + rng.below(rows - i)]);
    const auto half = order.begin() + static_cast<std::ptrdiff_t>(count / 2);
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(count);
    Subsample sample{{order.begin(), half}, {half, end}};
    std::ranges::sort(sample.structure);
    std::ranges::sort(sample.estimation);
    return sample;
}

CausalForest fit_causal_forest(const FeatureRows& features, std::span<const std::size_t> rows,
                               const Residuals& residuals, std::span<const double> weight,
                               const CausalForestOptions& options, const Progress& progress) {
    check(options);
    CausalForest forest;
    if (rows.empty()) return forest;
    const std::vector<RelabeledCriterion::Row> all = centered(rows, residuals, weight);
    ResidualSums sums;
    double raw_squares = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        sums.add(all[i].weight, all[i].treatment, all[i].outcome);
        raw_squares += all[i].weight * residuals.treatment[rows[i]] * residuals.treatment[rows[i]];
    }
    // Identical treatments have a small variance due to rounding.
    if (!(sums.variance() > no_variance * no_variance * raw_squares / sums.weight)) return forest;
    forest.overall = sums.slope();
    forest.least_variance = no_variance * sums.variance();

    const RankedFeatures ranked(features, rows);
    const BinnedFeatures binned(ranked);
    ForestOptions forest_options;
    forest_options.trees = options.trees;
    forest_options.threads = options.threads;
    forest.trees.resize(static_cast<std::size_t>(options.trees));
    grow_trees(forest_options, progress, [&](std::size_t t) {
        const Subsample drawn = draw_subsample(rows.size(), options, t);
        std::vector<RowIndex> sample;
        std::vector<RelabeledCriterion::Row> criterion_rows;
        const auto take = [&](std::size_t row, bool estimates) {
            sample.push_back(static_cast<RowIndex>(row));
            criterion_rows.push_back(all[row]);
            criterion_rows.back().estimates = estimates;
        };
        for (const std::size_t row : drawn.structure) take(row, false);
        for (const std::size_t row : drawn.estimation) take(row, true);
        RelabeledCriterion criterion(std::move(criterion_rows),
                                     {options.leaf_rows, options.least_share, forest.least_variance});
        GrowLimits limits;
        limits.depth = options.depth;
        // The grower examines every feature at every node and draws no random numbers.
        AxisTreeGrower grower(ranked, binned, sample, criterion, limits, Rng(options.seed, Draw::honest_halves, t));
        forest.trees[t].tree = grower.grow();
        forest.trees[t].leaves = std::move(criterion.leaves);
    });
    return forest;
}

CausalForest fit_causal_forest(const FeatureRows& features, std::span<const std::size_t> rows,
                               std::span<const int> treated, std::span<const double> outcome,
                               std::span<const double> weight, const CausalForestOptions& options,
                               const Progress& progress) {
    check(options);
    // Forests of residuals take most of the time.
    constexpr double residuals_share = 0.7;
    const Residuals residuals =
        cross_fitted_residuals(features, rows, treated, outcome, weight,
                               {options.residual_folds, options.residual_trees, options.residual_leaf_rows,
                                options.seed, options.threads, options.group},
                               part_of_work(progress, 0, residuals_share));
    return fit_causal_forest(features, rows, residuals, weight, options, part_of_work(progress, residuals_share, 1));
}

double effect_of(const CausalForest& forest, const FeatureRows& features, std::size_t row) {
    return effect_of(forest, features.values.data() + row, features.values.outerStride());
}

Vector effects(const CausalForest& forest, const FeatureRows& features, int threads) {
    Vector result(static_cast<Eigen::Index>(features.rows()));
    for_row_blocks(features, threads, [&](Eigen::Index first, const Matrix& rows) {
        for (Eigen::Index i = 0; i < rows.rows(); ++i) result[first + i] = effect_of(forest, rows.row(i).data(), 1);
    });
    return result;
}

}  // namespace polyrx
