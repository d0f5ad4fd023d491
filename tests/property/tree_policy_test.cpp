// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/tree_policy.hpp"
#include "polyrx/core/infinity.hpp"

#include <gtest/gtest.h>

#include "polyrx/tree/flat_tree.hpp"
#include "tests/support/kernel_targets.hpp"
#include "tests/support/random_tree.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

constexpr std::uint64_t cases = 60;

// Small trees and large ones take different ways.
std::size_t leaves_of_case(Rng& rng, std::uint64_t i) {
    return i % 4 == 3 ? 400 : 1 + rng.below(30);
}

// Who answers for an encoded row, by the slow and obvious way.
std::pair<AnsweredBy, int> slow_answer(const Tree& tree, const Vector& row) {
    if (!contains(tree.domain, row)) return {AnsweredBy::outside, TreePrescriptions::nowhere};
    const Arrival arrival = descend(tree, row);
    if (arrival.answered) return {AnsweredBy::tree, arrival.node};
    const bool leaf = std::holds_alternative<Leaf>(tree.nodes[static_cast<std::size_t>(arrival.node)].what);
    return {leaf ? AnsweredBy::empirical : AnsweredBy::guard, arrival.node};
}

TEST(TreePolicy, GivesTheLeafsTreatmentWhereTheTreeAnswersAndTheNetworksEverywhereElse) {
    std::array<std::size_t, 4> seen{};
    for (std::uint64_t i = 0; i < cases; ++i) {
        Rng rng(1, Draw::test, i);
        const Policy policy = test::random_policy(rng, 1 + rng.below(20));
        TreePolicy tree = test::random_tree(rng, policy, leaves_of_case(rng, i));
        // Wide enough to be met.
        for (Node& node : tree.tree.nodes)
            if (auto* split = std::get_if<Split>(&node.what)) split->guard *= 10;
        const Table table = test::random_table(rng, policy, 1 + rng.below(6000));
        const Matrix rows = policy.encoder.encode(table);
        const Prescriptions network = prescribe(policy, table);
        const TreePrescriptions given = prescribe(tree, table);
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const auto [who, node] = slow_answer(tree.tree, rows.row(static_cast<Eigen::Index>(row)).transpose());
            ASSERT_EQ(name_of(given.answered_by[row]), name_of(who)) << "case " << i << ", row " << row;
            ASSERT_EQ(given.node[row], node);
            const int expected = who == AnsweredBy::tree
                                     ? std::get<Leaf>(tree.tree.nodes[static_cast<std::size_t>(node)].what).treatment
                                     : network.treatment[row];
            ASSERT_EQ(given.prescriptions.treatment[row], expected) << name_of(who);
        }
        std::size_t total = 0;
        for (const AnsweredBy who : {AnsweredBy::tree, AnsweredBy::guard, AnsweredBy::empirical, AnsweredBy::outside}) {
            EXPECT_EQ(given.count(who), static_cast<std::size_t>(std::ranges::count(given.answered_by, who)));
            total += given.count(who);
            seen[static_cast<std::size_t>(who)] += given.count(who);
        }
        EXPECT_EQ(total, table.rows());
    }
    for (const std::size_t count : seen) EXPECT_GT(count, 100U);
}

TEST(TreePolicy, PrescribesTheSameOnAnyNumberOfThreadsAndWithOutcomesOrWithout) {
    Rng rng(2, Draw::test);
    const Policy policy = test::random_policy(rng, 5);
    const TreePolicy tree = test::random_tree(rng, policy, 12);
    const Table table = test::random_table(rng, policy, 10'000);
    const TreePrescriptions one = prescribe(tree, table);
    const TreePrescriptions four = prescribe(tree, table, {.threads = 4, .outcomes = true});
    EXPECT_EQ(one.prescriptions.treatment, four.prescriptions.treatment);
    EXPECT_EQ(one.answered_by, four.answered_by);
    EXPECT_EQ(one.node, four.node);
    EXPECT_EQ(one.prescriptions.outcomes.size(), 0);
    EXPECT_EQ(four.prescriptions.outcomes, prescribe(policy, table, {.outcomes = true}).outcomes);
}

TEST(TreePolicy, RefusesTheRowsThatTheNetworkWouldRefuse) {
    Rng rng(3, Draw::test);
    const Policy policy = test::random_policy(rng, 2, false);
    const TreePolicy tree = test::random_tree(rng, policy, 3);
    const Table table({test::numbers("x0", {0, 1e308}), test::numbers("x1", {0, 0})});
    const std::string refusal = test::sentence_of(ErrorKind::data, [&] { (void)prescribe(policy, table); });
    EXPECT_NE(refusal, "(no error)");
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)prescribe(tree, table); }), refusal);
}

// Where the slow twins say that a row ends.
int slow_end(const Tree& tree, const Vector& row) {
    return contains(tree.domain, row) ? descend(tree, row).node : FlatTree::nowhere;
}

void expect_same_arrivals(const Tree& tree, const Matrix& rows) {
    const FlatTree flat(tree);
    test::for_each_target([&] {
        std::vector<int> ends(static_cast<std::size_t>(rows.rows()));
        flat.arrive(rows, ends);
        for (std::size_t i = 0; i < ends.size(); ++i)
            ASSERT_EQ(ends[i], slow_end(tree, rows.row(static_cast<Eigen::Index>(i)).transpose())) << "row " << i;
    });
}

TEST(FlatTree, ArrivesWhereTheTreeDoesEvenOnTheEdgesOfGuardBands) {
    // Small whole numbers, so that every order of a sum is exact and rows meet the edges themselves.
    for (std::uint64_t i = 0; i < cases; ++i) {
        Rng rng(4, Draw::test, i);
        const Policy policy = test::random_policy(rng, 1 + rng.below(40), i % 2 == 0);
        Tree tree = test::random_tree(rng, policy, leaves_of_case(rng, i)).tree;
        for (Node& node : tree.nodes) {
            auto* split = std::get_if<Split>(&node.what);
            if (!split) continue;
            split->function.weights = split->function.weights.array().round();
            split->function.constant = std::round(split->function.constant);
            split->guard = 1 + static_cast<double>(rng.below(2));
        }
        const Matrix rows = policy.encoder.encode(test::random_table(rng, policy, 1 + rng.below(1500))).array().round();
        expect_same_arrivals(tree, rows);
    }
}

TEST(FlatTree, HasTheDomainOfTheTreeForWholeFractionalHugeAndAbsentNumbers) {
    for (std::uint64_t i = 0; i < cases; ++i) {
        Rng rng(5, Draw::test, i);
        const Policy policy = test::random_policy(rng, 1 + rng.below(12));
        Tree tree = test::random_tree(rng, policy, i % 4 == 3 ? 1000 : 2).tree;
        if (i % 2 == 1) tree.domain.upper[0] = infinity;
        Matrix rows = policy.encoder.encode(test::random_table(rng, policy, 50));
        expect_same_arrivals(tree, rows);
        for (const double odd :
             {std::nan(""), infinity, -infinity, 0x1p51 + 1, 0x1p51 + 0.5, 0x1p52, 0x1p52 + 1, 1e300, 0.5, -0.0}) {
            if (i % 2 == 1 && odd == infinity) continue;  // the encoder refuses what only such a domain would hold
            rows.col(0).setConstant(odd);
            expect_same_arrivals(tree, rows);
        }
    }
}

}  // namespace
}  // namespace polyrx
