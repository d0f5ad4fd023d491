// SPDX-License-Identifier: Apache-2.0
// Trees of policies with rules: by example, as files, and as text.
#include <gtest/gtest.h>

#include "polyrx/core/error.hpp"
#include "polyrx/extract/exact/exact_tree.hpp"
#include "polyrx/extract/extract_tree.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "polyrx/policy/policy_domain.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/show/draw/tree_svg.hpp"
#include "polyrx/show/tree_text.hpp"
#include "polyrx/verify/check_tree.hpp"
#include "tests/support/random_bound_rules.hpp"
#include "tests/support/random_tree.hpp"
#include "tests/support/toy_tree.hpp"

namespace polyrx {
namespace {

using test::all_of;
using test::half_space;

int treatment_at(const Tree& tree, const Vector& row) {
    return std::get<Leaf>(tree.nodes[static_cast<std::size_t>(leaf_of(tree, row))].what).treatment;
}

std::size_t rule_splits(const Tree& tree) {
    std::size_t count = 0;
    for (const Node& node : tree.nodes)
        if (const auto* split = std::get_if<Split>(&node.what))
            count += split->origin.kind == SplitOrigin::Kind::rule ? 1 : 0;
    return count;
}

// Example 2: "if x1 + x2 > 1 and x2 > 0.5 then 0".
BoundRules rule_of_the_paper() {
    return {{{all_of({half_space({{0, 1}, {1, 1}}, -1), half_space({{1, 1}}, -0.5)}), 1}}, 2};
}

TEST(RuledTree, HasTheRegionsOfThePapersSecondExample) {
    const Domain domain = test::box_domain(2, 0, 1);
    const Tree tree = exact_tree(test::toy_network(), rule_of_the_paper(), domain);
    EXPECT_TRUE(check_tree(test::toy_network(), rule_of_the_paper(), tree).proved);
    EXPECT_EQ(std::get<Split>(tree.nodes[0].what).origin, (SplitOrigin{SplitOrigin::Kind::rule, 0, 0}));
    Rng rng(1, Draw::test);
    std::size_t forced = 0;
    for (int i = 0; i < 20'000; ++i) {
        const Vector x = test::uniform_row(rng, domain);
        if (!(x[0] > x[1] && x[0] + x[1] > 0.5)) continue;  // P1: both neurons are on
        const bool f0 = 2 * x[0] + 4 * x[1] < 1.5;
        const bool f0_by_rule = x[0] > 0.5 && x[1] > 0.5;
        forced += f0_by_rule ? 1 : 0;
        EXPECT_EQ(treatment_at(tree, x), f0 || f0_by_rule ? 0 : 1);
    }
    EXPECT_GT(forced, 1'000U);
}

TEST(RuledTree, NeedsTheProofThatItsRulesApply) {
    // One comparison of two inputs decides everything.
    const BoundRules rules({{half_space({{0, 1}, {1, 1}}, -1), 2}, {half_space({{0, -1}, {1, -1}}, 1, false), 1}}, 2);
    Tree tree = exact_tree(test::toy_network(), rules, test::box_domain(2, 0, 1));
    EXPECT_EQ(leaf_count(tree), 2U);
    EXPECT_TRUE(check_tree(test::toy_network(), rules, tree).proved);
    std::size_t removed = 0;
    for (Node& node : tree.nodes) {
        auto* leaf = std::get_if<Leaf>(&node.what);
        if (!leaf) continue;
        EXPECT_EQ(leaf->rules.size(), 1U);
        std::vector<BoundProof>& bounds = leaf->certificate->steps.front().bounds;
        for (std::size_t i = 0; i < bounds.size(); ++i) {
            if (bounds[i].of != BoundProof::Of::half_space) continue;
            const std::vector<BoundProof> before = bounds;
            bounds.erase(bounds.begin() + static_cast<std::ptrdiff_t>(i));
            const TreeCheck check = check_tree(test::toy_network(), rules, tree);
            EXPECT_FALSE(check.proved);
            EXPECT_FALSE(check.refuted);
            EXPECT_NE(check.reason, "");
            bounds = before;
            ++removed;
        }
    }
    EXPECT_GE(removed, 2U);
    std::get<Leaf>(tree.nodes[1].what).rules = {7};
    EXPECT_THROW((void)check_tree(test::toy_network(), rules, tree), Error);
}

TEST(RuledTree, SaysNoneWhereRulesContradictEachOther) {
    const BoundRules rules({{half_space({{0, 1}}, -0.25), 1}, {half_space({{0, 1}}, -0.75), 2}}, 2);
    const Tree tree = exact_tree(test::toy_network(), rules, test::box_domain(2, 0, 1));
    EXPECT_TRUE(check_tree(test::toy_network(), rules, tree).proved);
    EXPECT_EQ(treatment_at(tree, Eigen::Vector2d(0.8, 0.1)), no_treatment);
    EXPECT_EQ(treatment_at(tree, Eigen::Vector2d(0.5, 0.4)), 0);
}

TEST(RuledTree, SplitsBetweenWholeNumbers) {
    const Domain domain = test::domain_of_kinds({.real = 1, .whole = 1});
    const ReluNetwork network({test::layer_of({{1, 0}, {0, 0.1}}, {0, 0})});
    for (const bool strict : {true, false}) {
        const BoundRules rules({{half_space({{1, 0.1}}, -0.3, strict), 1}}, 2);  // 0.1 * 3 > 0.3 in floating point
        const Tree tree = exact_tree(network, rules, domain);
        const auto& split = std::get<Split>(tree.nodes[0].what);
        EXPECT_EQ(split.function, (AffineFunction{Eigen::Vector2d(0, 1), -2.5}));
        EXPECT_TRUE(check_tree(network, rules, tree).proved);
    }
    // At the border of the domain, and beyond it.
    for (const double border : {0.0, 9.0, 11.0})
        for (const bool strict : {true, false}) {
            const BoundRules rules({{half_space({{1, 1}}, -border, strict), 1}}, 2);
            const Tree tree = exact_tree(network, rules, domain);
            EXPECT_TRUE(check_tree(network, rules, tree).proved);
            EXPECT_EQ(rule_splits(tree), (border == 0 && strict) || (border == 9 && !strict) ? 1U : 0U);
        }
}

TEST(RuledTree, LeavesOutARuleThatChangesNothingAndKeepsRowsOnAFaceApart) {
    const Domain domain = test::box_domain(1, 0, 1);
    const ReluNetwork network({test::layer_of({{1}, {0}}, {-2, 0})});  // 0 is better by 1 or more
    const BoundRules same({{half_space({{0, 1}}, -0.5), 1}}, 2);
    Tree tree = exact_tree(network, same, domain);
    EXPECT_EQ(leaf_count(tree), 1U);
    EXPECT_TRUE(check_tree(network, same, tree).proved);
    // Only where x = 1, or x = 0.5, is 0 forbidden.
    for (const auto& [condition, at] :
         {std::pair(half_space({{0, 1}}, -1, false), 1.0),
          std::pair(all_of({half_space({{0, 1}}, -0.5, false), half_space({{0, -1}}, 0.5, false)}), 0.5)}) {
        const BoundRules rules({{condition, 2}}, 2);
        tree = exact_tree(network, rules, domain);
        EXPECT_TRUE(check_tree(network, rules, tree).proved);
        EXPECT_FALSE(descend(tree, Vector::Constant(1, at)).answered);
        EXPECT_TRUE(descend(tree, Vector::Constant(1, 0.3)).answered);
        EXPECT_EQ(treatment_at(tree, Vector::Constant(1, 0.3)), 0);
    }
}

Policy ruled_policy(Rng& rng) {
    Policy policy = test::random_policy(rng, 3);
    std::vector<Feature> features = policy.encoder.features();
    for (Feature& feature : features) feature.indicator = true;  // rules ask whether a value is missing
    policy.encoder = Encoder(std::move(features));
    policy.network = test::random_network(rng, {static_cast<Eigen::Index>(policy.encoder.columns().size()), 5, 3});
    policy.rules = make_rule_book(parse_rules("if x0 > 0.5 and sex = F then 10 mg\n"
                                              "if x1 + x2 >= 0 then not 5 mg\n"
                                              "if x0 > 1.2 and not sex = M then 5 mg\n",
                                              "rules.txt"),
                                  WhenMissing::apply, policy.encoder, policy.treatments, "rules.txt");
    return policy;
}

TreePolicy tree_of(const Policy& policy) {
    return {policy,
            extract_tree(policy.network, policy.rules, policy_domain(policy), {}, {.mode = ExtractMode::exact})};
}

std::string json_of(const TreePolicy& tree) {
    std::string json;
    write_tree_json(tree, [&](std::string_view piece) { json += piece; });
    return json;
}

TEST(RuledTree, OfAPolicyPrescribesTheSameFromItsFile) {
    std::size_t none = 0;
    for (std::uint64_t index = 0; index < 5; ++index) {
        Rng rng(index, Draw::test);
        const Policy policy = ruled_policy(rng);
        const TreePolicy tree = tree_of(policy);
        const TreeCheck check = check_tree(policy.network, policy.rules.bound, tree.tree);
        EXPECT_TRUE(check.proved) << check.reason;
        const TreePolicy read = parse_tree_json(json_of(tree), "tree.json");
        EXPECT_EQ(read.tree.nodes, tree.tree.nodes);
        const Table table = test::random_table(rng, policy, 3'000);
        const std::vector<int> prescribed = prescribe(policy, table).treatment;
        const TreePrescriptions by_tree = prescribe(read, table);
        EXPECT_EQ(by_tree.prescriptions.treatment, prescribed);
        EXPECT_GT(by_tree.count(AnsweredBy::tree), 1'000U);
        none += static_cast<std::size_t>(std::count(prescribed.begin(), prescribed.end(), no_treatment));
    }
    EXPECT_GT(none, 100U);
}

TEST(RuledTree, SaysWhichRulesDecide) {
    Rng rng(1, Draw::test);
    const TreePolicy tree = tree_of(ruled_policy(rng));
    std::string text;
    write_tree_text(tree.policy, tree.tree, [&](std::string_view piece) { text += piece; });
    for (const char* said : {"→ none (rules 1, ", "→ 10 mg (rule 1)\n", "Rule 2: if x1 + x2 >= 0 then not 5 mg\n",
                             "the tree prescribes as the network and its rules"})
        EXPECT_NE(text.find(said), std::string::npos) << said;
    std::string picture;
    write_tree_svg(tree.policy, tree.tree, [&](std::string_view piece) { picture += piece; });
    EXPECT_NE(picture.find(">none<"), std::string::npos);
    const std::string json = json_of(tree);
    EXPECT_NE(json.find("\"from\":{\"rule\":0}"), std::string::npos);
    EXPECT_NE(json.find("{\"treatment\":null,\"label\":null,\"certified\":true,\"rules\":[0,"), std::string::npos);
}

TEST(RuledTree, OfAModelInThePapersFormIsTheSame) {
    Rng rng(1, Draw::test);
    const Policy policy = ruled_policy(rng);
    for (const double big_m : {1e6, 1e-3}) {  // enough, and far too small
        Policy penalized = policy;
        penalized.rules.big_m = big_m;
        const TreePolicy tree = tree_of(penalized);
        EXPECT_EQ(tree.tree.nodes, tree_of(policy).tree.nodes);
        EXPECT_TRUE(check_tree(penalized.network, penalized.rules.bound, tree.tree).proved);
    }
}

TEST(RuledTree, BelongsToAModelWithItsRules) {
    Rng rng(1, Draw::test);
    Policy policy = ruled_policy(rng);
    const Tree tree = tree_of(policy).tree;
    const std::string sha256 = model_sha256(policy);
    Rules fewer = policy.rules.rules;
    fewer.rules.pop_back();
    policy.rules = make_rule_book(fewer, WhenMissing::apply, policy.encoder, policy.treatments, "rules.txt");
    EXPECT_NE(model_sha256(policy), sha256);
    EXPECT_THROW((void)check_tree(policy.network, policy.rules.bound, tree),
                 Error);  // its leaves name a rule that is gone
}

}  // namespace
}  // namespace polyrx
