// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/budget.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "polyrx/core/parallel_for.hpp"
#include "polyrx/extract/exact/exact_tree.hpp"
#include "polyrx/extract/exact/plan_exact.hpp"
#include "tests/support/domains.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx {
namespace {

template <class Work>
std::string what_is_spent(Work work) {
    try {
        work();
    } catch (const BudgetSpent& spent) {
        return spent.what();
    }
    return "";
}

TEST(Budget, ThrowsBeyondTheLinearProgramsAndLeavesItHasAndNotBefore) {
    Budget budget({.leaves = 3, .linear_programs = 5});
    for (int i = 0; i < 5; ++i) budget.spend_linear_program();
    EXPECT_EQ(budget.linear_programs(), 5U);
    EXPECT_EQ(what_is_spent([&] { budget.spend_linear_program(); }),
              "the exact tree takes more than 5 linear programs (--max-lps)");
    budget.spend_leaves(3);
    EXPECT_EQ(what_is_spent([&] { budget.spend_leaves(1); }), "the exact tree grows beyond 3 leaves (--leaves)");
}

TEST(Budget, OfZeroIsNoLimit) {
    Budget budget({.leaves = 0, .linear_programs = 0});
    for (int i = 0; i < 10'000; ++i) budget.spend_linear_program();
    budget.spend_leaves(1'000'000'000);
}

TEST(Budget, TakesLeavesBackThatBecomePartOfOthers) {
    Budget budget({.leaves = 3});
    budget.spend_leaves(3);
    budget.save_leaves(1);
    budget.spend_leaves(1);
    EXPECT_THROW(budget.spend_leaves(1), BudgetSpent);
}

TEST(Budget, ThrowsWhenItsTimeIsOver) {
    Budget budget({.seconds = 1e-9});
    EXPECT_EQ(what_is_spent([&] {
                  for (int i = 0; i < 1'000; ++i) budget.spend_linear_program();
              }),
              "the exact tree takes more than 1e-09 s (--max-seconds)");
}

TEST(Budget, CountsTheSameOnSeveralThreads) {
    Budget budget({.linear_programs = 4'000});
    parallel_for(8, 4, [&](std::size_t) {
        for (int i = 0; i < 500; ++i) budget.spend_linear_program();
    });
    EXPECT_EQ(budget.linear_programs(), 4'000U);
    EXPECT_THROW(budget.spend_linear_program(), BudgetSpent);
}

TEST(Budget, TellsItsListenerWhichMayStopIt) {
    double last = 0;
    Budget budget({.linear_programs = 100'000}, [&](double share, std::string_view work) {
        EXPECT_EQ(work, "extracting the tree");
        EXPECT_GE(share, last);
        last = share;
        return share < 0.5;
    });
    try {
        for (int i = 0; i < 100'000; ++i) budget.spend_linear_program();
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::canceled);
        EXPECT_NEAR(last, 0.5, 0.01);
    }
}

// Wide ones are split neuron by neuron until a treatment is certain, narrow ones are ordered as a whole.
TEST(ExactTree, NeverHasMoreLeavesThanItMay) {
    int tried = 0;
    for (std::uint64_t round = 0; round < 30; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        const auto width = 6 + 15 * static_cast<Eigen::Index>(round % 4);
        std::vector<Layer> layers = test::random_network(rng, {2, width, 2}).layers();
        layers[1].bias[0] -= std::sqrt(static_cast<double>(width));
        const ReluNetwork network(std::move(layers));
        const Domain domain = test::box_domain(2, -1, 1);
        // The limit is for the work: leaves count before needless splits are left out.
        Budget unlimited({});
        const std::size_t leaves = plan_exact(Ground(network, domain, unlimited), RuleGround({}, domain, 2))->leaves;
        if (leaves < 2) continue;
        ++tried;
        const std::size_t fewer = leaves - 1;
        EXPECT_EQ(what_is_spent([&] { (void)exact_tree(network, domain, {.limits = {.leaves = fewer}}); }),
                  "the exact tree grows beyond " + std::to_string(fewer) + " leaves (--leaves)");
        EXPECT_EQ(what_is_spent([&] {
                      EXPECT_LE(leaf_count(exact_tree(network, domain, {.limits = {.leaves = leaves + 2}})), leaves);
                  }),
                  "");
    }
    EXPECT_GT(tried, 10);
}

TEST(ExactTree, OfAHopelessNetworkGivesUpWithASentence) {
    Rng rng(1, Draw::test);
    const ReluNetwork network = test::random_network(rng, {20, 100, 100, 3});
    const Domain domain = test::box_domain(20, -1, 1);
    EXPECT_EQ(what_is_spent([&] { (void)exact_tree(network, domain, {.limits = {.linear_programs = 2'000}}); }),
              "the exact tree takes more than 2000 linear programs (--max-lps)");
    EXPECT_EQ(what_is_spent([&] { (void)exact_tree(network, domain, {.limits = {.seconds = 0.01}}); }),
              "the exact tree takes more than 0.01 s (--max-seconds)");
    EXPECT_THROW((void)exact_tree(network, domain, {}, [](double, std::string_view) { return false; }), Error);
}

}  // namespace
}  // namespace polyrx
