// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/lookahead_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "polyrx/core/every_row.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/learners/trees/classification_forest.hpp"

namespace polyrx {
namespace {

using Rows = std::vector<std::size_t>;

struct Classes {
    FeatureRows features;
    std::vector<int> label;
    int classes = 2;
    std::vector<double> weight;
};

double purity(const Classes& data, const Rows& rows) {
    std::vector<double> weights(static_cast<std::size_t>(data.classes), 0);
    double sum = 0;
    for (const std::size_t row : rows) {
        const double weight = data.weight.empty() ? 1 : data.weight[row];
        weights[static_cast<std::size_t>(data.label[row])] += weight;
        sum += weight;
    }
    double squares = 0;
    for (const double weight : weights) squares += weight * weight;
    return sum > 0 ? squares / sum : 0;
}

double purity_of_leaves(const Classes& data, const AxisTree& tree) {
    std::vector<Rows> leaves(tree.nodes.size());
    for (std::size_t row = 0; row < data.label.size(); ++row)
        leaves[static_cast<std::size_t>(leaf_of(tree, data.features, row))].push_back(row);
    double sum = 0;
    for (const Rows& leaf : leaves) sum += purity(data, leaf);
    return sum;
}

// The purity of the best tree of a depth, by trying all of them.
double best_purity(const Classes& data, const Rows& rows, int depth, std::size_t leaf_rows) {
    double best = purity(data, rows);
    if (depth == 0) return best;
    const auto try_split = [&](const std::function<bool(double)>& goes_left, Eigen::Index f) {
        Rows left;
        Rows right;
        for (const std::size_t row : rows)
            (goes_left(data.features.values(static_cast<Eigen::Index>(row), f)) ? left : right).push_back(row);
        if (left.size() < leaf_rows || right.size() < leaf_rows) return;
        best = std::max(best,
                        best_purity(data, left, depth - 1, leaf_rows) + best_purity(data, right, depth - 1, leaf_rows));
    };
    for (Eigen::Index f = 0; f < data.features.values.cols(); ++f)
        for (const bool missing_left : {false, true}) {
            for (const double value : {0.0, 1.0, 2.0, 3.0}) {
                const bool by_category = data.features.levels[static_cast<std::size_t>(f)] > 0;
                try_split(
                    [&](double x) { return std::isnan(x) ? missing_left
                                           : by_category ? x == value
                                                         : x <= value; }, f);
            }
            try_split([&](double x) { return std::isnan(x); }, f);
        }
    return best;
}

// Four values or three categories a feature, some missing; the class depends on two of them together.
Classes small_data(std::uint64_t seed, int classes, bool weighted) {
    Rng rng(seed, Draw::test);
    const Eigen::Index rows = 300;
    Classes data;
    data.classes = classes;
    data.features.values.resize(rows, 4);
    data.features.levels = {0, 0, 3, 0};
    for (Eigen::Index i = 0; i < rows; ++i) {
        for (Eigen::Index f = 0; f < 4; ++f)
            data.features.values(i, f) = rng.uniform() < 0.1 ? std::numeric_limits<double>::quiet_NaN()
                                                             : static_cast<double>(rng.below(f == 2 ? 3 : 4));
        const bool both = (data.features.values(i, 0) > 1) == (data.features.values(i, 2) == 1);
        data.label.push_back(rng.uniform() < 0.8 ? both
                                                 : static_cast<int>(rng.below(static_cast<std::size_t>(classes))));
        if (weighted) data.weight.push_back(0.5 + rng.uniform());
    }
    return data;
}

TEST(LookaheadTree, OfTwoLevelsIsTheBestOfAllSuchTrees) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const Classes data = small_data(seed, seed % 2 == 0 ? 2 : 3, seed % 3 == 0);
        const std::size_t leaf_rows = seed % 4 == 0 ? 20 : 1;
        const Rows rows = every_row(data.label.size());
        const AxisTree tree = grow_lookahead_tree(data.features, rows, data.label, data.classes, data.weight,
                                                  {.depth = 2, .leaf_rows = leaf_rows});
        EXPECT_NEAR(purity_of_leaves(data, tree), best_purity(data, rows, 2, leaf_rows), 1e-9) << seed;
    }
}

