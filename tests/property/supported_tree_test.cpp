// SPDX-License-Identifier: Apache-2.0
// Trees and proofs of policies that keep to support.
#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/extract/cells/certify.hpp"
#include "polyrx/extract/claims/decide_claims.hpp"
#include "polyrx/extract/exact/exact_tree.hpp"
#include "polyrx/extract/extract_tree.hpp"
#include "polyrx/verify/check_claim.hpp"
#include "polyrx/verify/check_tree.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/claim_policies.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/random_support.hpp"

namespace polyrx {
namespace {

struct SupportedCase {
    Domain domain;
    ReluNetwork network;
    BoundRules rules;
};

const std::vector<test::Kinds> supported_kinds = {{.real = 2},
                                                  {.real = 2, .whole = 1, .binary = 1},
                                                  {.real = 1, .binary = 1, .groups = {3}},
                                                  {.whole = 2, .binary = 1}};
const std::vector<std::vector<Eigen::Index>> supported_hidden = {{}, {4}, {6}, {3, 3}};

SupportedCase supported_case(std::uint64_t index) {
    Rng rng(index, Draw::test, 7);
    SupportedCase made;
    made.domain = test::domain_of_kinds(supported_kinds[index % supported_kinds.size()]);
    const Eigen::Index treatments = std::vector<Eigen::Index>{2, 3, 4}[index % 3];
    std::vector<Eigen::Index> widths = supported_hidden[index / supported_kinds.size() % supported_hidden.size()];
    widths.insert(widths.begin(), made.domain.inputs());
    widths.push_back(treatments);
    std::vector<Layer> layers = test::random_network(rng, widths).layers();
    const Matrix rows = test::uniform_rows(rng, made.domain, 200);
    layers.back().bias -= forward(ReluNetwork(layers), rows).colwise().mean().transpose();
    made.network = ReluNetwork(std::move(layers));
    const auto count = static_cast<std::size_t>(treatments);
    std::vector<BoundRule> rules;
    if (index % 2 == 0) rules = test::random_bound_rules(rng, made.domain, count, 1 + index % 2).rules();
    made.rules = BoundRules(std::move(rules), count, test::random_support(rng, made.domain, count));
    return made;
}

std::size_t support_splits(const Tree& tree) {
    std::size_t count = 0;
    for (const Node& node : tree.nodes)
        if (const auto* split = std::get_if<Split>(&node.what))
            count += split->origin.kind == SplitOrigin::Kind::support ? 1 : 0;
    return count;
}

test::Agreement agreement(const Tree& tree, const SupportedCase& made, const Matrix& rows) {
    test::Agreement result{static_cast<std::size_t>(rows.rows()), 0, 0};
    const std::vector<int> prescribed = choose(made.rules, rows, forward(made.network, rows));
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        const Vector row = rows.row(i);
        const Arrival arrival = descend(tree, row);
        if (!arrival.answered) continue;
        ++result.answered;
        const Leaf& leaf = std::get<Leaf>(tree.nodes[static_cast<std::size_t>(arrival.node)].what);
        if (leaf.treatment != prescribed[static_cast<std::size_t>(i)]) ++result.wrong;
        for (const int treatment : leaf.unsupported) EXPECT_FALSE(has(made.rules.supported(row.data()), treatment));
    }
    return result;
}

TEST(SupportedTree, PrescribesWhatNetworkRulesAndSupportDoAndIsProved) {
    test::Agreement random;
    test::Agreement border;
    std::size_t splits = 0;
    for (std::uint64_t index = 0; index < 60; ++index) {
        SCOPED_TRACE(testing::Message() << "case " << index);
        const SupportedCase made = supported_case(index);
        const Tree tree = exact_tree(made.network, made.rules, made.domain);
        const TreeCheck check = check_tree(made.network, made.rules, tree);
        EXPECT_TRUE(check.proved) << check.reason;
        Rng rng(index, Draw::test, 8);
        const auto at_random = agreement(tree, made, test::uniform_rows(rng, made.domain, 3'000));
        const auto at_border = agreement(
            tree, made, test::boundary_rows(rng, made.domain, 300, test::ruled_key(made.network, made.rules)));
        EXPECT_EQ(at_random.wrong, 0U);
        EXPECT_EQ(at_border.wrong, 0U);
        random += at_random;
        border += at_border;
        splits += support_splits(tree);
    }
    EXPECT_LT(static_cast<double>(random.rows - random.answered), 1e-4 * static_cast<double>(random.rows));
    EXPECT_GT(border.rows, 5'000U);
    EXPECT_GT(splits, 50U);
}

TEST(SupportedTree, IsNotProvedWithATreatmentThatIsNotPrescribedOrWithoutItsSupport) {
    std::size_t refuted = 0;
    std::size_t without = 0;
    for (std::uint64_t index = 0; index < 24; ++index) {
        const SupportedCase made = supported_case(index);
        const Tree tree = exact_tree(made.network, made.rules, made.domain);
        Rng rng(index, Draw::test, 9);
        std::vector<char> reached(tree.nodes.size());
        const Matrix rows = test::uniform_rows(rng, made.domain, 1'000);
        for (Eigen::Index i = 0; i < rows.rows(); ++i)
            reached[static_cast<std::size_t>(descend(tree, rows.row(i).transpose()).node)] = 1;
        for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
            if (!reached[node] || !std::holds_alternative<Leaf>(tree.nodes[node].what)) continue;
            for (int other = 0; other < static_cast<int>(made.network.outputs()); ++other) {
                Tree wrong = tree;
                Leaf& leaf = std::get<Leaf>(wrong.nodes[node].what);
                if (leaf.treatment == other) continue;
                leaf.treatment = other;
                const TreeCheck check = check_tree(made.network, made.rules, wrong);
                EXPECT_FALSE(check.proved) << index << ' ' << node << ' ' << other;
                refuted += check.refuted ? 1 : 0;
            }
        }
        const BoundRules rules_only(made.rules.rules(), static_cast<std::size_t>(made.network.outputs()));
        try {
            const bool proved = check_tree(made.network, rules_only, tree).proved;
            const SupportedCase other{made.domain, made.network, rules_only};
            const std::vector<int> prescribed = choose(rules_only, rows, forward(made.network, rows));
            bool same = true;
            for (Eigen::Index i = 0; i < rows.rows(); ++i) {
                const Arrival arrival = descend(tree, rows.row(i).transpose());
                if (arrival.answered)
                    same = same && std::get<Leaf>(tree.nodes[static_cast<std::size_t>(arrival.node)].what).treatment ==
                                       prescribed[static_cast<std::size_t>(i)];
            }
            EXPECT_TRUE(!proved || same);
            without += proved ? 0 : 1;
        } catch (const Error&) {  // its certificates name half-spaces that there are not any more
            ++without;
        }
    }
    EXPECT_GT(refuted, 100U);
    EXPECT_GT(without, 10U);
}

TEST(SupportedTree, NamesOnlyTreatmentsThatAreUnsupportedInAllOfALeaf) {
    for (std::uint64_t index = 0; index < 24; ++index) {
        const SupportedCase made = supported_case(index);
        Tree tree = exact_tree(made.network, made.rules, made.domain);
        for (Node& node : tree.nodes) {
            auto* leaf = std::get_if<Leaf>(&node.what);
            if (!leaf || leaf->inside.size() == 0 || leaf->treatment == no_treatment) continue;
            Tree wrong = tree;
            auto& told = std::get<Leaf>(wrong.nodes[static_cast<std::size_t>(&node - tree.nodes.data())].what);
            told.unsupported = {leaf->treatment};
            EXPECT_FALSE(check_tree(made.network, made.rules, wrong).proved);
        }
    }
}

TEST(SupportedTree, GrownOnDataKeepsToSupportWhereItsLeavesAreProved) {
    for (std::uint64_t index = 0; index < 12; ++index) {
        SCOPED_TRACE(testing::Message() << "case " << index);
        const SupportedCase made = supported_case(index);
        Rng rng(index, Draw::test, 10);
        RuleBook book;
        book.bound = made.rules;
        const Matrix rows = test::uniform_rows(rng, made.domain, 500);
        const Tree tree = extract_tree(made.network, book, made.domain, rows, {.mode = ExtractMode::supported});
        EXPECT_EQ(agreement(tree, made, rows).wrong, 0U);
        const TreeCheck check = check_tree(made.network, made.rules, tree);
        EXPECT_EQ(check.proved, check.certified > 0) << check.reason;
    }
}

// Every row of a small domain.
TEST(SupportedClaims, AgreeWithLookingAtEveryRow) {
    int proved = 0;
    int refuted = 0;
    for (std::uint64_t i = 0; i < 120; ++i) {
        Rng rng(3, Draw::test, i);
        const test::FeatureCounts counts{0, 1 + static_cast<int>(rng.below(3)), static_cast<int>(rng.below(3)),
                                         static_cast<int>(rng.below(2))};
        test::ClaimCase of = test::random_claim_case(rng, counts, {4}, 2 + rng.below(3), 2);
        const auto treatments = static_cast<std::size_t>(of.policy.network.outputs());
        of.policy.rules.bound =
            BoundRules(of.policy.rules.bound.rules(), treatments, test::random_support(rng, of.domain, treatments));
        const std::vector<ClaimAnswer> answers = decide_claims(
            of.policy, of.domain, of.claims, [&](const BoundRule& claim, const ClaimProof& proof, const Progress&) {
                return check_claim(of.policy.network, of.domain, of.policy.rules, claim, proof).proved;
            });
        const Matrix rows = test::all_rows(of.domain);
        for (std::size_t c = 0; c < answers.size(); ++c) {
            bool holds = true;
            for (Eigen::Index row = 0; row < rows.rows() && holds; ++row)
                holds = !test::breaks(of.policy, of.claims.rules()[c], rows.row(row).transpose());
            ASSERT_EQ(answers[c].verdict, holds ? Verdict::proved : Verdict::refuted)
                << "case " << i << ", claim " << c << ": " << answers[c].why;
            (holds ? proved : refuted) += 1;
        }
    }
    EXPECT_GT(proved, 30);
    EXPECT_GT(refuted, 30);
}

}  // namespace
}  // namespace polyrx
