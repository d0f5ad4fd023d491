// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/tree_text.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "polyrx/core/error.hpp"
#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/show/draw/tree_dot.hpp"
#include "polyrx/show/tree_summary.hpp"
#include "tests/support/shown_trees.hpp"

namespace polyrx {
namespace {

using test::clinic_policy;
using test::cut;
using test::domain_for;
using test::leaf_node;
using test::split_node;

std::string text_of(const Policy& policy, const Tree& tree, const TextOptions& options = {}) {
    std::string text;
    write_tree_text(policy, tree, [&](std::string_view piece) { text += piece; }, options);
    return text;
}

std::string dot_of(const Policy& policy, const Tree& tree) {
    std::string text;
    write_tree_dot(policy, tree, [&](std::string_view piece) { text += piece; });
    return text;
}

// Three leaves; the last split has many terms.
Tree small_tree(const Policy& policy) {
    Tree tree;
    tree.domain = domain_for(policy.encoder);
    AffineFunction sum = cut(tree.domain, 2, 70);
    sum.weights[3] = -0.8;
    sum.weights[4] = 7.25;
    sum.weights[6] = 16.7;
    sum.weights[7] = -21.4;
    sum.weights[8] = -9.9;
    tree.nodes = {split_node(cut(tree.domain, 0, 63.5), 1, 2, 400), leaf_node(0, 100), split_node(sum, 3, 4, 300),
                  leaf_node(2, 300), leaf_node(1, 0)};
    tree.rows = 401;
    tree.outside = 1;
    tree.certified_share = 1;
    return tree;
}

TEST(TreeText, ShowsAnExactTree) {
    const Policy policy = clinic_policy();
    EXPECT_EQ(text_of(policy, small_tree(policy)),
              "Which dose for the lowest pain\n"
              "\n"
              "age >= 64 years\n"
              "├─ yes → 5 mg (25.0 %)\n"
              "└─ no: weight - 0.8 egfr - 21.4 [metabolizer is poor] + 16.7 smoker\n"
              "   │     - 9.9 [metabolizer is intermediate] + 7.25 [sex is F] > 70\n"
              "   ├─ yes → 20 mg (75.0 %)\n"
              "   └─ no → 10 mg (no rows)\n"
              "\n"
              "3 leaves, depth 2; leaf shares from 401 rows, of which 1 lies outside its domain and is not\n"
              "  counted.\n"
              "Exact: every leaf is certified, so on its domain the tree prescribes as the network does.\n"
              "Guards: where the value of a split is within 1e-09 of 0, rounding could decide; the network is\n"
              "  asked.\n");
}

TEST(TreeText, SaysOfEachLeafWhetherItIsCertifiedIfNotAllAre) {
    const Policy policy = clinic_policy();
    Tree tree = small_tree(policy);
    tree.mode = TreeMode::supported;
    tree.nodes[3] = leaf_node(2, 300, false);
    tree.certified_share = 0.25;
    tree.outside = 0;
    tree.rows = 400;
    tree.fidelity = 0.9731;
    tree.held_out = 1200;
    EXPECT_EQ(text_of(policy, tree, {.words = {.max_terms = 2, .scaled = {}}}),
              "Which dose for the lowest pain\n"
              "\n"
              "age >= 64 years\n"
              "├─ yes → 5 mg (25.0 %, certified)\n"
              "└─ no: weight - 0.8 egfr ... (+4 terms) > 70\n"
              "   ├─ yes → 20 mg (75.0 %, empirical)\n"
              "   └─ no → 10 mg (no rows, certified)\n"
              "\n"
              "3 leaves, depth 2; leaf shares from 400 rows.\n"
              "Supported: 2 of 3 leaves are certified; they answer 25.0 % of the rows. Elsewhere the network is\n"
              "  asked.\n"
              "Held out: without the network, the leaves agree with it on 97.3 % of 1,200 rows.\n"
              "Guards: where the value of a split is within 1e-09 of 0, rounding could decide; the network is\n"
              "  asked.\n");
}

TEST(TreeText, ShowsATreeOfOneLeafWithoutData) {
    const Policy policy = clinic_policy();
    Tree tree;
    tree.domain = domain_for(policy.encoder);
    tree.nodes = {leaf_node(1)};
    EXPECT_EQ(text_of(policy, tree),
              "Which dose for the lowest pain\n"
              "\n"
              "10 mg\n"
              "\n"
              "1 leaf, depth 0.\n"
              "Exact: every leaf is certified, so on its domain the tree prescribes as the network does.\n");
}

TEST(TreeText, TellsWhatIsTooDeepAfterTheRest) {
    const Policy policy = clinic_policy();
    EXPECT_EQ(text_of(policy, test::chain(policy, 3), {.words = {}, .width = 46}).substr(32),
              "weight > 40 kg\n"
              "├─ yes → 5 mg\n"
              "└─ no: weight > 40.01 kg\n"
              "   ├─ yes → 10 mg\n"
              "   └─ no: see [1]\n"
              "\n"
              "[1] weight > 40.02 kg\n"
              "├─ yes → 20 mg\n"
              "└─ no → 5 mg\n"
              "\n"
              "4 leaves, depth 3.\n"
              "Exact: every leaf is certified, so on its\n"
              "  domain the tree prescribes as the network\n"
              "  does.\n"
              "Guards: where the value of a split is within\n"
              "  1e-09 of 0, rounding could decide; the\n"
              "  network is asked.\n");
}

TEST(TreeText, KeepsToItsWidthWhateverTheNamesAre) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Rng rng(seed, Draw::test, 11);
        Policy policy = clinic_policy();
        std::vector<Feature> features = policy.encoder.features();
        for (Feature& feature : features) feature.name = test::hostile_label(rng);
        policy.encoder = Encoder(features);
        for (std::string& label : policy.treatments) label = test::hostile_label(rng);
        const Tree tree = test::random_tree(rng, policy, 1 + rng.below(64), 0.5, 1000);
        const std::size_t width = 40 + rng.below(80);
        std::istringstream lines(text_of(policy, tree, {.words = {}, .width = width}));
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(in_columns()(line), static_cast<double>(width)) << line;
    }
}

