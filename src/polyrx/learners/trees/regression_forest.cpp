// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/regression_forest.hpp"

#include "polyrx/learners/trees/regression_criterion.hpp"

namespace polyrx {

RegressionForest fit_regression_forest(const FeatureRows& features, std::span<const std::size_t> rows,
                                       std::span<const double> target, std::span<const double> weight,
                                       const ForestOptions& options, const Progress& progress) {
    const RankedFeatures ranked(features, rows);
    const BinnedFeatures binned(ranked);
    RegressionForest forest;
    forest.trees.resize(static_cast<std::size_t>(options.trees));
    grow_trees(options, progress, [&](std::size_t t) {
        Rng rng = tree_rng(options, t);
        const Sample sample = draw_sample(rows.size(), options.bootstrap, rng);
        std::vector<RegressionCriterion::Target> targets;
        targets.reserve(sample.rows.size());
        for (std::size_t i = 0; i < sample.rows.size(); ++i) {
            const std::size_t row = rows[sample.rows[i]];
            const double w = sample.times[i] * (weight.empty() ? 1 : weight[row]);
            targets.push_back({w, w * target[row]});
        }
        RegressionCriterion criterion(std::move(targets), options.leaf_rows);
        AxisTree& tree = forest.trees[t];
        tree = AxisTreeGrower(ranked, binned, sample.rows, criterion, options.limits, rng).grow();
        for (std::size_t node = 0; node < tree.nodes.size(); ++node)
            if (tree.nodes[node].is_leaf()) tree.nodes[node] = AxisNode(criterion.means[node]);
    });
    return forest;
}

double predict_row(const RegressionForest& forest, const FeatureRows& features, std::size_t row) {
    double sum = 0;
    for (const AxisTree& tree : forest.trees) sum += value_at(tree, features, row);
    return sum / static_cast<double>(forest.trees.size());
}

Vector predict(const RegressionForest& forest, const FeatureRows& features, int threads) {
    Vector predictions = Vector::Zero(static_cast<Eigen::Index>(features.rows()));
    for_row_blocks(features, threads, [&](Eigen::Index first, const Matrix& rows) {
        auto sums = predictions.segment(first, rows.rows());
        for (const AxisTree& tree : forest.trees)
            for (Eigen::Index i = 0; i < rows.rows(); ++i) sums[i] += value_at(tree, rows.row(i).data(), 1);
        sums /= static_cast<double>(forest.trees.size());
    });
    return predictions;
}

}  // namespace polyrx
