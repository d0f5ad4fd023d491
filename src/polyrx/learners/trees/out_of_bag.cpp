// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/out_of_bag.hpp"

#include "polyrx/core/parallel_for.hpp"

namespace polyrx {

namespace {

// By tree and row. Trees do not store their samples, but each sample is the first draw of its tree's random numbers.
std::vector<std::vector<char>> seen_by_trees(std::size_t trees, std::size_t rows, const ForestOptions& options) {
    std::vector<std::vector<char>> seen(trees);
    parallel_for(trees, options.threads, [&](std::size_t t) {
        Rng rng = tree_rng(options, t);
        seen[t].resize(rows);
        for (const RowIndex row : draw_sample(rows, options.bootstrap, rng).rows) seen[t][row] = 1;
    });
    return seen;
}

}  // namespace

Matrix out_of_bag_probabilities(const ClassificationForest& forest, const FeatureRows& features,
                                std::span<const std::size_t> rows, const ForestOptions& options) {
    const std::vector<std::vector<char>> seen = seen_by_trees(forest.trees.size(), rows.size(), options);
    Matrix shares = Matrix::Zero(static_cast<Eigen::Index>(rows.size()), forest.classes);
    const FeatureRows learned{features.values(rows, Eigen::all), features.levels};
    for_row_blocks(learned, options.threads, [&](Eigen::Index first, const Matrix& block) {
        for (Eigen::Index i = 0; i < block.rows(); ++i) {
            double trees = 0;
            auto sums = shares.row(first + i);
            for (std::size_t t = 0; t < forest.trees.size(); ++t) {
                if (seen[t][static_cast<std::size_t>(first + i)] != 0) continue;
                const ClassificationTree& tree = forest.trees[t];
                sums += tree.shares[static_cast<std::size_t>(leaf_of(tree.tree, block.row(i).data(), 1))].transpose();
                trees += 1;
            }
            if (trees > 0) sums /= trees;
        }
    });
    return shares;
}

Vector out_of_bag_values(const RegressionForest& forest, const FeatureRows& features, std::span<const std::size_t> rows,
                         const ForestOptions& options) {
    const std::vector<std::vector<char>> seen = seen_by_trees(forest.trees.size(), rows.size(), options);
    Vector values(static_cast<Eigen::Index>(rows.size()));
    const FeatureRows learned{features.values(rows, Eigen::all), features.levels};
    for_row_blocks(learned, options.threads, [&](Eigen::Index first, const Matrix& block) {
        for (Eigen::Index i = 0; i < block.rows(); ++i) {
            double sum = 0;
            double trees = 0;
            for (std::size_t t = 0; t < forest.trees.size(); ++t) {
                if (seen[t][static_cast<std::size_t>(first + i)] != 0) continue;
                sum += value_at(forest.trees[t], block.row(i).data(), 1);
                trees += 1;
            }
            values[first + i] = sum / trees;
        }
    });
    return values;
}

}  // namespace polyrx
