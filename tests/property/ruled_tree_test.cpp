// SPDX-License-Identifier: Apache-2.0
// Trees of networks with rules.
#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/extract/cells/certify.hpp"
#include "polyrx/extract/exact/exact_tree.hpp"
#include "polyrx/extract/supported/grow.hpp"
#include "polyrx/verify/check_tree.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/random_bound_rules.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx {
namespace {

struct RuledCase {
    Domain domain;
    ReluNetwork network;
    BoundRules rules;
};

const std::vector<test::Kinds> ruled_kinds = {
    {.real = 2},
    {.real = 2, .whole = 1, .binary = 1},
    {.real = 1, .binary = 1, .groups = {3}},
    {.real = 1, .whole = 2},
    {.whole = 2, .binary = 1, .groups = {3}},
};
const std::vector<std::vector<Eigen::Index>> ruled_hidden = {{5}, {8}, {4, 4}, {8, 8}};

RuledCase ruled_case(std::uint64_t index) {
    Rng rng(index, Draw::test);
    RuledCase made;
    made.domain = test::domain_of_kinds(ruled_kinds[index % ruled_kinds.size()]);
    const Eigen::Index treatments = std::vector<Eigen::Index>{2, 3, 5}[index % 3];
    std::vector<Eigen::Index> widths = ruled_hidden[index / ruled_kinds.size() % ruled_hidden.size()];
    widths.insert(widths.begin(), made.domain.inputs());
    widths.push_back(treatments);
    std::vector<Layer> layers = test::random_network(rng, widths).layers();
    for (Layer& layer : layers) layer.weights *= std::sqrt(2 / static_cast<double>(layer.weights.cols()));
    for (Eigen::Index i = 0; i < made.domain.inputs(); ++i)
        if (made.domain.upper[i] > 1) layers.front().weights.col(i) /= 4.5;
    const Matrix rows = test::uniform_rows(rng, made.domain, 200);
    layers.back().bias -= forward(ReluNetwork(layers), rows).colwise().mean().transpose();
    made.network = ReluNetwork(std::move(layers));
    made.rules = test::random_bound_rules(rng, made.domain, static_cast<std::size_t>(treatments), 1 + index % 3);
    return made;
}

test::Agreement agreement(const Tree& tree, const RuledCase& made, const Matrix& rows) {
    test::Agreement result{static_cast<std::size_t>(rows.rows()), 0, 0};
    const std::vector<int> prescribed = choose(made.rules, rows, forward(made.network, rows));
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        const Vector row = rows.row(i);
        const Arrival arrival = descend(tree, row);
        if (!arrival.answered) continue;
        ++result.answered;
        const Leaf& leaf = std::get<Leaf>(tree.nodes[static_cast<std::size_t>(arrival.node)].what);
        if (leaf.treatment != prescribed[static_cast<std::size_t>(i)]) ++result.wrong;
        for (const int rule : leaf.rules)
            EXPECT_TRUE(made.rules.rules()[static_cast<std::size_t>(rule)].applies.holds(row.data()));
    }
    return result;
}

