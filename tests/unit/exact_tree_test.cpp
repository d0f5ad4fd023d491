// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact/exact_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polyrx/extract/exact/plan_exact.hpp"
#include "polyrx/verify/check_tree.hpp"
#include "tests/support/agreement.hpp"
#include "tests/support/domains.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/toy_tree.hpp"

namespace polyrx {
namespace {

using test::layer_of;

const Leaf& only_leaf(const Tree& tree) {
    EXPECT_EQ(tree.nodes.size(), 1U);
    return std::get<Leaf>(tree.nodes.front().what);
}

TEST(ExactTree, OfExample1HasTwoLeavesLessThanThePapersTree) {
    const Tree tree = exact_tree(test::toy_network(), test::box_domain(2, 0, 1));
    EXPECT_EQ(leaf_count(tree), leaf_count(test::toy_tree()) - 2);
    EXPECT_EQ(tree.certified_share, 1);
    EXPECT_TRUE(check_tree(test::toy_network(), tree).proved);
}

// f_0 - f_1 = relu(x) - 0.9 relu(x) - 0.4 is below 0 on all of -1..1, but a bound of one relu at a time cannot see it.
TEST(ExactTree, ProvesALeafByCasesWhereTheRelaxationAloneCannot) {
    const ReluNetwork network({layer_of({{1}, {1}}, {0, 0}), layer_of({{1, -0.9}, {0, 0}}, {-0.4, 0})});
    const Domain domain = test::box_domain(1, -1, 1);
    const Tree tree = exact_tree(network, domain);
    const Leaf& leaf = only_leaf(tree);
    EXPECT_EQ(leaf.treatment, 0);
    ASSERT_TRUE(leaf.certificate.has_value());
    EXPECT_EQ(leaf.certificate->steps.size(), 3U);
    EXPECT_TRUE(leaf.certificate->steps.front().cases.has_value());
    EXPECT_TRUE(check_tree(network, tree).proved);
}

TEST(ExactTree, OfANetworkWithoutHiddenLayersComparesTheOutcomes) {
    const ReluNetwork network({layer_of({{1, 0}, {0, 1}}, {0, 0})});
    const Tree tree = exact_tree(network, test::box_domain(2, -1, 1));
    ASSERT_EQ(tree.nodes.size(), 3U);
    const Split& split = std::get<Split>(tree.nodes.front().what);
    EXPECT_EQ(split.origin, (SplitOrigin{SplitOrigin::Kind::outcomes, 0, 1}));
    EXPECT_EQ(std::get<Leaf>(tree.nodes[static_cast<std::size_t>(split.yes)].what).treatment, 1);
    EXPECT_TRUE(check_tree(network, tree).proved);
}

TEST(ExactTree, OfAConstantNetworkIsOneLeafAndTiesGoToTheLowestIndex) {
    const Domain domain = test::box_domain(2, -1, 1);
    for (const double third : {1.0, 0.5}) {
        const ReluNetwork network({layer_of({{0, 0}}, {1}), layer_of({{0}, {0}, {0}}, {1, 1, third})});
        const Tree tree = exact_tree(network, domain);
        EXPECT_EQ(only_leaf(tree).treatment, third < 1 ? 2 : 0);
        EXPECT_EQ(tree.certified_share, 1);
        EXPECT_TRUE(check_tree(network, tree).proved);
    }
}

TEST(ExactTree, OfASingleRowIsWhatTheNetworkPrescribesThere) {
    for (std::uint64_t round = 0; round < 20; ++round) {
        Rng rng(round, Draw::test);
        const ReluNetwork network = test::random_network(rng, {3, 5, 4, 3});
        const Domain domain = test::box_domain(3, 0.3, 0.3);
        const Tree tree = exact_tree(network, domain);
        EXPECT_EQ(only_leaf(tree).treatment, argmin_rows(forward(network, domain.lower.transpose())).front());
        EXPECT_EQ(tree.certified_share, 1);
    }
}

// Where both neurons are off both outcomes are the bias, bit for bit.
TEST(ExactTree, ProvesTiesWhereAllNeuronsAreOff) {
    const ReluNetwork network({layer_of({{1, 0}, {0, 1}}, {0, 0}), layer_of({{1, 1}, {0, 0}}, {0.7, 0.7})});
    const Domain domain = test::box_domain(2, -1, 1);
    const Tree tree = exact_tree(network, domain);
    EXPECT_EQ(tree.certified_share, 1);
    EXPECT_TRUE(check_tree(network, tree).proved);
    Rng rng(1, Draw::test);
    const test::Agreement rows = test::agreement(tree, network, test::uniform_rows(rng, domain, 10'000));
    EXPECT_EQ(rows.answered, rows.rows);
    EXPECT_EQ(rows.wrong, 0U);
}

TEST(ExactTree, OfTreatmentsThatAreAlwaysEqualPrescribesTheFirst) {
    Rng rng(3, Draw::test);
    std::vector<Layer> layers = test::random_network(rng, {2, 4, 3}).layers();
    layers[1].weights.row(2) = layers[1].weights.row(1);
    layers[1].bias[2] = layers[1].bias[1];
    const ReluNetwork network(std::move(layers));
    const Tree tree = exact_tree(network, test::box_domain(2, -1, 1));
    EXPECT_EQ(tree.certified_share, 1);
    for (const Node& node : tree.nodes) {
        const auto* leaf = std::get_if<Leaf>(&node.what);
        EXPECT_TRUE(!leaf || leaf->treatment != 2);
    }
    EXPECT_TRUE(check_tree(network, tree).proved);
}

TEST(ExactTree, LeavesUnboundedInputsWithoutAWeightAlone) {
    Rng rng(4, Draw::test);
    std::vector<Layer> layers = test::random_network(rng, {3, 5, 2}).layers();
    layers[0].weights.col(1).setZero();
    const ReluNetwork network(std::move(layers));
    Domain domain = test::box_domain(3, -1, 1);
    domain.lower[1] = 17;
    domain.upper[1] = std::numeric_limits<double>::infinity();
    const Tree tree = exact_tree(network, domain);
    EXPECT_EQ(tree.certified_share, 1);
    for (const Node& node : tree.nodes) {
        const auto* leaf = std::get_if<Leaf>(&node.what);
        EXPECT_TRUE(!leaf || contains(domain, leaf->inside));
    }
}

// Whatever simplifying would take: it must not cost the tree that was planned.
TEST(ExactTree, IsGivenWithAsManyLinearProgramsAsPlanningAndProvingTake) {
    int smaller = 0;
    for (std::uint64_t round = 0; round < 20; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        const ReluNetwork network = test::random_network(rng, {3, 5, 4, 3});
        const Domain domain = test::box_domain(3, -1, 1);
        Budget unlimited({});
        const std::size_t planned =
            plan_exact(Ground(network, domain, unlimited), RuleGround({}, domain, network.outputs()))->leaves;
        const std::size_t of_planning = unlimited.linear_programs();
        const Tree tree = exact_tree(network, domain);
        EXPECT_EQ(exact_tree(network, domain, {.limits = {.linear_programs = 50 * of_planning}}).nodes, tree.nodes);
        EXPECT_LE(leaf_count(tree), planned);
        if (leaf_count(tree) == planned) continue;
        ++smaller;
        // The smaller one is made aside: planning alone is counted.
        EXPECT_EQ(exact_tree(network, domain, {.limits = {.linear_programs = of_planning}}).nodes, tree.nodes);
    }
    EXPECT_GT(smaller, 10);
}

}  // namespace
}  // namespace polyrx
