// SPDX-License-Identifier: Apache-2.0
// Intervals from few groups cover as they should.
#include "polyrx/statistics/few_groups.hpp"

#include <gtest/gtest.h>

#include "polyrx/core/rng.hpp"
#include "polyrx/statistics/mean_estimate.hpp"
#include "polyrx/statistics/ratio_estimate.hpp"

namespace polyrx {
namespace {

TEST(FewGroups, TheFactorIsThatOfStudentsTable) {
    constexpr double z = 1.959963984540054;
    EXPECT_NEAR(z * few_groups_factor(2), 12.7062, 1e-4);
    EXPECT_NEAR(z * few_groups_factor(5), 2.7764, 1e-4);
    EXPECT_NEAR(z * few_groups_factor(6), 2.5706, 5e-4);
    EXPECT_NEAR(z * few_groups_factor(11), 2.2281, 1e-4);
    EXPECT_NEAR(z * few_groups_factor(31), 2.0423, 1e-4);
    EXPECT_NEAR(few_groups_factor(1'000'000), 1, 1e-5);
}

// Groups differ by much more than rows: with normal quantiles, three groups would cover 80 %.
TEST(FewGroups, IntervalsOfTheMeanCoverInNineteenOfTwentyDraws) {
    constexpr int draws = 4'000;
    for (const std::size_t groups : {3, 6, 20}) {
        int held = 0;
        for (int draw = 0; draw < draws; ++draw) {
            Rng rng(1, Draw::test, static_cast<std::uint64_t>(draw) * 100 + groups);
            std::vector<double> values;
            std::vector<std::size_t> group;
            for (std::size_t g = 0; g < groups; ++g) {
                const double level = rng.normal();
                for (int i = 0; i < 10; ++i) {
                    values.push_back(level + 0.1 * rng.normal());
                    group.push_back(g);
                }
            }
            MeanEstimate mean = estimate_mean(values, {.cluster = group});
            set_interval(mean, simultaneous_factor(1, 0.95));
            held += mean.known->low <= 0 && 0 <= mean.known->high ? 1 : 0;
        }
        EXPECT_NEAR(held / static_cast<double>(draws), 0.95, 0.012) << groups;
    }
}

}  // namespace
}  // namespace polyrx
