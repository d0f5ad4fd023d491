// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "polyrx/extract/exact/needless_splits.hpp"
#include "polyrx/extract/exact/plan_exact.hpp"
#include "polyrx/extract/exact/split_order.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/slow_fewest_leaves.hpp"

namespace polyrx {
namespace {

// By trying every split of every part, one after the other. `known` has the splits that were made, `signs` their sides.
std::size_t slow_fewest(const std::vector<Combination>& combinations, std::size_t known, std::size_t signs) {
    TreatmentSet treatments = 0;
    std::size_t last = 0;
    std::size_t possible = 0;
    for (std::size_t i = 0; i < combinations.size(); ++i) {
        if ((i & known) != signs) continue;
        treatments |= combinations[i].treatments;
        last = i;
        ++possible;
    }
    if (treatments == 0) return 0;
    if (possible == 1) return combinations[last].leaves;
    if (std::has_single_bit(treatments)) return 1;
    std::size_t best = SIZE_MAX;
    for (std::size_t bit = 1; bit < combinations.size(); bit *= 2)
        if (!(known & bit))
            best = std::min(best, slow_fewest(combinations, known | bit, signs) +
                                      slow_fewest(combinations, known | bit, signs | bit));
    return best;
}

// The leaves of the tree that the order describes.
std::size_t leaves_below(const SplitOrder& order, const std::vector<Combination>& combinations, std::size_t splits,
                         SplitOrder::State state) {
    if (order.treatments(state) == 0) return 0;
    const int split = order.split(state);
    if (split < 0) {
        std::size_t signs = 0;
        for (std::size_t i = 0; i < splits; ++i, state /= 3) signs |= (state % 3) << i;
        return combinations[signs].leaves;
    }
    if (std::has_single_bit(order.treatments(state))) return 1;
    return leaves_below(order, combinations, splits, order.decided(state, split, false)) +
           leaves_below(order, combinations, splits, order.decided(state, split, true));
}

TEST(SplitOrder, HasTheFewestLeavesOfAllOrders) {
    for (std::uint64_t round = 0; round < 300; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        const std::size_t splits = rng.below(7);
        const double impossible = rng.uniform(0, 0.7);
        const std::uint64_t treatments = 1 + rng.below(4);
        std::vector<Combination> combinations(std::size_t{1} << splits);
        for (Combination& combination : combinations) {
            if (rng.bernoulli(impossible)) continue;
            combination = {TreatmentSet{1} << rng.below(treatments), 1};
            if (rng.bernoulli(0.2)) combination.treatments |= TreatmentSet{1} << rng.below(treatments);
            if (!std::has_single_bit(combination.treatments))
                combination.leaves = 2 + static_cast<std::uint32_t>(rng.below(4));
        }
        const SplitOrder order(combinations);
        EXPECT_EQ(order.leaves(), slow_fewest(combinations, 0, 0));
        EXPECT_EQ(leaves_below(order, combinations, splits, order.whole()), order.leaves());
    }
}

TEST(PlanExact, OfATinyNetworkHasTheFewestLeavesOfAllOrdersOfItsSplits) {
    const std::vector<std::vector<Eigen::Index>> hidden = {{1}, {2}, {3}, {4}, {2, 2}, {3, 1}, {1, 3}, {1, 1, 2}};
    int compared = 0;
    std::size_t largest = 0;
    std::size_t saved = 0;
    for (std::uint64_t round = 0; round < 200; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        const auto inputs = 2 + static_cast<Eigen::Index>(rng.below(2));
        const Domain domain = test::box_domain(inputs, -2, 2);
        std::vector<Eigen::Index> widths = hidden[round % hidden.size()];
        widths.insert(widths.begin(), inputs);
        widths.push_back(2 + static_cast<Eigen::Index>(rng.below(2)));
        const ReluNetwork network = test::random_network(rng, widths);
        const test::SlowFewestLeaves slow(network, domain);
        if (slow.is_doubtful()) continue;
        ++compared;
        Budget unlimited({});
        const Ground ground(network, domain, unlimited);
        const PlanPtr plan = plan_exact(ground, RuleGround({}, domain, network.outputs()));
        largest = std::max(largest, plan->leaves);
        EXPECT_EQ(plan->leaves, slow.fewest());
        const PlanPtr smaller = without_needless_splits(*plan, ground);
        EXPECT_LE(smaller->leaves, plan->leaves);
        saved += plan->leaves - smaller->leaves;
    }
    EXPECT_GT(compared, 100);
    EXPECT_GT(largest, 6U);
    EXPECT_GT(saved, 100U);
}

}  // namespace
}  // namespace polyrx
