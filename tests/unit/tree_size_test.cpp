// SPDX-License-Identifier: Apache-2.0
#include "polyrx/tree/tree_size.hpp"

#include <gtest/gtest.h>

namespace polyrx {
namespace {

Node split_on(Vector weights, int yes, int no) {
    Split split;
    split.function = {std::move(weights), 1.0};
    split.yes = yes;
    split.no = no;
    return {split};
}

TEST(TreeSize, CountsLeavesAndTheCoefficientsOfAllSplitsThatAreNotZero) {
    Tree tree;
    tree.nodes = {split_on(Vector{{0, 2, -3}}, 1, 2), split_on(Vector{{1, 0, 0}}, 3, 4), {Leaf{}}, {Leaf{}}, {Leaf{}}};
    EXPECT_EQ(size_of(tree), (TreeSize{.leaves = 3, .terms = 3}));
    tree.nodes = {{Leaf{}}};
    EXPECT_EQ(size_of(tree), (TreeSize{.leaves = 1, .terms = 0}));
}

}  // namespace
}  // namespace polyrx
