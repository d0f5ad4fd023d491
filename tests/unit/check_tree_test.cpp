// SPDX-License-Identifier: Apache-2.0
#include "polyrx/verify/check_tree.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "polyrx/core/error.hpp"
#include "tests/support/toy_tree.hpp"

namespace polyrx {
namespace {

using test::box_domain;
using test::input_bound;
using test::layer_of;
using test::leaf_node;
using test::lone_leaf;
using test::neuron_bound;
using test::split_node;
using test::toy_network;
using test::toy_tree;
using test::vector_of;

Leaf& leaf_at(Tree& tree, std::size_t node) {
    return std::get<Leaf>(tree.nodes[node].what);
}
Split& split_at(Tree& tree, std::size_t node) {
    return std::get<Split>(tree.nodes[node].what);
}
ProofStep& first_step(Tree& tree, std::size_t node) {
    return leaf_at(tree, node).certificate->steps.front();
}

// The tree sends the point to the leaf, and the network prescribes something else there.
void expect_counterexample(const ReluNetwork& network, const Tree& tree, const TreeCheck& check) {
    EXPECT_FALSE(check.proved);
    EXPECT_TRUE(check.refuted) << check.reason;
    ASSERT_EQ(check.point.size(), tree.domain.inputs());
    EXPECT_TRUE(contains(tree.domain, check.point));
    EXPECT_EQ(descend(tree, check.point).node, check.leaf);
    const int treatment = std::get<Leaf>(tree.nodes[static_cast<std::size_t>(check.leaf)].what).treatment;
    const Matrix outcomes = forward(network, check.point.transpose());
    EXPECT_EQ(argmin_rows(outcomes).front(), check.rival);
    EXPECT_NE(check.rival, treatment);
    EXPECT_EQ(check.worst_gap, outcomes(0, treatment) - outcomes(0, check.rival));
    EXPECT_FALSE(check.reason.empty());
}

void expect_not_proved(const TreeCheck& check, int leaf) {
    EXPECT_FALSE(check.proved);
    EXPECT_FALSE(check.refuted);
    EXPECT_EQ(check.leaf, leaf);
    EXPECT_GT(check.worst_gap, 0);
    EXPECT_FALSE(check.reason.empty());
}

TEST(CheckTree, ProvesTheTreeOfExample1) {
    const TreeCheck check = check_tree(toy_network(), toy_tree());
    EXPECT_TRUE(check.proved) << check.reason;
    EXPECT_FALSE(check.refuted);
    EXPECT_EQ(check.leaves, 5U);
    EXPECT_EQ(check.certified, 5U);
    EXPECT_EQ(check.steps, 5U);
    EXPECT_EQ(check.worst_gap, 0);  // the tie
    EXPECT_EQ(check.leaf, 6);
    EXPECT_TRUE(check.reason.empty());
}

TEST(CheckTree, ClaimsNothingOfLeavesWithoutACertificate) {
    Tree tree = toy_tree();
    tree.mode = TreeMode::supported;
    leaf_at(tree, 7).certificate.reset();
    leaf_at(tree, 7).treatment = 0;  // wrong, but empirical
    const TreeCheck check = check_tree(toy_network(), tree);
    EXPECT_TRUE(check.proved);
    EXPECT_EQ(check.leaves, 5U);
    EXPECT_EQ(check.certified, 4U);
}

TEST(CheckTree, ProvesNothingOfATreeWithoutCertificates) {
    Tree tree = toy_tree();
    tree.mode = TreeMode::supported;
    for (std::size_t node = 4; node < 9; ++node) leaf_at(tree, node).certificate.reset();
    const TreeCheck check = check_tree(toy_network(), tree);
    EXPECT_FALSE(check.proved);
    EXPECT_FALSE(check.refuted);
    EXPECT_EQ(check.leaf, -1);
    EXPECT_EQ(check.reason, "no leaf has a certificate, so nothing is claimed");
}

TEST(CheckTree, WantsACertificateOfEveryLeafOfAnExactTree) {
    Tree tree = toy_tree();
    leaf_at(tree, 7).certificate.reset();
    const TreeCheck check = check_tree(toy_network(), tree);
    EXPECT_FALSE(check.proved);
    EXPECT_EQ(check.reason, "leaf 7 of an exact tree has no certificate");
}

TEST(CheckTree, RefusesADomainWithoutRows) {
    Tree tree = toy_tree();
    tree.domain.lower[0] = 0.2;
    tree.domain.upper[0] = 0.8;
    tree.domain.integer[0] = 1;
    EXPECT_THROW((void)check_tree(toy_network(), tree), Error);
}

TEST(CheckTree, RefutesALeafWithAnotherTreatmentAndShowsARow) {
    for (std::size_t node = 4; node < 9; ++node) {
        Tree tree = toy_tree();
        Leaf& leaf = leaf_at(tree, node);
        leaf.treatment = 1 - leaf.treatment;
        for (ComparisonProof& comparison : first_step(tree, node).comparisons) comparison.rival = 1 - comparison.rival;
        const TreeCheck check = check_tree(toy_network(), tree);
        expect_counterexample(toy_network(), tree, check);
        EXPECT_EQ(check.leaf, static_cast<int>(node));
        // Without a point to begin with, it finds one.
        leaf.inside.resize(0);
        expect_counterexample(toy_network(), tree, check_tree(toy_network(), tree));
    }
}

TEST(CheckTree, RefutesALeafWithAnotherTreatmentWhoseCertificateStillComparesWithThat) {
    for (std::size_t node = 4; node < 9; ++node) {
        Tree tree = toy_tree();
        leaf_at(tree, node).treatment = 1 - leaf_at(tree, node).treatment;
        expect_counterexample(toy_network(), tree, check_tree(toy_network(), tree));
    }
}

TEST(CheckTree, FindsARowNearAPointBetweenWholeNumbers) {
    // One of 40 categories is prescribed treatment 1, and only there x is above 39: no random row is likely to hit it.
    Domain domain = box_domain(41, 0, 1);
    domain.upper[40] = 40;
    domain.integer.assign(41, 1);
    domain.groups.emplace_back();
    for (Eigen::Index i = 0; i < 40; ++i) domain.groups.back().push_back(i);
    std::vector<double> worse(41, 0);
    worse[7] = 1;
    const ReluNetwork network({layer_of({worse, std::vector<double>(41, 0)}, {0, 0.5})});
    Tree tree;
    tree.domain = domain;
    std::vector<double> last(41, 0);
    last[40] = 1;
    last[7] = 40;
    tree.nodes = {split_node(last, -79.5, 1, 2), leaf_node(0, {{{}, {{1, {}}}, {}}}),
                  leaf_node(0, {{{}, {{1, {}}}, {}}})};
    Vector between = Vector::Zero(41);
    between[7] = 0.995;
    between[8] = 0.005;
    between[40] = 39.9;
    leaf_at(tree, 1).inside = between;
    leaf_at(tree, 2).certificate.reset();
    expect_counterexample(network, tree, check_tree(network, tree));
}

TEST(CheckTree, FindsARowEvenIfTheWrongOnesAreFew) {
    // Treatment 0 is right unless 2 x1 + 4 x2 > 1.5, which the leaf no longer excludes. Its inner point is right.
    Tree tree = toy_tree();
    split_at(tree, 3).function.constant = -1.55;
    expect_counterexample(toy_network(), tree, check_tree(toy_network(), tree));
}

TEST(CheckTree, RefutesSwappedSides) {
    for (std::size_t node = 0; node < 4; ++node) {
        Tree tree = toy_tree();
        std::swap(split_at(tree, node).yes, split_at(tree, node).no);
        EXPECT_FALSE(check_tree(toy_network(), tree).proved) << node;
    }
}

TEST(CheckTree, DoesNotBelieveAFlippedWeightOrAShiftedThreshold) {
    for (std::size_t node = 0; node < 4; ++node) {
        for (const Eigen::Index input : {0, 1}) {
            Tree tree = toy_tree();
            split_at(tree, node).function.weights[input] *= -1;
            EXPECT_FALSE(check_tree(toy_network(), tree).proved) << node;
        }
        // By more than the guard, towards either side.
        for (const double shift : {-1e-9, 1e-9}) {
            Tree tree = toy_tree();
            split_at(tree, node).function.constant += shift;
            EXPECT_FALSE(check_tree(toy_network(), tree).proved) << node << ' ' << shift;
        }
    }
}

TEST(CheckTree, NeedsTheBoundsOfTheCertificate) {
    // The others follow otherwise: relu(z) >= z where a neuron lowers the gap, and weights alone order the outcomes of
    // leaves 4 and 6 once neuron 1 is off.
    for (const auto& [node, bound] : {std::pair{4, 1}, {5, 0}, {6, 1}, {7, 0}, {8, 0}, {8, 1}}) {
        Tree tree = toy_tree();
        ProofStep& step = first_step(tree, static_cast<std::size_t>(node));
        step.bounds.erase(step.bounds.begin() + bound);
        expect_not_proved(check_tree(toy_network(), tree), node);
    }
}

TEST(CheckTree, NeedsMultipliersThatProve) {
    for (const std::size_t node : {5U, 7U, 8U}) {
        for (const double factor : {0.0, 0.9, 1.1}) {
            Tree tree = toy_tree();
            first_step(tree, node).comparisons.front().multipliers.front().value *= factor;
            expect_not_proved(check_tree(toy_network(), tree), static_cast<int>(node));
        }
        Tree tree = toy_tree();
        first_step(tree, node).comparisons.clear();
        expect_not_proved(check_tree(toy_network(), tree), static_cast<int>(node));
    }
    Tree tree = toy_tree();
    first_step(tree, 7).bounds.front().multipliers.front().value = 0.5;
    expect_not_proved(check_tree(toy_network(), tree), 7);
}

TEST(CheckTree, RejectsAGuardThatDoesNotOutweighRounding) {
    for (std::size_t node = 0; node < 4; ++node) {
        Tree tree = toy_tree();
        split_at(tree, node).guard = 1e-30;
        const TreeCheck check = check_tree(toy_network(), tree);
        EXPECT_FALSE(check.proved);
        EXPECT_NE(check.reason.find("guard"), std::string::npos) << check.reason;
    }
    // An infinite domain has infinite rounding errors.
    Tree tree = toy_tree();
    tree.domain.upper[0] = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(check_tree(toy_network(), tree).proved);
}

TEST(CheckTree, RejectsAGuardThatIsLessThanTheRoundingOfTheForwardPass) {
    // Large numbers in between: the outcomes are off by more than the guard, though the split itself is not.
    ReluNetwork network({layer_of({{1, -1}, {1, 1}}, {1e9, 1e9}), layer_of({{-1, 0}, {0, -1}}, {1e9, 1e9})});
    Tree tree;
    tree.domain = box_domain(2, 0, 1);
    tree.nodes = {split_node({0, 2}, 0, 1, 2), leaf_node(1, {{{}, {{0, {{0, 1}}}}, {}}}),
                  leaf_node(0, {{{}, {{1, {{0, 1}}}}, {}}})};
    EXPECT_FALSE(check_tree(network, tree).proved);
    split_at(tree, 0).guard = 1e-5;
    EXPECT_TRUE(check_tree(network, tree).proved);
}

TEST(CheckTree, ProvesByTheDomainAloneAndNotOnAWiderOne) {
    // Neuron 1 is off for x1 + x2 <= 0.4.
    EXPECT_TRUE(check_tree(toy_network(), lone_leaf(box_domain(2, 0, 0.2), 0)).proved);
    const Tree wider = lone_leaf(box_domain(2, 0, 0.3), 0);
    expect_counterexample(toy_network(), wider, check_tree(toy_network(), wider));
    const Tree other = lone_leaf(box_domain(2, 0, 0.2), 1);
    expect_counterexample(toy_network(), other, check_tree(toy_network(), other));
}

// f_0 - f_1 = x/2 - 0.2 - |x| on [-1, 1], by the neurons x, -x and x + 2.
ReluNetwork tent_network() {
    return ReluNetwork({layer_of({{1}, {-1}, {1}}, {0, 0, 2}), layer_of({{-1, -1, 0.5}, {0, 0, 0}}, {-1.2, 0})});
}
Tree tent_tree() {
    const auto side = [](int on, int off) {
        return ProofStep{{neuron_bound(0, on, false, {{0, 1}}), neuron_bound(0, off, true, {{0, 1}})},
                         {{1, {{0, on == 0 ? 0.5 : 1.5}}}},
                         {}};
    };
    return lone_leaf(box_domain(1, -1, 1), 0, {{{}, {}, Cases{{vector_of({1}), 0}, 1, 2}}, side(0, 1), side(1, 0)});
}

TEST(CheckTree, ProvesByCases) {
    const TreeCheck check = check_tree(tent_network(), tent_tree());
    EXPECT_TRUE(check.proved) << check.reason;
    EXPECT_EQ(check.steps, 3U);
    EXPECT_NEAR(check.worst_gap, -0.2, 1e-12);
}

TEST(CheckTree, NeedsBothCases) {
    // Without the cases.
    expect_not_proved(check_tree(tent_network(), lone_leaf(box_domain(1, -1, 1), 0)), 0);
    // One case proves nothing.
    for (const std::size_t step : {1U, 2U}) {
        Tree tree = tent_tree();
        leaf_at(tree, 0).certificate->steps[step] = {};
        expect_not_proved(check_tree(tent_network(), tree), 0);
    }
    // One case is gone.
    Tree tree = tent_tree();
    leaf_at(tree, 0).certificate->steps.pop_back();
    EXPECT_THROW((void)check_tree(tent_network(), tree), Error);
    // The cases are swapped, or do not meet where the neurons do.
    tree = tent_tree();
    std::swap(first_step(tree, 0).cases->yes, first_step(tree, 0).cases->no);
    expect_not_proved(check_tree(tent_network(), tree), 0);
    tree = tent_tree();
    first_step(tree, 0).cases->function.constant = 0.7;
    expect_not_proved(check_tree(tent_network(), tree), 0);
}

// relu(x - 4.2) against 0, and a split at 4.3: whole numbers below it are at most 4.
TEST(CheckTree, RoundsTheBoundOfAWholeNumberInwards) {
    const ReluNetwork network({layer_of({{1}}, {-4.2}), layer_of({{1}, {0}}, {0, 0})});
    Tree tree;
    tree.domain = box_domain(1, 0, 10);
    tree.domain.integer = {1};
    tree.nodes = {split_node({1}, -4.3, 1, 2), leaf_node(1, {{{input_bound(0, false, {{0, 1}})}, {}, {}}}),
                  leaf_node(0, {{{input_bound(0, true, {{0, 1}})}, {}, {}}})};
    const TreeCheck check = check_tree(network, tree);
    EXPECT_TRUE(check.proved) << check.reason;
    Tree without = tree;
    first_step(without, 2).bounds.clear();
    expect_not_proved(check_tree(network, without), 2);
    Tree real = tree;
    real.domain.integer = {0};
    expect_counterexample(network, real, check_tree(network, real));
}

// -relu(2x - 1) + relu(x / 2) - 0.1 is below 0 at 0 and at 1, but not in between.
TEST(CheckTree, KnowsThatANeuronOfABinaryInputIsLinear) {
    const ReluNetwork network({layer_of({{2}, {0.5}}, {-1, 0}), layer_of({{-1, 1}, {0, 0}}, {-0.1, 0})});
    Tree tree = lone_leaf(box_domain(1, 0, 1), 0);
    tree.domain.integer = {1};
    EXPECT_TRUE(check_tree(network, tree).proved);
    tree.domain.integer = {0};
    expect_counterexample(network, tree, check_tree(network, tree));
    tree.domain.integer = {1};
    tree.domain.upper[0] = 2;  // three values: no longer linear
    EXPECT_FALSE(check_tree(network, tree).proved);
}

// relu of (-1, 2, 3) on a group is (0, 2, 3), below the (1, 2.5, 4) of three other neurons.
TEST(CheckTree, KnowsThatANeuronOfAGroupIsLinear) {
    const ReluNetwork network({layer_of({{-1, 2, 3}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0, 0}),
                               layer_of({{-1, 0, 0, 0}, {0, -1, -2.5, -4}}, {0, 0})});
    Tree tree = lone_leaf(box_domain(3, 0, 1), 1);
    tree.domain.integer = {1, 1, 1};
    tree.domain.groups = {{0, 1, 2}};
    const TreeCheck check = check_tree(network, tree);
    EXPECT_TRUE(check.proved) << check.reason;
    EXPECT_NEAR(check.worst_gap, -0.5, 1e-12);
    tree.domain.upper[1] = 0;  // then the others decide
    EXPECT_NEAR(check_tree(network, tree).worst_gap, -1, 1e-12);
    tree.domain.upper[1] = 1;
    tree.domain.groups.clear();
    EXPECT_FALSE(check_tree(network, tree).proved);
}

TEST(CheckTree, HoldsOfALeafWithoutRows) {
    // No x is above 0.6 and below 0.4.
    const ReluNetwork network({layer_of({{1}, {0}}, {0, 0})});
    Tree tree;
    tree.mode = TreeMode::supported;
    tree.domain = box_domain(1, 0, 1);
    const ProofStep contradiction{{input_bound(0, true, {{1, 1}}), input_bound(0, false, {{0, 1}})}, {}, {}};
    tree.nodes = {split_node({1}, -0.6, 1, 2), split_node({-1}, 0.4, 3, 4), leaf_node(1, {}),
                  leaf_node(0, {contradiction}), leaf_node(1, {})};
    leaf_at(tree, 2).certificate.reset();
    leaf_at(tree, 4).certificate.reset();
    EXPECT_TRUE(check_tree(network, tree).proved);
    first_step(tree, 3).bounds.clear();
    EXPECT_FALSE(check_tree(network, tree).proved);
}

TEST(CheckTree, GivesEqualOutcomesToTheLowestIndexOnly) {
    // Outcomes 1 and 2 are the same for all rows, and below outcome 0.
    const ReluNetwork network(
        {layer_of({{1, -2}, {-1, 0.3}}, {0.1, 0.7}), layer_of({{2, 3}, {0.3, 0.7}, {0.3, 0.7}}, {5, 0.1, 0.1})});
    EXPECT_TRUE(check_tree(network, lone_leaf(box_domain(2, -1, 1), 1)).proved);
    const TreeCheck second = check_tree(network, lone_leaf(box_domain(2, -1, 1), 2));
    EXPECT_TRUE(second.refuted);
    EXPECT_EQ(second.worst_gap, 0);
    EXPECT_EQ(second.rival, 1);
}

TEST(CheckTree, KnowsTheOutcomesExactlyWhereAllNeuronsAreOff) {
    const auto with_bias = [](double first, double second) {
        return ReluNetwork({layer_of({{1}}, {-2}), layer_of({{1}, {-1}}, {first, second})});
    };
    const double next = std::nextafter(0.1, 1);
    EXPECT_TRUE(check_tree(with_bias(next, 0.1), lone_leaf(box_domain(1, 0, 1), 1)).proved);
    EXPECT_TRUE(check_tree(with_bias(0.1, next), lone_leaf(box_domain(1, 0, 1), 0)).proved);
    EXPECT_TRUE(check_tree(with_bias(0.1, 0.1), lone_leaf(box_domain(1, 0, 1), 0)).proved);
    EXPECT_TRUE(check_tree(with_bias(0.1, 0.1), lone_leaf(box_domain(1, 0, 1), 1)).refuted);
}

TEST(CheckTree, ProvesNothingWhereTheNetworkMayOverflow) {
    // The second neuron is infinite and has weight 0, which makes the outcome NaN.
    const ReluNetwork network({layer_of({{1}, {1e308}}, {1, 1e308}), layer_of({{1, 0}, {0, 0}}, {0, 100})});
    EXPECT_FALSE(check_tree(network, lone_leaf(box_domain(1, 0, 10), 0)).proved);
    EXPECT_TRUE(check_tree(network, lone_leaf(box_domain(1, 0, 0.5), 0)).proved);
}

TEST(CheckTree, ChecksANetworkWithoutHiddenLayers) {
    const ReluNetwork network({layer_of({{1, 0}, {0, 1}}, {0, 0})});
    Tree tree;
    tree.domain = box_domain(2, -3, 3);
    tree.nodes = {split_node({1, -1}, 0, 1, 2), leaf_node(1, {{{}, {{0, {{0, 1}}}}, {}}}),
                  leaf_node(0, {{{}, {{1, {{0, 1}}}}, {}}})};
    EXPECT_TRUE(check_tree(network, tree).proved);
    // Weights in order say nothing of inputs below 0.
    const Tree lone = lone_leaf(box_domain(1, -1, 1), 0);
    EXPECT_FALSE(check_tree(ReluNetwork({layer_of({{1}, {2}}, {0, 0})}), lone).proved);
}

TEST(CheckTree, SaysTheSameOnAnyNumberOfThreads) {
    Tree tree = toy_tree();
    split_at(tree, 3).function.constant = -1.55;
    const TreeCheck one = check_tree(toy_network(), tree);
    const TreeCheck four = check_tree(toy_network(), tree, {.threads = 4});
    EXPECT_EQ(one.point, four.point);
    EXPECT_EQ(one.worst_gap, four.worst_gap);
    EXPECT_EQ(one.reason, four.reason);
    EXPECT_EQ(one.steps, four.steps);
}

TEST(CheckTree, TellsHowFarItIsAndStopsWhenAsked) {
    std::atomic<int> calls{0};
    (void)check_tree(toy_network(), toy_tree(), {}, [&](double, std::string_view) { return ++calls > 0; });
    EXPECT_EQ(calls, 5);
    EXPECT_THROW((void)check_tree(toy_network(), toy_tree(), {}, [](double, std::string_view) { return false; }),
                 Error);
}

TEST(CheckTree, RefusesTreesThatAreNotOfThisNetwork) {
    const auto refuses = [](const Tree& tree) { EXPECT_THROW((void)check_tree(toy_network(), tree), Error); };
    Tree tree = toy_tree();
    tree.domain = box_domain(3, 0, 1);
    refuses(tree);
    tree = toy_tree();
    leaf_at(tree, 4).treatment = 2;
    refuses(tree);
    for (const BoundProof& bound :
         {neuron_bound(1, 0, true, {}), neuron_bound(-1, 0, true, {}), neuron_bound(0, 2, true, {}),
          input_bound(2, true, {}), input_bound(-1, true, {})}) {
        tree = toy_tree();
        first_step(tree, 4).bounds.push_back(bound);
        refuses(tree);
    }
    for (const int rival : {-1, 2}) {
        tree = toy_tree();
        first_step(tree, 4).comparisons.push_back({rival, {}});
        refuses(tree);
    }
}

TEST(CheckTree, RefusesDomainsThatMakeNoSense) {
    const auto refuses = [](const auto& change) {
        Tree tree = lone_leaf(box_domain(2, 0, 1), 0);
        tree.domain.integer = {1, 1};
        change(tree.domain);
        EXPECT_THROW((void)check_tree(toy_network(), tree), Error);
    };
    refuses([](Domain& domain) { domain.integer.pop_back(); });
    refuses([](Domain& domain) { domain.upper = Vector::Ones(3); });
    refuses([](Domain& domain) { domain.lower[0] = std::nan(""); });
    refuses([](Domain& domain) { domain.groups = {{0, 2}}; });
    refuses([](Domain& domain) { domain.groups = {{0}, {0, 1}}; });
    refuses([](Domain& domain) { domain.groups = {{0, 1}}, domain.upper[1] = 2; });
    refuses([](Domain& domain) { domain.groups = {{0, 1}}, domain.integer[1] = 0; });
}

}  // namespace
}  // namespace polyrx
