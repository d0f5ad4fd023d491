// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/supported/grow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "polyrx/core/error.hpp"
#include "tests/support/domains.hpp"

namespace polyrx {
namespace {

// Treatment 0 costs relu(w·x + b), treatment 1 costs `price`.
ReluNetwork one_neuron(const Vector& w, double b, double price) {
    Matrix output(2, 1);
    output << 1, 0;
    Vector prices(2);
    prices << 0, price;
    return ReluNetwork({Layer{w.transpose(), Vector::Constant(1, b)}, Layer{output, prices}});
}

// Treatment 1 if an input is above a threshold.
ReluNetwork threshold_network(Eigen::Index inputs, Eigen::Index input, double threshold) {
    return one_neuron(Vector::Unit(inputs, input), 1 - threshold, 1);
}

std::string growing_error(const ReluNetwork& network, const Domain& domain, const Matrix& rows,
                          const GrowOptions& options) {
    try {
        (void)grow_tree(network, domain, rows, options);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(GrowTree, NeedsTwoLeavesForAPolicyOfOneHyperplane) {
    Rng rng(1, Draw::test);
    const Domain domain = test::box_domain(3, -1, 1);
    Vector w(3);
    w << 1, -2, 0.5;
    const Tree tree = grow_tree(one_neuron(w, 0.1, 0.3), domain, test::uniform_rows(rng, domain, 2000), {});
    EXPECT_EQ(leaf_count(tree), 2U);
    ASSERT_TRUE(tree.fidelity.has_value());
    EXPECT_EQ(*tree.fidelity, 1);
    EXPECT_EQ(tree.held_out, 400U);
    EXPECT_EQ(tree.rows, 2000U);
    EXPECT_EQ(tree.outside, 0U);
    EXPECT_EQ(tree.mode, TreeMode::supported);
    EXPECT_EQ(std::get<Split>(tree.nodes[0].what).origin, (SplitOrigin{SplitOrigin::Kind::outcomes, 0, 1}));
}

TEST(GrowTree, PrefersTheCutOfOneInputWhereItIsAsGood) {
    Rng rng(2, Draw::test);
    const Domain domain = test::box_domain(4, -1, 1);
    Vector w(4);
    w << 0.001, 0, 1, 0.001;
    // The more rows, the surer it is that the two gains are as near to each other as the functions are.
    const Tree tree = grow_tree(one_neuron(w, 0.75, 1), domain, test::uniform_rows(rng, domain, 30'000), {});
    const auto& split = std::get<Split>(tree.nodes[0].what);
    EXPECT_EQ(split.origin, (SplitOrigin{SplitOrigin::Kind::cut, 2, 0}));
    EXPECT_EQ(split.function.weights, Vector(Vector::Unit(4, 2)));
    EXPECT_NEAR(split.function.constant, -0.25, 0.01);
}

TEST(GrowTree, PutsACutWhereTheNetworkHasItRatherThanNearby) {
    Rng rng(2, Draw::test);
    const Domain domain = test::box_domain(4, -1, 1);
    const Tree tree = grow_tree(threshold_network(4, 2, 0.25), domain, test::uniform_rows(rng, domain, 3000), {});
    EXPECT_EQ(std::get<Split>(tree.nodes[0].what).function, (AffineFunction{Vector::Unit(4, 2), -0.25}));
}

TEST(GrowTree, CutsWholeNumbersHalfwayBetweenTwoOfThem) {
    Rng rng(3, Draw::test);
    const Domain domain = test::mixed_domain(2);
    const Tree tree = grow_tree(threshold_network(7, 2, 4), domain, test::uniform_rows(rng, domain, 500), {});
    EXPECT_EQ(leaf_count(tree), 2U);
    EXPECT_EQ(std::get<Split>(tree.nodes[0].what).function, (AffineFunction{Vector::Unit(7, 2), -4.5}));
    EXPECT_EQ(std::get<Leaf>(tree.nodes[1].what).treatment, 1);
    EXPECT_EQ(std::get<Leaf>(tree.nodes[2].what).treatment, 0);
}

TEST(GrowTree, IsASingleLeafWhereAllRowsArePrescribedTheSame) {
    Rng rng(4, Draw::test);
    const Domain domain = test::box_domain(2, 0, 1);
    const Tree tree = grow_tree(threshold_network(2, 0, 5), domain, test::uniform_rows(rng, domain, 100), {});
    ASSERT_EQ(tree.nodes.size(), 1U);
    EXPECT_EQ(std::get<Leaf>(tree.nodes[0].what).treatment, 0);
    EXPECT_EQ(tree.nodes[0].rows, 100U);
    EXPECT_EQ(tree.fidelity, 1);
}

TEST(GrowTree, OfOneRowIsALeafWithThatRowInside) {
    const Domain domain = test::box_domain(2, 0, 1);
    Matrix row(1, 2);
    row << 0.75, 0.5;
    const Tree tree = grow_tree(threshold_network(2, 0, 0.5), domain, row, {});
    ASSERT_EQ(tree.nodes.size(), 1U);
    const Leaf& leaf = std::get<Leaf>(tree.nodes[0].what);
    EXPECT_EQ(leaf.treatment, 1);
    EXPECT_EQ(leaf.inside, Vector(row.row(0).transpose()));
    EXPECT_FALSE(leaf.certificate.has_value());
    EXPECT_FALSE(tree.fidelity.has_value());
    EXPECT_EQ(tree.held_out, 0U);
}

TEST(GrowTree, HoldsOutNothingOfFewerThanFiftyRows) {
    Rng rng(5, Draw::test);
    const Domain domain = test::box_domain(2, 0, 1);
    const Matrix rows = test::uniform_rows(rng, domain, 50);
    EXPECT_EQ(grow_tree(threshold_network(2, 0, 0.5), domain, rows.topRows(49), {}).held_out, 0U);
    EXPECT_EQ(grow_tree(threshold_network(2, 0, 0.5), domain, rows, {}).held_out, 10U);
    EXPECT_FALSE(grow_tree(threshold_network(2, 0, 0.5), domain, rows, {.held_out = 0}).fidelity.has_value());
}

TEST(GrowTree, LeavesOutRowsThatAreNotInTheDomainAndCountsThem) {
    Rng rng(6, Draw::test);
    const Domain domain = test::box_domain(2, 0, 1);
    Matrix rows = test::uniform_rows(rng, domain, 300);
    for (Eigen::Index row = 0; row < 30; ++row) rows(row * 10, 1) = row % 2 == 0 ? 1.5 : std::nan("");
    const Tree tree = grow_tree(threshold_network(2, 0, 0.5), domain, rows, {});
    EXPECT_EQ(tree.rows, 300U);
    EXPECT_EQ(tree.outside, 30U);
    EXPECT_EQ(tree.nodes[0].rows, 270U);
}

TEST(GrowTree, NeverSplitsOnConstantOrUnboundedInputs) {
    Rng rng(7, Draw::test);
    Domain domain = test::box_domain(4, -1, 1);
    Matrix rows = test::uniform_rows(rng, domain, 1000);
    rows.col(1).setConstant(0.5);
    rows.col(2) *= 1e6;  // the network does not look at it
    domain.lower[2] = -std::numeric_limits<double>::infinity();
    domain.upper[2] = std::numeric_limits<double>::infinity();
    Vector w(4);
    w << 1, 1, 0, -1;
    const Tree tree = grow_tree(one_neuron(w, 0.2, 0.5), domain, rows, {});
    check_well_formed(tree, 2);
    EXPECT_GE(tree.fidelity.value_or(0), 0.99);
    for (const Node& node : tree.nodes)
        if (const auto* split = std::get_if<Split>(&node.what)) {
            EXPECT_EQ(split->function.weights[2], 0);
        }
}

TEST(GrowTree, SaysWhatIsWrong) {
    const Domain domain = test::box_domain(2, 0, 1);
    const ReluNetwork network = threshold_network(2, 0, 0.5);
    const Matrix rows = Matrix::Constant(3, 2, 0.5);
    EXPECT_EQ(growing_error(network, domain, rows, {.max_leaves = 0}), "a tree has at least one leaf");
    EXPECT_EQ(growing_error(network, domain, rows, {.min_rows = 0}), "a leaf needs at least one row");
    EXPECT_EQ(growing_error(network, domain, rows, {.held_out = 1}),
              "the share of rows held out must be in [0, 1), not 1");
    EXPECT_EQ(growing_error(network, domain, Matrix::Zero(3, 4), {}),
              "the network takes 2 inputs, but the rows have 4 and the domain has 2");
    EXPECT_EQ(growing_error(network, domain, 9 * rows, {}),
              "a supported tree needs rows inside the domain, but none of the 3 rows is");
    EXPECT_EQ(growing_error(network, domain, 9 * rows.topRows(1), {}),
              "a supported tree needs rows inside the domain, but the only row is not");
}

TEST(GrowTree, StopsWhenAskedTo) {
    Rng rng(8, Draw::test);
    const Domain domain = test::box_domain(2, 0, 1);
    const Matrix rows = test::uniform_rows(rng, domain, 100);
    EXPECT_THROW(
        (void)grow_tree(threshold_network(2, 0, 0.5), domain, rows, {}, [](double, std::string_view) { return false; }),
        Error);
}

}  // namespace
}  // namespace polyrx
