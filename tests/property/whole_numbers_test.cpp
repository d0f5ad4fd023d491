// SPDX-License-Identifier: Apache-2.0
// Trees of networks whose inputs are whole numbers and categories: parts between two whole numbers have no rows.
#include <gtest/gtest.h>

#include "polyrx/extract/exact/exact_tree.hpp"
#include "polyrx/verify/check_tree.hpp"
#include "tests/support/domains.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx {
namespace {

// One real input, small whole numbers, 0/1 inputs and a group of four.
Domain small_whole_numbers() {
    Domain domain = test::domain_of_kinds({.real = 1, .whole = 2, .binary = 2, .groups = {4}});
    domain.lower[0] = 0;
    domain.upper.head(3) << 3, 5, 2;
    return domain;
}

TEST(WholeNumbers, TreesAreProvedAndPrescribeWhatTheNetworkDoes) {
    const Domain domain = small_whole_numbers();
    for (std::uint64_t index = 0; index < 40; ++index) {
        Rng rng(11, Draw::test, index);
        const std::vector<Eigen::Index> widths =
            index % 2 ? std::vector<Eigen::Index>{9, 6, 3} : std::vector<Eigen::Index>{9, 4, 4, 2};
        const ReluNetwork network = test::random_network(rng, widths);
        const Tree tree = exact_tree(network, domain);
        const TreeCheck check = check_tree(network, tree);
        EXPECT_TRUE(check.proved) << index << ": " << check.reason;
        EXPECT_EQ(check.certified, check.leaves) << index;
        const Matrix rows = test::uniform_rows(rng, domain, 2000);
        const std::vector<int> prescribed = argmin_rows(forward(network, rows));
        std::size_t asked = 0;
        for (Eigen::Index i = 0; i < rows.rows(); ++i) {
            const Arrival arrival = descend(tree, rows.row(i).transpose());
            if (!arrival.answered) {
                ++asked;
                continue;
            }
            EXPECT_EQ(std::get<Leaf>(tree.nodes[static_cast<std::size_t>(arrival.node)].what).treatment,
                      prescribed[static_cast<std::size_t>(i)]);
        }
        EXPECT_EQ(asked, 0U) << index;
    }
}

TEST(WholeNumbers, LeaveNoLeafBetweenTwoOfThem) {
    // Two neurons on one 0/1 input, with steps at 0.3 and 0.6: no row is between them.
    Domain domain;
    domain.lower = Vector::Zero(2);
    domain.upper = Vector::Ones(2);
    domain.integer = {1, 0};
    Layer hidden;
    hidden.weights.resize(2, 2);
    hidden.weights << 10, 0.01, 10, 0.02;  // the second input keeps them from being linear in the first
    hidden.bias.resize(2);
    hidden.bias << -3, -6;
    Layer output;
    output.weights.resize(3, 2);
    output.weights << 0, 0, -1, 0.1, 1, -3;
    output.bias.resize(3);
    output.bias << 0, 0.5, 1;
    const ReluNetwork network({hidden, output});
    const Tree tree = exact_tree(network, domain);
    EXPECT_TRUE(check_tree(network, tree).proved);
    for (const Node& node : tree.nodes)
        if (const auto* leaf = std::get_if<Leaf>(&node.what)) {
            const double x = leaf->inside[0];
            EXPECT_TRUE(x < 0.3 || x > 0.6) << x;
        }
}

}  // namespace
}  // namespace polyrx
