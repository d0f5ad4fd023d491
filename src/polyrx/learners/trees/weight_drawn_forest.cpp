// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/weight_drawn_forest.hpp"

#include <algorithm>

#include "polyrx/learners/trees/regression_criterion.hpp"

namespace polyrx {
namespace {

// Draws as many rows as there are, with replacement; `up_to` has cumulative weights.
Sample drawn_by_weight(const std::vector<double>& up_to, Rng& rng) {
    std::vector<std::uint32_t> times(up_to.size());
    for (std::size_t i = 0; i < up_to.size(); ++i) {
        const auto found = std::ranges::upper_bound(up_to, rng.uniform() * up_to.back());
        // Rounding may give the total itself.
        ++times[std::min(static_cast<std::size_t>(found - up_to.begin()), up_to.size() - 1)];
    }
    Sample sample;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i] == 0) continue;
        sample.rows.push_back(static_cast<RowIndex>(i));
        sample.times.push_back(times[i]);
    }
    return sample;
}

}  // namespace

RegressionForest fit_weight_drawn_forest(const FeatureRows& features, std::span<const std::size_t> rows,
                                         std::span<const double> target, std::span<const double> weight,
                                         const ForestOptions& options, const Progress& progress) {
    const RankedFeatures ranked(features, rows);
    const BinnedFeatures binned(ranked);
    std::vector<double> up_to;
    double sum = 0;
    for (const std::size_t row : rows) up_to.push_back(sum += weight[row]);
    RegressionForest forest;
    forest.trees.resize(static_cast<std::size_t>(options.trees));
    grow_trees(options, progress, [&](std::size_t t) {
        Rng rng = tree_rng(options, t);
        const Sample sample = drawn_by_weight(up_to, rng);
        std::vector<RegressionCriterion::Target> targets;
        for (std::size_t i = 0; i < sample.rows.size(); ++i)
            targets.push_back({sample.times[i], sample.times[i] * target[rows[sample.rows[i]]]});
        RegressionCriterion criterion(std::move(targets), options.leaf_rows);
        AxisTree& tree = forest.trees[t];
        tree = AxisTreeGrower(ranked, binned, sample.rows, criterion, options.limits, rng).grow();
        for (std::size_t node = 0; node < tree.nodes.size(); ++node)
            if (tree.nodes[node].is_leaf()) tree.nodes[node] = AxisNode(criterion.means[node]);
    });
    return forest;
}

}  // namespace polyrx