TEST(LookaheadTree, KeepsRowsInEveryLeaf) {
    for (const int depth : {1, 2, 3, 4}) {
        const Classes data = small_data(7, 3, false);
        const AxisTree tree = grow_lookahead_tree(data.features, every_row(data.label.size()), data.label, data.classes,
                                                  data.weight, {.depth = depth, .leaf_rows = 25});
        std::vector<std::size_t> rows(tree.nodes.size(), 0);
        for (std::size_t row = 0; row < data.label.size(); ++row)
            ++rows[static_cast<std::size_t>(leaf_of(tree, data.features, row))];
        EXPECT_GT(leaf_count(tree), 1U);
        EXPECT_LE(leaf_count(tree), std::size_t{1} << depth);
        for (std::size_t node = 0; node < tree.nodes.size(); ++node)
            EXPECT_TRUE(!tree.nodes[node].is_leaf() || rows[node] >= 25) << depth;
    }
}

// Normal inputs; the class is 1 for nine in ten rows where `is_one`.
Classes normal_data(Eigen::Index rows, Eigen::Index inputs, std::uint64_t seed,
                    const std::function<bool(const Eigen::RowVectorXd&)>& is_one) {
    Rng rng(seed, Draw::test);
    Classes data;
    data.features.values.resize(rows, inputs);
    data.features.levels.assign(static_cast<std::size_t>(inputs), 0);
    for (Eigen::Index i = 0; i < rows; ++i) {
        for (Eigen::Index j = 0; j < inputs; ++j) data.features.values(i, j) = rng.normal();
        data.label.push_back((rng.uniform() < 0.9) == is_one(data.features.values.row(i)) ? 1 : 0);
    }
    return data;
}

TEST(LookaheadTree, FindsInteractionsThatNeitherInputShowsAlone) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Classes data =
            normal_data(2'000, 20, seed, [](const Eigen::RowVectorXd& x) { return (x[3] > 0) == (x[17] > 0); });
        const Rows rows = every_row(data.label.size());
        // Nine in ten rows are of their leaf's class; a greedy tree does little better than chance.
        const AxisTree tree = grow_lookahead_tree(data.features, rows, data.label, 2, {}, {.leaf_rows = 50});
        EXPECT_NEAR(purity_of_leaves(data, tree) / 2'000, 0.9 * 0.9 + 0.1 * 0.1, 0.03) << seed;
        ForestOptions greedy;
        greedy.trees = 1;
        greedy.bootstrap = false;
        greedy.leaf_rows = 50;
        greedy.limits.depth = 2;
        const ClassificationForest forest = fit_classification_forest(data.features, rows, data.label, 2, {}, greedy);
        EXPECT_LT(purity_of_leaves(data, forest.trees.front().tree) / 2'000, 0.6) << seed;
    }
}

TEST(LookaheadTree, PutsThresholdsBetweenAnyTwoValues) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Classes data =
            normal_data(2'000, 20, seed, [](const Eigen::RowVectorXd& x) { return (x[3] > 0.4) == (x[17] > -0.3); });
        const AxisTree tree =
            grow_lookahead_tree(data.features, every_row(data.label.size()), data.label, 2, {}, {.leaf_rows = 50});
        const AxisSplit root = tree.nodes.front().split();
        ASSERT_TRUE(root.feature == 3 || root.feature == 17) << seed;
        EXPECT_NEAR(root.threshold, root.feature == 3 ? 0.4 : -0.3, 0.1) << seed;
    }
}

}  // namespace
}  // namespace polyrx
