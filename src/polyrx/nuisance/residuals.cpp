// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/residuals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/learners/trees/regression_forest.hpp"
#include "polyrx/nuisance/stratified_folds.hpp"
#include "polyrx/study/splits/group_numbers.hpp"
#include "polyrx/study/splits/grouped_folds.hpp"

namespace polyrx {
namespace {

std::vector<std::size_t> folds_of_groups(std::span<const int> arm, std::span<const std::size_t> group,
                                         std::size_t folds, std::uint64_t seed) {
    std::vector<std::size_t> fold_of(arm.size());
    const std::vector<RowSplit> splits = grouped_folds(arm, group, folds, seed);
    for (std::size_t fold = 0; fold < folds; ++fold)
        for (const std::size_t place : splits[fold].held_out) fold_of[place] = fold;
    return fold_of;
}

}  // namespace

Residuals cross_fitted_residuals(const FeatureRows& features, std::span<const std::size_t> rows,
                                 std::span<const int> treated, std::span<const double> outcome,
                                 std::span<const double> weight, const ResidualOptions& options,
                                 const Progress& progress) {
    if (options.folds < 2) throw usage_error(fmt::format("there must be at least 2 folds, not {}", options.folds));
    Residuals residuals{std::vector<double>(features.rows()), std::vector<double>(features.rows())};
    std::vector<std::size_t> group;
    if (!options.group.empty()) group = picked(options.group, rows);
    const std::size_t folds = std::min(options.folds, group.empty() ? rows.size() : number_groups(group).count);
    if (folds < 2) return residuals;

    // The forest predicts membership of the other arm than the first row's. If it always predicted treatment, swapping
    // the arms would break ties between splits differently.
    const int reference = treated[rows.front()];
    const double sign = reference == 0 ? 1 : -1;
    std::vector<int> arm;
    std::vector<double> is_other(features.rows());
    for (const std::size_t row : rows) {
        arm.push_back(treated[row]);
        is_other[row] = treated[row] == reference ? 0 : 1;
    }
    const std::vector<std::size_t> fold_of = options.group.empty()
                                                 ? stratified_folds(arm, folds, Rng(options.seed, Draw::folds))
                                                 : folds_of_groups(arm, group, folds, options.seed);
    for (std::size_t fold = 0; fold < folds; ++fold) {
        std::vector<std::size_t> others;
        std::vector<std::size_t> held_out;
        for (std::size_t i = 0; i < rows.size(); ++i) (fold_of[i] == fold ? held_out : others).push_back(rows[i]);
        const auto leave_residuals = [&](std::span<const double> target, std::vector<double>& left, double factor,
                                         std::uint64_t stream) {
            ForestOptions forest_options;
            forest_options.trees = options.trees;
            forest_options.leaf_rows = options.leaf_rows;
            forest_options.seed = options.seed;
            forest_options.stream = stream;
            forest_options.threads = options.threads;
            const RegressionForest forest = fit_regression_forest(features, others, target, weight, forest_options,
                                                                  equal_part(progress, stream, 2 * folds));
            parallel_for(held_out.size(), options.threads, [&](std::size_t i) {
                const std::size_t row = held_out[i];
                left[row] = factor * (target[row] - predict_row(forest, features, row));
            });
        };
        leave_residuals(outcome, residuals.outcome, 1, 2 * fold);
        leave_residuals(is_other, residuals.treatment, sign, 2 * fold + 1);
    }
    return residuals;
}

}  // namespace polyrx
