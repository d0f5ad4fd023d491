// SPDX-License-Identifier: Apache-2.0
// Low propensities that are too high, and inputs out of balance among rows of the same propensity, are found.
#include "polyrx/evaluate/overlap/propensity_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

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

// Each row as many times as its weight says, in its place.
Drawn repeated(const Drawn& study, std::span<const double> weight) {
    std::vector<Eigen::Index> rows;
    for (std::size_t i = 0; i < weight.size(); ++i)
        rows.insert(rows.end(), static_cast<std::size_t>(weight[i]), static_cast<Eigen::Index>(i));
    Drawn result{study.inputs(rows, Eigen::all), study.propensities(rows, Eigen::all), {}};
    for (const Eigen::Index row : rows) result.treatment.push_back(study.treatment[static_cast<std::size_t>(row)]);
    return result;
}

// From 0 to `most`.
std::vector<double> whole_weights(std::uint64_t seed, std::size_t rows, std::uint64_t most) {
    Rng rng(seed, Draw::test, 1);
    std::vector<double> weight(rows);
    for (double& each : weight) each = static_cast<double>(rng.below(most + 1));
    return weight;
}

void expect_same(const BalanceWithinBins& one, const BalanceWithinBins& other) {
    EXPECT_EQ(one.checked, other.checked);
    EXPECT_EQ(one.notable, other.notable);
    ASSERT_EQ(one.largest.has_value(), other.largest.has_value());
    if (!one.largest) return;
    EXPECT_EQ(one.largest->column, other.largest->column);
    EXPECT_EQ(one.largest->treatment, other.largest->treatment);
    EXPECT_EQ(one.largest->fifth, other.largest->fifth);
    EXPECT_EQ(one.largest->difference, other.largest->difference);
}

TEST(LowPropensities, AreTooHighWhereNobodyReceivedWhatAFewShouldHave) {
    // 7.2 of 600 rows are expected to have received treatment 1; that none did has a chance of 0.0007. Of 500 rows, 6.
    for (const auto& [rows, too_high] : {std::pair{600, true}, {500, false}}) {
        Matrix propensities(rows, 2);
        propensities.col(0).setConstant(0.988);
        propensities.col(1).setConstant(0.012);
        const auto low = low_propensities(propensities, std::vector<int>(static_cast<std::size_t>(rows), 0));
        ASSERT_EQ(low.size(), 1U);
        EXPECT_EQ(low.front().too_high, too_high) << rows;
    }
}

TEST(LowPropensities, OfWholeWeightsHaveTheSharesOfRepeatedRows) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Drawn study = drawn(seed, 3'000);
        const std::vector<double> weight = whole_weights(seed, study.treatment.size(), 4);
        const auto weighted = low_propensities(study.propensities, study.treatment, weight);
        const Drawn often = repeated(study, weight);
        const auto counted = low_propensities(often.propensities, often.treatment);
        ASSERT_GE(weighted.size(), 3U);
        for (const LowPropensities& low : weighted) {
            // A row counts once, whatever it weighs, so a bin of repeated rows has 30 of them sooner.
            const auto same = std::ranges::find_if(counted, [&](const LowPropensities& other) {
                return other.treatment == low.treatment && other.from == low.from;
            });
            ASSERT_NE(same, counted.end());
            EXPECT_LT(low.rows, same->rows);
            EXPECT_NEAR(low.predicted, same->predicted, 1e-12);
            EXPECT_NEAR(low.observed, same->observed, 1e-12);
        }
    }
}

