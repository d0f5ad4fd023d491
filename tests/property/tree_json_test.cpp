// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "polyrx/policy/file/model_file.hpp"
#include "tests/support/random_tree.hpp"
#include "tests/support/tree_text.hpp"

namespace polyrx {
namespace {

TEST(TreeJson, BringsBackAnyTreeBitForBit) {
    for (std::uint64_t i = 0; i < 100; ++i) {
        Rng rng(1, Draw::test, i);
        const TreePolicy tree = test::random_tree(rng, test::random_policy(rng, rng.below(8)), 1 + rng.below(20));
        const std::string text = test::text_of(tree);
        const TreePolicy back = parse_tree_json(text, "tree.json");
        ASSERT_EQ(back.tree.nodes, tree.tree.nodes) << i;
        EXPECT_EQ(back.tree.domain, tree.tree.domain);
        EXPECT_EQ(back.tree.mode, tree.tree.mode);
        EXPECT_EQ(back.tree.fidelity, tree.tree.fidelity);
        EXPECT_EQ(back.tree.certified_share, tree.tree.certified_share);
        EXPECT_EQ(back.policy.network, tree.policy.network);
        EXPECT_EQ(model_sha256(back.policy), model_sha256(tree.policy));
        EXPECT_EQ(test::text_of(back), text);
        EXPECT_TRUE(is_tree_file(text));
    }
}

}  // namespace
}  // namespace polyrx
