// SPDX-License-Identifier: Apache-2.0
// Cost-complexity pruning, against all trees that collapsing nodes can make.
#include <gtest/gtest.h>

#include <limits>

#include "polyrx/baselines/causal/prune_axis_tree.hpp"
#include "polyrx/core/rng.hpp"

namespace polyrx {
namespace {

using Leaves = std::vector<std::size_t>;

AxisTree random_tree(Rng& rng, int splits) {
    AxisTree tree{{AxisNode{}}, {}};
    for (int i = 0; i < splits; ++i) {
        Leaves leaves;
        for (std::size_t node = 0; node < tree.nodes.size(); ++node)
            if (tree.nodes[node].is_leaf()) leaves.push_back(node);
        const std::size_t node = leaves[rng.below(leaves.size())];
        tree.nodes[node] = {{i % 3, rng.normal()}, static_cast<int>(tree.nodes.size())};
        tree.nodes.resize(tree.nodes.size() + 2);
    }
    return tree;
}

std::vector<double> random_worth(Rng& rng, const AxisTree& tree) {
    std::vector<double> worth;
    for (std::size_t node = 0; node < tree.nodes.size(); ++node) worth.push_back(rng.normal());
    return worth;
}

// The leaves of every tree that is left when nodes at or below this one are collapsed.
std::vector<Leaves> all_prunings(const AxisTree& tree, std::size_t node) {
    std::vector<Leaves> result = {{node}};
    if (tree.nodes[node].is_leaf()) return result;
    const auto left = static_cast<std::size_t>(tree.nodes[node].left());
    for (const Leaves& a : all_prunings(tree, left))
        for (const Leaves& b : all_prunings(tree, left + 1)) {
            result.push_back(a);
            result.back().insert(result.back().end(), b.begin(), b.end());
        }
    return result;
}

double value_of(const Leaves& leaves, const std::vector<double>& worth, double price) {
    double sum = 0;
    for (const std::size_t leaf : leaves) sum += worth[leaf] - price;
    return sum;
}

Leaves chosen(const AxisTree& tree, const std::vector<double>& worth, double price) {
    const std::vector<char> is_leaf = leaves_at_price(tree, worth, price);
    Leaves leaves;
    for (std::size_t node = 0; node < is_leaf.size(); ++node)
        if (is_leaf[node]) leaves.push_back(node);
    return leaves;
}

TEST(PruneAxisTree, FindsTheBestOfAllTreesAtAnyPrice) {
    for (std::uint64_t index = 0; index < 200; ++index) {
        Rng rng(1, Draw::test, index);
        const AxisTree tree = random_tree(rng, static_cast<int>(rng.below(8)));
        const std::vector<double> worth = random_worth(rng, tree);
        for (const double price : {0.0, 0.1, 0.5, 1.0, 3.0}) {
            const Leaves found = chosen(tree, worth, price);
            double best = -std::numeric_limits<double>::infinity();
            bool is_one_of_them = false;
            for (Leaves& leaves : all_prunings(tree, 0)) {
                best = std::max(best, value_of(leaves, worth, price));
                std::ranges::sort(leaves);
                is_one_of_them = is_one_of_them || leaves == found;
            }
            EXPECT_TRUE(is_one_of_them);
            EXPECT_NEAR(value_of(found, worth, price), best, 1e-12);
        }
        EXPECT_EQ(chosen(tree, worth, std::numeric_limits<double>::infinity()), Leaves{0});
    }
}

TEST(PruneAxisTree, TheBestTreeBecomesSmallerAtTheWeakestLinksAndNowhereElse) {
    for (std::uint64_t index = 0; index < 200; ++index) {
        Rng rng(2, Draw::test, index);
        const AxisTree tree = random_tree(rng, 1 + static_cast<int>(rng.below(30)));
        const std::vector<double> worth = random_worth(rng, tree);
        const std::vector<double> links = weakest_links(tree, worth);
        ASSERT_TRUE(std::ranges::is_sorted(links));
        constexpr double room = 1e-9;
        double from = 0;
        for (const double link : links) {
            if (link <= room) continue;
            EXPECT_EQ(chosen(tree, worth, from + room), chosen(tree, worth, link - room));
            EXPECT_GT(chosen(tree, worth, link - room).size(), chosen(tree, worth, link + room).size());
            from = link;
        }
        EXPECT_EQ(chosen(tree, worth, from + room), Leaves{0});
    }
}

TEST(PruneAxisTree, RowsEndBelowTheLeafThatIsLeftOfTheirs) {
    for (std::uint64_t index = 0; index < 50; ++index) {
        Rng rng(3, Draw::test, index);
        const AxisTree tree = random_tree(rng, 1 + static_cast<int>(rng.below(20)));
        const std::vector<char> is_leaf = leaves_at_price(tree, random_worth(rng, tree), 0.2);
        const AxisTree small = pruned(tree, is_leaf);
        EXPECT_EQ(static_cast<std::ptrdiff_t>(leaf_count(small)), std::ranges::count(is_leaf, 1));
        for (int i = 0; i < 50; ++i) {
            const double row[3] = {rng.normal(), rng.normal(), rng.normal()};
            std::size_t at = 0;
            std::size_t at_small = 0;
            while (!is_leaf[at]) {
                const AxisSplit split = tree.nodes[at].split();
                ASSERT_EQ(small.nodes[at_small].split(), split);
                const std::size_t side = goes_left(tree, split, row[split.feature]) ? 0 : 1;
                at = static_cast<std::size_t>(tree.nodes[at].left()) + side;
                at_small = static_cast<std::size_t>(small.nodes[at_small].left()) + side;
            }
            EXPECT_EQ(static_cast<int>(at_small), leaf_of(small, row, 1));
        }
    }
}

}  // namespace
}  // namespace polyrx
