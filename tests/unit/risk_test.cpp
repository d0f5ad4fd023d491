// SPDX-License-Identifier: Apache-2.0
// Risk differences and numbers needed to treat, and where there is no such interval.
#include "polyrx/evaluate/value/risk.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

MeanEstimate difference(double value, double low, double high) {
    return {ValueAndError{value, 0.1, low, high}, {}};
}

TEST(NumberNeeded, IsOneOverTheDifferenceAndItsIntervalTurnsRound) {
    const NumberNeeded needed = number_needed(difference(-0.2, -0.5, -0.1), false);
    EXPECT_EQ(needed.value, 5);
    EXPECT_EQ(needed.low, 2);
    EXPECT_EQ(needed.high, 10);
    EXPECT_TRUE(needed.to_benefit);
    EXPECT_EQ(needed.reason, "");
    const NumberNeeded harm = number_needed(difference(0.25, 0.125, 0.5), false);
    EXPECT_EQ(harm.value, 4);
    EXPECT_EQ(harm.low, 2);
    EXPECT_EQ(harm.high, 8);
    EXPECT_FALSE(harm.to_benefit);
    EXPECT_TRUE(number_needed(difference(0.25, 0.125, 0.5), true).to_benefit);
}

TEST(NumberNeeded, IsNoIntervalWhereTheDifferenceMayBeZero) {
    const NumberNeeded needed = number_needed(difference(-0.2, -0.5, 0.1), false);
    EXPECT_EQ(needed.value, 5);
    EXPECT_FALSE(needed.low);
    EXPECT_FALSE(needed.high);
    EXPECT_EQ(needed.reason, "not estimable as one interval: that of the risk difference covers 0");
    EXPECT_FALSE(number_needed(difference(0, -0.5, 0.1), false).value);
    EXPECT_FALSE(number_needed(difference(0.1, 0, 0.2), false).high);
    EXPECT_EQ(number_needed(not_estimable("there are no rows"), false).reason, "not estimable: there are no rows");
}

struct RiskRows {
    Matrix scores = (Matrix(4, 2) << 0, 1, 1, 0.5, 0.25, 0, 1, 0).finished();
    Matrix propensities = Matrix::Constant(4, 2, 0.5);
    std::vector<int> treatment = {0, 1, 0, 1};
    std::vector<double> outcome = {0, 1, 0, 1};
    std::vector<int> prescriptions = {0, 1, 1, 1};

    [[nodiscard]] ScoredRows scored() const { return {scores, propensities, treatment, outcome, prescriptions}; }
};

TEST(RiskDifference, IsPairedWithWhatWasObserved) {
    RiskRows rows;
    const RiskDifference risk = risk_difference(rows.scored());
    // Scores 0, 0.5, 0, 0 minus outcomes 0, 1, 0, 1.
    EXPECT_DOUBLE_EQ(risk.difference.known->value, -0.375);
    EXPECT_DOUBLE_EQ(risk.difference.known->standard_error,
                     std::sqrt((2 * 0.375 * 0.375 + 0.125 * 0.125 + 0.625 * 0.625) / 3 / 4));
    EXPECT_DOUBLE_EQ(*risk.needed.value, 1 / 0.375);
    EXPECT_TRUE(risk.needed.to_benefit);
}

TEST(RiskDifference, IsOfZerosAndOnes) {
    RiskRows rows;
    EXPECT_TRUE(is_binary(rows.outcome));
    rows.outcome[2] = 0.7;
    EXPECT_FALSE(is_binary(rows.outcome));
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)risk_difference(rows.scored()); }),
              "row 3: the outcome is 0.7, but risk differences are of outcomes 0 and 1");
}

TEST(RiskDifference, IsNotEstimableWhereNobodyReceivedWhatWasPrescribed) {
    RiskRows rows;
    rows.prescriptions = {1, 0, 1, 0};
    const RiskDifference risk = risk_difference(rows.scored());
    EXPECT_EQ(risk.difference.reason, "not estimable: no row received what was prescribed");
    EXPECT_EQ(risk.needed.reason, risk.difference.reason);
}

}  // namespace
}  // namespace polyrx
