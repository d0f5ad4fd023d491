// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/tune/tune_personalization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "polyrx/baselines/personalization/personalization_forest.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {
namespace {

using Rows = std::vector<std::size_t>;

std::vector<int> prescribed_by(Personalization method, const PersonalizationOptions& options, const TreatedRows& study,
                               const Rows& learn, const Rows& prescribe, std::uint64_t seed) {
    const FeatureRows unseen{study.features.values(prescribe, Eigen::all), study.features.levels};
    if (method == Personalization::tree)
        return argmin_rows(scores(fit_personalization_tree(study, learn, options), unseen, 1));
    const PersonalizationForestOptions forest{.tree = options, .seed = seed};
    return argmin_rows(scores(fit_personalization_forest(study, learn, forest), unseen, 1));
}

}  // namespace

std::vector<PersonalizationOptions> personalization_grid() {
    return {{.depth = 5, .treatment_rows = 20},
            {.depth = 5, .treatment_rows = 10},
            {.depth = 0, .treatment_rows = 20},
            {.depth = 0, .treatment_rows = 10}};
}

PersonalizationChoice tune_personalization(Personalization method, const TreatedRows& study,
                                           std::span<const std::size_t> rows, const DoublyRobust& judge,
                                           std::uint64_t seed, int threads, const Progress& progress) {
    if (judge.folds.empty() || static_cast<std::size_t>(judge.scores.rows()) != rows.size())
        throw usage_error(
            fmt::format("tuning {} rows needs cross-fitted scores of the same rows, not {} scores in {} folds",
                        rows.size(), judge.scores.rows(), judge.folds.size()));
    const std::vector<PersonalizationOptions> grid = personalization_grid();
    const std::size_t folds = judge.folds.size();
    std::vector<std::vector<int>> prescriptions(grid.size(), std::vector<int>(rows.size()));
    std::atomic<std::size_t> done{0};
    parallel_for(grid.size() * folds, threads, [&](std::size_t task) {
        report(progress, static_cast<double>(done) / static_cast<double>(grid.size() * folds), "trying settings");
        const RowSplit& fold = judge.folds[task % folds];
        const std::vector<int> prescribed = prescribed_by(method, grid[task / folds], study, picked(rows, fold.kept),
                                                          picked(rows, fold.held_out), seed);
        for (std::size_t i = 0; i < prescribed.size(); ++i)
            prescriptions[task / folds][fold.held_out[i]] = prescribed[i];
        ++done;
    });
    std::vector<double> weight;
    weight.reserve(rows.size());
    for (const std::size_t row : rows) weight.push_back(study.weight_of(row));
    PersonalizationChoice choice;
    for (std::size_t g = 0; g < grid.size(); ++g)
        choice.tried.push_back({grid[g], doubly_robust_value(judge.scores, prescriptions[g], weight)});
    choice.options = std::ranges::min_element(choice.tried, {}, &PersonalizationTrial::value)->options;
    return choice;
}

PersonalizationChoice tune_personalization(Personalization method, const TreatedRows& study,
                                           std::span<const std::size_t> rows, const DoublyRobustOptions& options,
                                           const Progress& progress) {
    const DoublyRobust judge = doubly_robust(study, rows, options, progress);
    return tune_personalization(method, study, rows, judge, options.seed, options.threads, progress);
}

}  // namespace polyrx