TEST(RuledTree, PrescribesWhatNetworkAndRulesDoAndIsProved) {
    test::Agreement random;
    test::Agreement border;
    std::size_t none = 0;
    for (std::uint64_t index = 0; index < 60; ++index) {
        SCOPED_TRACE(testing::Message() << "case " << index);
        const RuledCase made = ruled_case(index);
        const Tree tree = exact_tree(made.network, made.rules, made.domain);
        const TreeCheck check = check_tree(made.network, made.rules, tree);
        EXPECT_TRUE(check.proved) << check.reason;
        Rng rng(index, Draw::test, 1);
        const auto at_random = agreement(tree, made, test::uniform_rows(rng, made.domain, 3'000));
        auto at_border = agreement(
            tree, made, test::boundary_rows(rng, made.domain, 300, test::ruled_key(made.network, made.rules)));
        at_border += agreement(tree, made, test::boundary_rows(rng, made.domain, 300, test::allowed_key(made.rules)));
        EXPECT_EQ(at_random.wrong, 0U);
        EXPECT_EQ(at_border.wrong, 0U);
        random += at_random;
        border += at_border;
        for (const Node& node : tree.nodes)
            if (const auto* leaf = std::get_if<Leaf>(&node.what)) none += leaf->treatment == no_treatment ? 1 : 0;
    }
    EXPECT_LT(static_cast<double>(random.rows - random.answered), 1e-4 * static_cast<double>(random.rows));
    EXPECT_GT(border.rows, 10'000U);
    EXPECT_GT(none, 5U);
}

Leaf& leaf_at(Tree& tree, std::size_t node) {
    return std::get<Leaf>(tree.nodes[node].what);
}

TEST(RuledTree, IsNotProvedWithATreatmentThatIsNotPrescribed) {
    std::size_t rejected = 0;
    for (std::uint64_t index = 0; index < 10; ++index) {
        const RuledCase made = ruled_case(index);
        const Tree tree = exact_tree(made.network, made.rules, made.domain);
        Rng rng(index, Draw::test, 2);
        std::vector<char> reached(tree.nodes.size());
        const Matrix rows = test::uniform_rows(rng, made.domain, 1'000);
        for (Eigen::Index i = 0; i < rows.rows(); ++i)
            reached[static_cast<std::size_t>(descend(tree, rows.row(i).transpose()).node)] = 1;
        for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
            if (!reached[node] || !std::holds_alternative<Leaf>(tree.nodes[node].what)) continue;
            for (int other = no_treatment; other < static_cast<int>(made.network.outputs()); ++other) {
                Tree wrong = tree;
                if (leaf_at(wrong, node).treatment == other) continue;
                leaf_at(wrong, node).treatment = other;
                const TreeCheck check = check_tree(made.network, made.rules, wrong);
                EXPECT_FALSE(check.proved) << index << ' ' << node << ' ' << other;
                rejected += check.refuted ? 1 : 0;
            }
        }
    }
    EXPECT_GT(rejected, 100U);
}

TEST(RuledTree, IsNotProvedWithTheSidesOfARuleExchangedOrWithoutTheRules) {
    std::size_t flipped = 0;
    std::size_t without = 0;
    for (std::uint64_t index = 0; index < 60; ++index) {
        const RuledCase made = ruled_case(index);
        const Tree tree = exact_tree(made.network, made.rules, made.domain);
        // What is proved after all must be right.
        const auto expect_not_wrong = [&](const Tree& other, const BoundRules& rules, std::size_t& rejected) {
            Rng rng(index, Draw::test, 3);
            const Matrix rows = test::uniform_rows(rng, made.domain, 1'000);
            const bool proved = check_tree(made.network, rules, other).proved;
            const auto agreed = agreement(other, {made.domain, made.network, rules}, rows);
            EXPECT_TRUE(!proved || agreed.wrong == 0);
            rejected += proved ? 0 : 1;
        };
        for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
            const auto* split = std::get_if<Split>(&tree.nodes[node].what);
            if (!split || split->origin.kind != SplitOrigin::Kind::rule) continue;
            Tree wrong = tree;
            for (Node& each : wrong.nodes)  // it would be said of no rule
                if (auto* leaf = std::get_if<Leaf>(&each.what)) leaf->rules.clear();
            auto& exchanged = std::get<Split>(wrong.nodes[node].what);
            std::swap(exchanged.yes, exchanged.no);
            expect_not_wrong(wrong, made.rules, flipped);
        }
        std::vector<BoundRule> fewer = made.rules.rules();
        fewer.pop_back();
        Tree unnamed = tree;
        for (Node& each : unnamed.nodes)
            if (auto* leaf = std::get_if<Leaf>(&each.what)) {
                leaf->rules.clear();
                if (!leaf->certificate) continue;
                for (ProofStep& step : leaf->certificate->steps)
                    std::erase_if(step.bounds,
                                  [](const BoundProof& bound) { return bound.of == BoundProof::Of::half_space; });
            }
        expect_not_wrong(unnamed, BoundRules(fewer, static_cast<std::size_t>(made.network.outputs())), without);
    }
    EXPECT_GT(flipped, 20U);
    EXPECT_GT(without, 20U);
}

TEST(RuledTree, ThatIsSupportedNeverBreaksARuleAndIsProvedWhereItSaysSo) {
    std::size_t certified = 0;
    for (std::uint64_t index = 0; index < 30; ++index) {
        SCOPED_TRACE(testing::Message() << "case " << index);
        const RuledCase made = ruled_case(index);
        Rng rng(index, Draw::test, 4);
        const Matrix rows = test::uniform_rows(rng, made.domain, 400);
        Tree tree = grow_tree(made.network, made.rules, made.domain, rows, {.max_leaves = 12, .drawn_up_to = 1'000});
        Budget unlimited({.leaves = 0, .linear_programs = 0, .seconds = 0});
        certify(tree, made.network, made.rules, rows, {.most_cases = 8}, unlimited);
        const TreeCheck check = check_tree(made.network, made.rules, tree);
        EXPECT_EQ(check.proved, check.certified > 0) << check.reason;
        certified += check.certified;
        const Matrix others = test::uniform_rows(rng, made.domain, 2'000);
        EXPECT_EQ(agreement(tree, made, others).wrong, 0U);
        for (Eigen::Index i = 0; i < others.rows(); ++i) {
            const Vector row = others.row(i);
            const auto* leaf = std::get_if<Leaf>(&tree.nodes[static_cast<std::size_t>(descend(tree, row).node)].what);
            if (!leaf) continue;  // in a guard band
            const TreatmentSet allowed = made.rules.allowed(row.data());
            if (leaf->treatment == no_treatment)
                EXPECT_EQ(allowed, 0U);
            else
                EXPECT_TRUE(has(allowed, leaf->treatment));
        }
    }
    EXPECT_GT(certified, 50U);
}

TEST(RuledTree, IsThatOfTheNetworkWhereTheNetworkObeysTheRulesByItself) {
    std::size_t same = 0;
    for (std::uint64_t index = 0; index < 20; ++index) {
        SCOPED_TRACE(testing::Message() << "case " << index);
        // One treatment more, which is never the best, and a rule that forbids it somewhere.
        const RuledCase made = ruled_case(index);
        std::vector<Layer> layers = made.network.layers();
        Layer& output = layers.back();
        const Eigen::Index treatments = output.weights.rows();
        output.weights.conservativeResize(treatments + 1, Eigen::NoChange);
        output.bias.conservativeResize(treatments + 1);
        output.weights.row(treatments) = output.weights.row(0);
        output.bias[treatments] = output.bias[0] + 1;
        const ReluNetwork network(std::move(layers));
        Rng rng(index, Draw::test, 5);
        const BoundRules rules({{test::random_comparison(rng, made.domain), (TreatmentSet{1} << treatments) - 1}},
                               static_cast<std::size_t>(treatments) + 1);
        const Tree tree = exact_tree(network, rules, made.domain);
        EXPECT_TRUE(check_tree(network, rules, tree).proved);
        same += leaf_count(tree) == leaf_count(exact_tree(network, made.domain)) ? 1 : 0;
    }
    EXPECT_GE(same, 18U);  // a rule about so few rows that no sample is one of them is split on
}

TEST(RuledTree, IsTheSameForAnyNumberOfThreads) {
    const RuledCase made = ruled_case(7);
    const Tree one = exact_tree(made.network, made.rules, made.domain, {.threads = 1});
    EXPECT_EQ(exact_tree(made.network, made.rules, made.domain, {.threads = 3}).nodes, one.nodes);
}

}  // namespace
}  // namespace polyrx
