// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/personalization/personalization_forest.hpp"

#include <fmt/format.h>

#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/learners/trees/forest.hpp"

namespace polyrx {

PersonalizationForest fit_personalization_forest(const TreatedRows& study, std::span<const std::size_t> rows,
                                                 const PersonalizationForestOptions& options,
                                                 const Progress& progress) {
    check_personalization(study, rows, options.tree);
    if (options.trees < 1) throw usage_error(fmt::format("a forest has at least 1 tree, not {}", options.trees));
    const RankedFeatures ranked(study.features, rows);
    const BinnedFeatures binned(ranked);
    const int root = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(study.features.features()))));
    const int features = options.features > 0 ? options.features : root;
    const ForestOptions drawing{.trees = options.trees, .seed = options.seed, .threads = options.threads};
    PersonalizationForest forest;
    forest.treatments = study.treatments;
    forest.trees.resize(static_cast<std::size_t>(options.trees));
    grow_trees(drawing, progress, [&](std::size_t t) {
        Rng rng = tree_rng(drawing, t);
        const Sample sample = draw_sample(rows.size(), true, rng);
        forest.trees[t] = grow_personalization_tree(study, rows, ranked, binned, sample, options.tree, features, rng);
    });
    return forest;
}

Matrix scores(const PersonalizationForest& forest, const FeatureRows& features, int threads) {
    Matrix votes = Matrix::Zero(static_cast<Eigen::Index>(features.rows()), forest.treatments);
    for_row_blocks(features, threads, [&](Eigen::Index first, const Matrix& rows) {
        for (const PersonalizationTree& each : forest.trees)
            for (Eigen::Index i = 0; i < rows.rows(); ++i) {
                const auto leaf = static_cast<std::size_t>(leaf_of(each.tree, rows.row(i).data(), 1));
                votes(first + i, each.leaves[leaf].treatment) -= 1;
            }
    });
    return votes;
}

}  // namespace polyrx
