// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/drawn_nodes.hpp"

#include <gtest/gtest.h>

#include "polyrx/extract/unreachable_leaves.hpp"
#include "polyrx/show/draw/tree_dot.hpp"
#include "polyrx/show/draw/tree_svg.hpp"
#include "polyrx/show/tree_summary.hpp"
#include "polyrx/show/tree_text.hpp"
#include "tests/support/shown_trees.hpp"

namespace polyrx {
namespace {

using test::clinic_policy;
using test::cut;
using test::domain_for;
using test::leaf_node;
using test::split_node;

// Node 2 is what both splits of it leave: weight > 70, which ends in the leaves 3 and 4, under age > 50.
Tree tree_of(const Policy& policy, AffineFunction below, std::size_t yes_rows, std::size_t no_rows) {
    Tree tree;
    tree.domain = domain_for(policy.encoder);
    tree.nodes = {split_node(cut(tree.domain, 0, 50), 1, 2, 10 + yes_rows + no_rows), leaf_node(0, 10),
                  split_node(std::move(below), 3, 4, yes_rows + no_rows), leaf_node(1, yes_rows),
                  leaf_node(2, no_rows)};
    tree.rows = 10 + yes_rows + no_rows;
    return tree;
}

std::vector<char> unreachable_in(const Tree& tree) {
    return unreachable_leaves(tree, 1);
}

TEST(UnreachableLeaves, AreFoundByBounds) {
    const Policy policy = clinic_policy();
    Tree tree = tree_of(policy, {}, 0, 0);
    tree.nodes[2] = split_node(cut(tree.domain, 0, 60), 3, 4);  // where age is at most 50
    EXPECT_EQ(unreachable_in(tree), (std::vector<char>{0, 0, 0, 1, 0}));
    tree.nodes[3].rows = 1;  // whoever counted a row there knows better
    EXPECT_EQ(unreachable_in(tree), (std::vector<char>{0, 0, 0, 0, 0}));
}

TEST(UnreachableLeaves, AreFoundByCategoriesAndWholeNumbers) {
    const Policy policy = clinic_policy();
    Tree tree = tree_of(policy, {}, 0, 0);
    AffineFunction both = cut(tree.domain, 7, 1.5);  // poor and normal at once
    both.weights[9] = 1;
    tree.nodes[2] = split_node(both, 3, 4);
    EXPECT_EQ(unreachable_in(tree), (std::vector<char>{0, 0, 0, 1, 0}));
    AffineFunction half = cut(tree.domain, 10, 2.3);  // children above 2.3 and, on "yes", below 2.7
    tree.nodes[2] = split_node(half, 3, 4);
    tree.nodes[3] = split_node(cut(tree.domain, 10, 2.7, -1), 5, 6);
    tree.nodes.push_back(leaf_node(0));
    tree.nodes.push_back(leaf_node(1));
    EXPECT_EQ(unreachable_in(tree), (std::vector<char>{0, 0, 0, 0, 0, 1, 0}));
}

TEST(UnreachableLeaves, AreFoundByWhatStandsForAMissingValue) {
    const Policy policy = clinic_policy();
    Tree tree = tree_of(policy, {}, 0, 0);
    tree.domain.fills = {{1, 0, 40}};
    tree.nodes[0] = split_node(cut(tree.domain, 1, 0.5, -1), 1, 2);  // age is not missing
    tree.nodes[2] = split_node(cut(tree.domain, 0, 45), 3, 4);       // and here it is, so it is 40
    EXPECT_EQ(unreachable_in(tree), (std::vector<char>{0, 0, 0, 1, 0}));
}

TEST(DrawnNodes, AreAllUnlessSomeAreLeftOut) {
    const Policy policy = clinic_policy();
    const Tree tree = tree_of(policy, cut(domain_for(policy.encoder), 2, 70), 5, 5);
    const std::vector<DrawnNode> drawn = drawn_nodes(tree);
    ASSERT_EQ(drawn.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(drawn[i].node, i);
    EXPECT_EQ(left_out_words({}), "");
}

TEST(DrawnNodes, PutTheOtherSideInThePlaceOfASplit) {
    const Policy policy = clinic_policy();
    const Tree tree = tree_of(policy, cut(domain_for(policy.encoder), 2, 70), 0, 5);
    const LeftOut left_out = leaves_to_leave_out(tree, std::vector<char>(5));
    EXPECT_EQ(left_out.without_rows, 1U);
    const std::vector<DrawnNode> drawn = drawn_nodes(tree, left_out);
    ASSERT_EQ(drawn.size(), 3U);
    EXPECT_EQ(drawn[2].node, 4U);
    EXPECT_EQ(drawn[0].no, 2U);

    std::string text;
    TextOptions options;
    options.left_out = left_out;
    write_tree_text(policy, tree, [&](std::string_view piece) { text += piece; }, options);
    EXPECT_EQ(text.find("10 mg"), std::string::npos);
    EXPECT_NE(text.find("\n└─ no → 20 mg (33.3 %)\n"), std::string::npos) << text;
    EXPECT_NE(
        text.find(
            "\n3 leaves, depth 2; leaf shares from 15 rows.\nNot drawn: 1 of these leaves; none of the rows shown "
            "reached it (--all-leaves draws"),
        std::string::npos)
        << text;
    std::string dot;
    write_tree_dot(policy, tree, [&](std::string_view piece) { dot += piece; }, {}, left_out);
    EXPECT_NE(dot.find("    0 -> 4 [label=\"no\"];\n"), std::string::npos) << dot;
    EXPECT_EQ(dot.find("    2 ["), std::string::npos);
    std::string svg;
    write_tree_svg(policy, tree, [&](std::string_view piece) { svg += piece; }, {.left_out = left_out});
    EXPECT_NE(svg.find("Not drawn: 1 of these leaves"), std::string::npos);
}

TEST(DrawnNodes, AreAllIfNoneWouldBeLeft) {
    const Policy policy = clinic_policy();
    const Tree tree = tree_of(policy, cut(domain_for(policy.encoder), 2, 70), 5, 5);
    EXPECT_EQ(leaves_to_leave_out(tree, std::vector<char>(5, 1)).leaves.size(), 0U);
}

TEST(DrawnNodes, SayWhyLeavesAreNotDrawn) {
    EXPECT_EQ(left_out_words({{}, 2, 0}),
              "Not drawn: 2 of these leaves; no row can reach them (--all-leaves draws them).");
    EXPECT_EQ(
        left_out_words({{}, 1, 3}),
        "Not drawn: 4 of these leaves; no row can reach 1 of them, and none of the rows shown reached the other 3 "
        "(--all-leaves draws them).");
}

}  // namespace
}  // namespace polyrx
