// SPDX-License-Identifier: Apache-2.0
// Exact trees of small networks have no split that could be left out.
#include <gtest/gtest.h>

#include "polyrx/extract/exact/exact_tree.hpp"
#include "polyrx/verify/check_tree.hpp"
#include "tests/support/domains.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx {
namespace {

// Every row of a domain of small whole numbers and 0/1 inputs.
Matrix every_row_of(const Domain& domain) {
    std::vector<Vector> rows = {domain.lower};
    for (Eigen::Index input = 0; input < domain.inputs(); ++input) {
        const std::size_t before = rows.size();
        for (double value = domain.lower[input] + 1; value <= domain.upper[input]; ++value)
            for (std::size_t i = 0; i < before; ++i) {
                rows.push_back(rows[i]);
                rows.back()[input] = value;
            }
    }
    std::erase_if(rows, [&](const Vector& row) { return !contains(domain, row); });
    Matrix all(static_cast<Eigen::Index>(rows.size()), domain.inputs());
    for (std::size_t i = 0; i < rows.size(); ++i) all.row(static_cast<Eigen::Index>(i)) = rows[i].transpose();
    return all;
}

// How often the prescription changes along rows, and once more.
std::size_t runs_of(const std::vector<int>& prescribed) {
    std::size_t runs = 1;
    for (std::size_t i = 1; i < prescribed.size(); ++i) runs += prescribed[i] != prescribed[i - 1] ? 1 : 0;
    return runs;
}

// What is prescribed below a node.
int treatment_below(const Tree& tree, int node, const Vector& row) {
    const auto* split = std::get_if<Split>(&tree.nodes[static_cast<std::size_t>(node)].what);
    if (split == nullptr) return std::get<Leaf>(tree.nodes[static_cast<std::size_t>(node)].what).treatment;
    return treatment_below(tree, split->function(row) > 0 ? split->yes : split->no, row);
}

// Splits below a node of which one side would do for all of these rows, which are those that arrive there.
std::size_t needless_splits(const Tree& tree, int node, const std::vector<Vector>& rows) {
    const auto* split = std::get_if<Split>(&tree.nodes[static_cast<std::size_t>(node)].what);
    if (split == nullptr) return 0;
    std::vector<Vector> of_yes;
    std::vector<Vector> of_no;
    for (const Vector& row : rows) (split->function(row) > 0 ? of_yes : of_no).push_back(row);
    const auto is_same = [&](const Vector& row) {
        return treatment_below(tree, split->yes, row) == treatment_below(tree, split->no, row);
    };
    const bool needless = std::ranges::all_of(of_yes, is_same) || std::ranges::all_of(of_no, is_same);
    return (needless ? 1 : 0) + needless_splits(tree, split->yes, of_yes) + needless_splits(tree, split->no, of_no);
}

TEST(NeedlessSplits, OfOneRealInputAreNoneSinceEachLeafIsAnIntervalOfItsOwn) {
    constexpr Eigen::Index points = 100'000;
    Domain domain = test::box_domain(1, -2, 2);
    const Matrix rows = Vector::LinSpaced(points, -2, 2);
    std::size_t most = 0;
    for (std::uint64_t round = 0; round < 150; ++round) {
        Rng rng(round, Draw::test);
        const auto treatments = 2 + static_cast<Eigen::Index>(rng.below(3));
        const ReluNetwork network =
            test::random_network(rng, round % 2 ? std::vector<Eigen::Index>{1, 6, treatments}
                                                : std::vector<Eigen::Index>{1, 12, 4, treatments});
        const Tree tree = exact_tree(network, domain);
        EXPECT_EQ(leaf_count(tree), runs_of(argmin_rows(forward(network, rows)))) << round;
        EXPECT_TRUE(check_tree(network, tree).proved) << round;
        most = std::max(most, leaf_count(tree));
    }
    EXPECT_GT(most, 4U);
}

TEST(NeedlessSplits, OfOneWholeNumberAreNoneSinceEachLeafIsARunOfItsOwn) {
    Domain domain = test::box_domain(1, 0, 9);
    domain.integer = {1};
    for (std::uint64_t round = 0; round < 150; ++round) {
        Rng rng(round, Draw::test);
        std::vector<Layer> layers = test::random_network(rng, {1, 8, 3}).layers();
        layers.front().weights /= 4.5;
        const ReluNetwork network(std::move(layers));
        const Tree tree = exact_tree(network, domain);
        EXPECT_EQ(leaf_count(tree), runs_of(argmin_rows(forward(network, every_row_of(domain))))) << round;
        EXPECT_TRUE(check_tree(network, tree).proved) << round;
    }
}

TEST(NeedlessSplits, OfWholeNumbersAndCategoriesAreNoneByAllRowsThatThereCanBe) {
    Domain domain = test::domain_of_kinds({.real = 0, .whole = 2, .binary = 2, .groups = {4}});
    domain.upper.head(2) << 5, 2;
    const Matrix all = every_row_of(domain);
    std::vector<Vector> rows;
    for (Eigen::Index i = 0; i < all.rows(); ++i) rows.emplace_back(all.row(i).transpose());
    std::size_t splits = 0;
    std::size_t needless = 0;
    for (std::uint64_t round = 0; round < 60; ++round) {
        Rng rng(round, Draw::test);
        const ReluNetwork network = test::random_network(rng, {8, 5, 3});
        const Tree tree = exact_tree(network, domain);
        EXPECT_TRUE(check_tree(network, tree).proved) << round;
        splits += leaf_count(tree) - 1;
        needless += needless_splits(tree, 0, rows);
    }
    EXPECT_GT(splits, 200U);
    EXPECT_EQ(needless, 0U);
}

}  // namespace
}  // namespace polyrx
