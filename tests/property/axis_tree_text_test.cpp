// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/axis_tree_text.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/learners/trees/regression_forest.hpp"
#include "tests/support/slow_axis_tree.hpp"

namespace polyrx {
namespace {

TreeWithLeaves random_tree(Rng& rng, const FeatureRows& features) {
    std::vector<double> target;
    for (std::size_t i = 0; i < features.rows(); ++i) target.push_back(rng.normal());
    ForestOptions options;
    options.trees = 1;
    options.leaf_rows = 1 + rng.below(4);
    const AxisTree grown =
        fit_regression_forest(features, test::all_of(features.rows()), target, {}, options).trees.front();
    TreeWithLeaves result{grown, {2, std::vector<double>(2 * grown.nodes.size())}};
    for (std::size_t node = 0; node < grown.nodes.size(); ++node) {
        if (!grown.nodes[node].is_leaf()) continue;
        result.leaves.numbers[2 * node] = grown.nodes[node].value();
        result.leaves.numbers[2 * node + 1] = rng.normal();
        result.tree.nodes[node] = AxisNode();
    }
    return result;
}

TEST(AxisNode, GivesBackTheSplitItWasMadeOf) {
    for (std::uint64_t index = 0; index < 200; ++index) {
        Rng rng(4, Draw::test, index);
        AxisSplit split;
        split.feature = static_cast<int>(rng.below(std::uint64_t{1} << rng.below(31)));
        split.missing_left = rng.bernoulli(0.5);
        if (rng.bernoulli(0.5))
            split.set = static_cast<int>(rng.below(std::uint64_t{1} << rng.below(31)));
        else
            split.threshold = rng.normal();
        const int left = 1 + static_cast<int>(rng.below(std::numeric_limits<int>::max()));
        const AxisNode node(split, left);
        EXPECT_EQ(node.split(), split);
        EXPECT_EQ(node.left(), left);
        EXPECT_FALSE(node.is_leaf());
        EXPECT_EQ(AxisNode(split.threshold).value(), split.threshold);
        EXPECT_TRUE(AxisNode(split.threshold).is_leaf());
    }
}

TEST(AxisTreeText, ReadsWhatItWrote) {
    for (std::uint64_t index = 0; index < 100; ++index) {
        Rng rng(1, Draw::test, index);
        const FeatureRows features = test::random_features(rng, 1 + rng.below(80), 1 + rng.below(6), 0.2);
        const TreeWithLeaves tree = random_tree(rng, features);
        const std::string text = to_text(tree.tree, tree.leaves);
        const TreeWithLeaves again = parse_axis_tree(text, features.levels, 2, "tree");
        EXPECT_EQ(again.tree, tree.tree) << text;
        EXPECT_EQ(again.leaves, tree.leaves);
        EXPECT_EQ(to_text(again.tree, again.leaves), text);
    }
}

TEST(AxisTreeText, LooksAsTheHeaderSays) {
    const std::vector<int> levels = {0, 0, 0, 8};
    const std::string text = "0<=1.5? =2 3:0,7 =4 =5";
    const TreeWithLeaves tree = parse_axis_tree(text, levels, 1, "tree");
    EXPECT_EQ(to_text(tree.tree, tree.leaves), text);
    const std::vector<double> row = {2, 0, 0, 7};
    EXPECT_EQ(tree.leaves.of(static_cast<std::size_t>(leaf_of(tree.tree, row.data(), 1)))[0], 4);
}

TEST(AxisTreeText, RefusesWhatIsNoTreeOfThesePlaces) {
    const std::vector<int> levels = {0, 3};
    for (const char* text : {"",
                             " ",
                             "=",
                             "=1 =2",
                             "0<=1",
                             "0<=1 =2",
                             "0<=1 =2 =3 ",
                             "0<=1 =2  =3",
                             "2<=1 =2 =3",
                             "-1<=1 =2 =3",
                             "0:1 =2 =3",
                             "1<=1 =2 =3",
                             "1:3 =1 =2",
                             "1:-1 =1 =2",
                             "1: =1 =2",
                             "0<=nan =1 =2",
                             "0<=1e999 =1 =2",
                             "=nan",
                             "=1,2",
                             "x",
                             "0<1 =1 =2",
                             "0<=1?? =1 =2",
                             "99999999999<=1 =1 =2"})
        EXPECT_THROW((void)parse_axis_tree(text, levels, 1, "tree"), Error) << text;
    // Cut or changed anywhere, it is refused or another tree, and nothing worse.
    const std::string good = "0<=1.5? =2 1:0,2 =4 =5";
    for (std::size_t i = 0; i < good.size(); ++i)
        for (const char c : std::string("0=<:,? 9-.e")) {
            std::string bad = good;
            bad[i] = c;
            for (const std::string& text : {bad, good.substr(0, i), good.substr(i)}) {
                try {
                    (void)parse_axis_tree(text, levels, 1, "tree");
                } catch (const Error&) {
                    continue;
                }
            }
        }
}

}  // namespace
}  // namespace polyrx
