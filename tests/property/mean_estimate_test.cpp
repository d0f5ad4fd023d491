// SPDX-License-Identifier: Apache-2.0
// Means with standard errors: by hand, with weights and clusters, and how wide simultaneous intervals are.
#include "polyrx/statistics/mean_estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/core/rng.hpp"
#include "polyrx/statistics/few_groups.hpp"
#include "polyrx/statistics/normal_quantile.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using Values = std::vector<double>;
using Clusters = std::vector<std::size_t>;

Values random_values(Rng& rng, std::size_t count) {
    Values values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(rng.normal());
    return values;
}

TEST(MeanEstimate, IsTheMeanAndItsDeviationOverTheRootOfN) {
    const MeanEstimate estimate = estimate_mean(Values{1, 2, 3, 6});
    EXPECT_DOUBLE_EQ(estimate.known->value, 3);
    EXPECT_DOUBLE_EQ(estimate.known->standard_error, std::sqrt((4 + 1 + 0 + 9) / 3.0 / 4));
    EXPECT_EQ(estimate.known->low, 3);
    EXPECT_EQ(estimate.reason, "");
}

TEST(MeanEstimate, OfWeightedRowsByHand) {
    // Mean (1*1 + 3*5)/4 = 4; influences 1*(1-4)/4 and 3*(5-4)/4; squares 9/16 each, times 2/1.
    const MeanEstimate estimate = estimate_mean(Values{1, 5}, {.weight = Values{1, 3}});
    EXPECT_DOUBLE_EQ(estimate.known->value, 4);
    EXPECT_DOUBLE_EQ(estimate.known->standard_error, std::sqrt(2 * (9.0 / 16 + 9.0 / 16)));
}

TEST(MeanEstimate, RowsThatDoNotCountAreAsIfTheyWereNotThere) {
    const MeanEstimate with = estimate_mean(Values{1, 100, 5, 2}, {.weight = Values{1, 0, 3, 1}});
    const MeanEstimate without = estimate_mean(Values{1, 5, 2}, {.weight = Values{1, 3, 1}});
    EXPECT_EQ(with.known->value, without.known->value);
    EXPECT_EQ(with.known->standard_error, without.known->standard_error);
}

TEST(MeanEstimate, ClustersOfOneRowAreNoClustersAndOfCopiesAreOneRowEach) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(1, Draw::test, index);
        const Values values = random_values(rng, 30);
        Clusters own;
        Values copied;
        Clusters of_copies;
        for (std::size_t i = 0; i < values.size(); ++i) {
            own.push_back(100 - i);
            for (int copy = 0; copy < 3; ++copy) {
                copied.push_back(values[i]);
                of_copies.push_back(i);
            }
        }
        const double plain = estimate_mean(values).known->standard_error;
        const double of_groups = few_groups_factor(30) * plain;
        EXPECT_NEAR(estimate_mean(values, {.cluster = own}).known->standard_error, of_groups, 1e-12);
        EXPECT_NEAR(estimate_mean(copied, {.cluster = of_copies}).known->standard_error, of_groups, 1e-12);
        EXPECT_LT(estimate_mean(copied).known->standard_error, plain);
    }
}

TEST(MeanEstimate, SaysWhyThereIsNone) {
    EXPECT_EQ(estimate_mean(Values{}).reason, "not estimable: there are no rows");
    EXPECT_EQ(estimate_mean(Values{1, 2}, {.weight = Values{0, 0}}).reason, "not estimable: there are no rows");
    EXPECT_EQ(estimate_mean(Values{3}).reason, "not estimable: there is one row, which has no spread");
    EXPECT_EQ(estimate_mean(Values{3, 4}, {.weight = Values{0, 2}}).reason,
              "not estimable: there is one row, which has no spread");
    const MeanEstimate one_cluster = estimate_mean(Values{3, 4}, {.cluster = Clusters{5, 5}});
    EXPECT_EQ(one_cluster.reason, "not estimable: all rows are of one cluster, which has no spread");
    EXPECT_FALSE(one_cluster.known);
}

TEST(SimultaneousFactor, IsTheNormalQuantileForOneAndSidaksForMore) {
    EXPECT_NEAR(simultaneous_factor(1, 0.95), 1.959963984540054, 1e-12);
    EXPECT_NEAR(simultaneous_factor(0, 0.95), 1.959963984540054, 1e-12);
    EXPECT_NEAR(simultaneous_factor(1, 0.5), 0.6744897501960817, 1e-12);
    for (const std::size_t count : {2U, 10U, 1000U}) {
        const double each = 1 - 2 * normal_upper_tail(simultaneous_factor(count, 0.95));
        EXPECT_NEAR(std::pow(each, static_cast<double>(count)), 0.95, 1e-12);
        const double bonferroni = 2 * normal_upper_tail(simultaneous_factor(count, 0.95)) * static_cast<double>(count);
        EXPECT_GT(bonferroni, 0.05);  // never wider than Bonferroni's
    }
}

TEST(SimultaneousFactor, CoversIndependentAndCorrelatedMeansAtOnce) {
    constexpr int draws = 4'000;
    const double factor = simultaneous_factor(5, 0.9);
    for (const double shared : {0.0, 0.8}) {
        Rng rng(2, Draw::test, shared > 0 ? 1 : 0);
        int covered = 0;
        for (int draw = 0; draw < draws; ++draw) {
            const double common = rng.normal();
            bool all = true;
            for (int i = 0; i < 5; ++i) {
                const double z = std::sqrt(shared) * common + std::sqrt(1 - shared) * rng.normal();
                all = all && std::abs(z) <= factor;
            }
            covered += all ? 1 : 0;
        }
        const double error = 3.3 * std::sqrt(draws * 0.9 * 0.1);
        EXPECT_GT(covered, 0.9 * draws - error);
        if (shared == 0) {
            EXPECT_LT(covered, 0.9 * draws + error);
        }
    }
}

TEST(SimultaneousFactor, RefusesALevelThatIsNone) {
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [] { (void)simultaneous_factor(3, 95); }),
              "the level of an interval must be above 0 and below 1, not 95");
}

TEST(Interval, IsAsManyErrorsToEitherSide) {
    MeanEstimate estimate{ValueAndError{.value = 2, .standard_error = 0.5}, {}};
    set_interval(estimate, 3);
    EXPECT_EQ(estimate.known->low, 0.5);
    EXPECT_EQ(estimate.known->high, 3.5);
    MeanEstimate none = not_estimable("so it is");
    set_interval(none, 3);
    EXPECT_FALSE(none.known);
}

}  // namespace
}  // namespace polyrx
