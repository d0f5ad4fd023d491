// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/classification_forest.hpp"

#include <cmath>

#include "polyrx/learners/trees/classification_criterion.hpp"

namespace polyrx {

ForestOptions classification_options(std::size_t features) {
    ForestOptions options;
    options.limits.features = std::max(1, static_cast<int>(std::sqrt(static_cast<double>(features))));
    return options;
}

ClassificationForest fit_classification_forest(const FeatureRows& features, std::span<const std::size_t> rows,
                                               std::span<const int> label, int classes, std::span<const double> weight,
                                               const ForestOptions& options, const Progress& progress) {
    const RankedFeatures ranked(features, rows);
    const BinnedFeatures binned(ranked);
    ClassificationForest forest;
    forest.classes = classes;
    forest.trees.resize(static_cast<std::size_t>(options.trees));
    grow_trees(options, progress, [&](std::size_t t) {
        Rng rng = tree_rng(options, t);
        const Sample sample = draw_sample(rows.size(), options.bootstrap, rng);
        std::vector<ClassificationCriterion::Target> targets;
        targets.reserve(sample.rows.size());
        for (std::size_t i = 0; i < sample.rows.size(); ++i) {
            const std::size_t row = rows[sample.rows[i]];
            targets.push_back({label[row], sample.times[i] * (weight.empty() ? 1 : weight[row])});
        }
        ClassificationCriterion criterion(std::move(targets), classes, options.leaf_rows);
        AxisTreeGrower grower(ranked, binned, sample.rows, criterion, options.limits, rng);
        forest.trees[t].tree = grower.grow();
        forest.trees[t].shares = std::move(criterion.shares);
    });
    return forest;
}

Matrix probabilities(const ClassificationForest& forest, const FeatureRows& features, int threads) {
    Matrix shares = Matrix::Zero(static_cast<Eigen::Index>(features.rows()), forest.classes);
    for_row_blocks(features, threads, [&](Eigen::Index first, const Matrix& rows) {
        auto sums = shares.middleRows(first, rows.rows());
        for (const ClassificationTree& each : forest.trees)
            for (Eigen::Index i = 0; i < rows.rows(); ++i)
                sums.row(i) +=
                    each.shares[static_cast<std::size_t>(leaf_of(each.tree, rows.row(i).data(), 1))].transpose();
        sums /= static_cast<double>(forest.trees.size());
    });
    return shares;
}

}  // namespace polyrx