TEST(TreeText, WritesTreesDeeperThanTheStackAllows) {
    const Policy policy = clinic_policy();
    const std::string text = text_of(policy, test::chain(policy, 10000));
    EXPECT_NE(text.find("10,001 leaves, depth 10000"), std::string::npos);
    EXPECT_LT(text.size(), 2'000'000U);
}

TEST(TreeText, RefusesATreeOfAnotherPolicy) {
    const Policy policy = clinic_policy();
    Tree tree;
    tree.domain = {Vector::Zero(2), Vector::Ones(2), {0, 0}, {}};
    tree.nodes = {leaf_node(0)};
    EXPECT_THROW((void)text_of(policy, tree), Error);
}

TEST(TreeDot, ShowsATree) {
    const Policy policy = clinic_policy();
    Tree tree = small_tree(policy);
    tree.nodes[3] = leaf_node(2, 300, false);
    tree.rows = 400;
    tree.outside = 0;
    tree.certified_share = 0.25;
    EXPECT_EQ(dot_of(policy, tree),
              R"(digraph tree {
    graph [rankdir=LR, labelloc=b, fontname="sans-serif", label="Which dose for the lowest pain\n3 leaves, depth 2; leaf shares from 400 rows.\nExact: 2 of 3 leaves are certified; they answer 25.0 % of the rows. Elsewhere the network is asked.\nGuards: where the value of a split is within 1e-09 of 0, rounding could decide; the network is asked."];
    node [shape=box, style=rounded, fontname="sans-serif"];
    edge [fontname="sans-serif"];
    0 [label="age >= 64 years", tooltip="age >= 64 years"];
    0 -> 1 [label="yes"];
    0 -> 2 [label="no"];
    1 [label="5 mg\n25.0 %", tooltip="5 mg", style="filled,rounded", fillcolor="#fbe3a4", fontcolor="#111820"];
    2 [label="weight - 0.8 egfr\n- 21.4 [metabolizer is poor]\n+ 16.7 smoker ... (+2 terms) > 70", tooltip="weight - 0.8 egfr - 21.4 [metabolizer is poor] + 16.7 smoker - 9.9 [metabolizer is intermediate] + 7.25 [sex is F] > 70"];
    2 -> 3 [label="yes"];
    2 -> 4 [label="no"];
    3 [label="20 mg\n75.0 %\nempirical", tooltip="20 mg", style="filled,rounded,dashed", fillcolor="#1d4e7e", fontcolor="#ffffff"];
    4 [label="10 mg\nno rows", tooltip="10 mg", style="filled,rounded", fillcolor="#7fb9d4", fontcolor="#111820"];
}
)");
}

TEST(TreeText, SpeaksOfOneLeafInTheSingular) {
    const Policy policy = clinic_policy();
    Tree tree;
    tree.domain = domain_for(policy.encoder);
    tree.mode = TreeMode::supported;
    tree.nodes = {leaf_node(0, 3, false)};
    tree.rows = 3;
    EXPECT_EQ(summary_of(policy, tree)[1],
              "Supported: its only leaf is not certified. The network is asked for every row.");
    tree = small_tree(policy);
    tree.nodes[1] = leaf_node(0, 100, false);
    tree.nodes[3] = leaf_node(2, 300, false);
    tree.certified_share = 0.25;
    EXPECT_EQ(summary_of(policy, tree)[1],
              "Exact: 1 of 3 leaves is certified; it answers 25.0 % of the rows. Elsewhere the network is asked.");
}

TEST(TreeDot, EscapesWhatGraphvizWouldRead) {
    Policy policy = clinic_policy();
    policy.treatments[0] = "\"5\" \\N &lt;\n";
    Tree tree;
    tree.domain = domain_for(policy.encoder);
    tree.nodes = {leaf_node(0)};
    EXPECT_NE(dot_of(policy, tree).find(R"(label="\"5\" \\N &amp;lt;", tooltip)"), std::string::npos)
        << dot_of(policy, tree);
}

}  // namespace
}  // namespace polyrx
