// SPDX-License-Identifier: Apache-2.0
// Low propensities that are too high, and inputs out of balance among rows of the same propensity, are found.
#include "polyrx/evaluate/propensity_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/rng.hpp"

namespace polyrx {
namespace {

struct Drawn {
    Matrix inputs;
    Matrix propensities;
    std::vector<int> treatment;
};

// Treatment 1 depends on x0 and on whether x1 is large.
Drawn drawn(std::uint64_t seed, Eigen::Index rows) {
    Rng rng(seed, Draw::test);
    Drawn result{Matrix(rows, 3), Matrix(rows, 2), {}};
    for (Eigen::Index i = 0; i < rows; ++i) {
        for (int c = 0; c < 3; ++c) result.inputs(i, c) = rng.normal();
        const double p = 1 / (1 + std::exp(2 - 1.5 * result.inputs(i, 0) + (result.inputs(i, 1) > 0 ? 2 : 0)));
        result.propensities.row(i) << 1 - p, p;
        result.treatment.push_back(rng.bernoulli(p) ? 1 : 0);
    }
    return result;
}

TEST(LowPropensities, AreNotTooHighWhereTheyAreRightAndAreWhereTheyAreDrawnToTheMiddle) {
    Drawn study = drawn(1, 4'000);
    const auto right = low_propensities(study.propensities, study.treatment);
    EXPECT_FALSE(right.empty());
    EXPECT_TRUE(std::ranges::none_of(right, &LowPropensities::too_high));
    const auto within = [](const LowPropensities& low) {
        return low.from <= low.predicted && low.predicted < low.to && low.rows >= 30;
    };
    EXPECT_TRUE(std::ranges::all_of(right, within));
    study.propensities = (0.9 * study.propensities.array() + 0.05).matrix();
    EXPECT_TRUE(std::ranges::any_of(low_propensities(study.propensities, study.treatment), &LowPropensities::too_high));
}

TEST(BalanceWithinBins, IsGoodForRightPropensitiesAndFindsTheInputThatTheyMiss) {
    Drawn study = drawn(2, 6'000);
    const BalanceWithinBins right = balance_within_bins(study.inputs, study.treatment, study.propensities);
    EXPECT_GE(right.checked, 20U);
    EXPECT_LE(right.notable, 1U);
    // Without x1.
    for (Eigen::Index i = 0; i < 6'000; ++i) {
        const double p = 1 / (1 + std::exp(3 - 1.4 * study.inputs(i, 0)));
        study.propensities.row(i) << 1 - p, p;
    }
    const BalanceWithinBins wrong = balance_within_bins(study.inputs, study.treatment, study.propensities);
    EXPECT_GE(wrong.notable, 4U);
    ASSERT_TRUE(wrong.largest);
    EXPECT_EQ(wrong.largest->column, 1U);
}

TEST(BalanceWithinBins, IsPerfectWhereEverybodyReceivedTheSame) {
    Drawn study = drawn(3, 500);
    study.treatment.assign(500, 0);
    EXPECT_EQ(balance_within_bins(study.inputs, study.treatment, study.propensities).notable, 0U);
}

}  // namespace
}  // namespace polyrx