TEST(LowPropensities, AreTooHighWhereTheRowsThatWeighMostShowIt) {
    // All have the propensity 0.15, but one row in 15 never receives 1. Expected, in standard errors: 1.3 below what is
    // predicted if all rows count alike, and 4.8 if these weigh 20.
    Rng rng(6, Draw::test);
    Matrix propensities(2'000, 2);
    std::vector<int> treatment;
    std::vector<double> weight;
    for (Eigen::Index i = 0; i < propensities.rows(); ++i) {
        propensities.row(i) << 0.85, 0.15;
        const bool never = i % 15 == 0;
        treatment.push_back(!never && rng.bernoulli(0.15) ? 1 : 0);
        weight.push_back(never ? 20 : 1);
    }
    EXPECT_TRUE(std::ranges::none_of(low_propensities(propensities, treatment), &LowPropensities::too_high));
    EXPECT_TRUE(std::ranges::any_of(low_propensities(propensities, treatment, weight), &LowPropensities::too_high));
}

TEST(PropensityChecks, DoNotChangeWithWeightsOfOne) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Drawn study = drawn(seed, 2'000);
        if (seed % 2 == 0) study.propensities = (0.8 * study.propensities.array() + 0.1).matrix();
        const std::vector<double> ones(study.treatment.size(), 1);
        const auto weighted = low_propensities(study.propensities, study.treatment, ones);
        const auto plain = low_propensities(study.propensities, study.treatment);
        ASSERT_EQ(weighted.size(), plain.size());
        for (std::size_t i = 0; i < plain.size(); ++i) {
            EXPECT_EQ(weighted[i].rows, plain[i].rows);
            EXPECT_EQ(weighted[i].predicted, plain[i].predicted);
            EXPECT_EQ(weighted[i].observed, plain[i].observed);
            EXPECT_EQ(weighted[i].too_high, plain[i].too_high);
        }
        expect_same(balance_within_bins(study.inputs, study.treatment, study.propensities, ones),
                    balance_within_bins(study.inputs, study.treatment, study.propensities));
    }
}

TEST(PropensityChecks, LeaveOutRowsOfWeightZero) {
    Drawn study = drawn(7, 3'000);
    study.propensities = Matrix::Constant(3'000, 2, 0.15);
    const std::vector<double> weight = whole_weights(7, study.treatment.size(), 1);
    const Drawn kept = repeated(study, weight);
    const auto weighted = low_propensities(study.propensities, study.treatment, weight);
    const auto without = low_propensities(kept.propensities, kept.treatment);
    ASSERT_EQ(weighted.size(), without.size());
    for (std::size_t i = 0; i < weighted.size(); ++i) {
        EXPECT_EQ(weighted[i].rows, without[i].rows);
        EXPECT_EQ(weighted[i].observed, without[i].observed);
        EXPECT_EQ(weighted[i].too_high, without[i].too_high);
    }
    const BalanceWithinBins balance = balance_within_bins(study.inputs, study.treatment, study.propensities, weight);
    EXPECT_GT(balance.notable, 0U);
    expect_same(balance, balance_within_bins(kept.inputs, kept.treatment, kept.propensities));
}

TEST(BalanceWithinBins, IsThatOfTheWeightedRows) {
    // A trial in which 1 was given to every other row. With the weights, rows with x1 > 0 received it more often.
    Drawn study = drawn(8, 4'000);
    std::vector<double> weight(study.treatment.size(), 1);
    for (std::size_t i = 0; i < weight.size(); ++i) {
        study.treatment[i] = static_cast<int>(i % 2);
        study.propensities.row(static_cast<Eigen::Index>(i)) << 0.5, 0.5;
        if (study.treatment[i] == 1 && study.inputs(static_cast<Eigen::Index>(i), 1) > 0) weight[i] = 9;
    }
    EXPECT_EQ(balance_within_bins(study.inputs, study.treatment, study.propensities).notable, 0U);
    const BalanceWithinBins weighted = balance_within_bins(study.inputs, study.treatment, study.propensities, weight);
    EXPECT_EQ(weighted.notable, 5U);  // x1 of treatment 0, which has 1 / 6 of the weight, in each fifth
    ASSERT_TRUE(weighted.largest);
    EXPECT_EQ(weighted.largest->column, 1U);
    EXPECT_EQ(weighted.largest->treatment, 0);
    // Propensities are equal, so a fifth has 800 rows in the order of the study.
    const Vector w = Eigen::Map<const Vector>(weight.data(), 4'000);
    const Vector x1 = study.inputs.col(1);
    const auto mean = [](const Vector& values, const Vector& weights) { return values.dot(weights) / weights.sum(); };
    const double deviation = std::sqrt(mean((x1.array() - mean(x1, w)).square().matrix(), w));
    const Eigen::Index first = Eigen::Index{800} * weighted.largest->fifth;
    Vector received = w.segment(first, 800);
    for (Eigen::Index i = 0; i < 800; ++i)
        if (study.treatment[static_cast<std::size_t>(first + i)] != 0) received[i] = 0;
    const Vector part = x1.segment(first, 800);
    EXPECT_NEAR(weighted.largest->difference, (mean(part, received) - mean(part, w.segment(first, 800))) / deviation,
                1e-12);
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
