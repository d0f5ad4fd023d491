// SPDX-License-Identifier: Apache-2.0
// A policy against the best constant: the definition, the level under two nulls, and that it sees a gain.
#include "polyrx/evaluate/effects/personalizing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "polyrx/evaluate/value/bounded_interval.hpp"
#include "polyrx/statistics/normal_quantile.hpp"
#include "tests/support/scored_study.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::scored_study;
using test::ScoredSample;

TEST(Personalizing, IsTheSmallestOfThePairedGains) {
    for (std::uint64_t index = 0; index < 30; ++index) {
        Rng rng(1, Draw::test, index);
        ScoredSample study = scored_study(rng, 90, 3, [](double, double, int) { return 0.0; });
        study.weight = test::random_weights(rng, 90);
        study.larger_is_better = index % 2 == 1;
        const PersonalizingTest test = test_personalizing(study.rows());
        const double sign = study.larger_is_better ? 1 : -1;
        double smallest = INFINITY;
        double low = INFINITY;
        double high = INFINITY;
        double p = 0;
        for (int k = 0; k < 3; ++k) {
            double sum = 0;
            double total = 0;
            for (std::size_t row = 0; row < 90; ++row) {
                const auto i = static_cast<Eigen::Index>(row);
                sum += study.weight[row] * sign * (study.scores(i, study.prescriptions[row]) - study.scores(i, k));
                total += study.weight[row];
            }
            const ValueAndError& over = *test.over_each[static_cast<std::size_t>(k)].known;
            EXPECT_NEAR(over.value, sum / total, 1e-12);
            smallest = std::min(smallest, over.value);
            low = std::min(low, over.value - 1.959964 * over.standard_error);
            high = std::min(high, over.value + 2.393980 * over.standard_error);  // tails of 0.025 / 3
            p = std::max(p, normal_upper_tail(over.value / over.standard_error));
        }
        EXPECT_EQ(test.over_best.known->value, smallest);
        EXPECT_EQ(test.over_each[static_cast<std::size_t>(*test.best)].known->value, smallest);
        EXPECT_NEAR(test.over_best.known->low, low, 1e-5);
        EXPECT_NEAR(test.over_best.known->high, high, 1e-5);
        EXPECT_DOUBLE_EQ(*test.p_value, p);
        EXPECT_EQ(*test.p_value < 0.025, test.over_best.known->low > 0);
    }
}

TEST(Personalizing, GainsOverEachTreatmentHoldAtOnceByBonferroni) {
    Rng rng(9, Draw::test);
    ScoredSample study = scored_study(rng, 90, 3);
    ScoredRows rows = study.rows();
    std::vector<TreatmentSet> supported(90, all_treatments(3));
    for (std::size_t i = 0; i < 30; ++i) supported[i] &= ~only(2);
    rows.supported = supported;
    rows.range = {-5, 5, RangeOrigin::declared};
    const double factor = bonferroni_factor(3, 0.95);
    const PersonalizingTest test = test_personalizing(rows);
    EXPECT_TRUE(test.over_each[2].known->upper);
    for (MeanEstimate over : test.over_each) {
        const ValueAndError found = *over.known;
        set_interval(over, factor);
        EXPECT_DOUBLE_EQ(found.low, over.known->low);
        EXPECT_DOUBLE_EQ(found.high, over.known->high);
    }
}

struct Rates {
    double rejected = 0;  // at 5 %
    double covered = 0;   // gain 0 by the 95 % interval
};

template <class Effect>
Rates rates_under(std::uint64_t seed, const Effect& effect, int draws) {
    Rates rates;
    for (int draw = 0; draw < draws; ++draw) {
        Rng rng(seed, Draw::test, static_cast<std::uint64_t>(draw));
        const ScoredSample study = scored_study(rng, 250, 2, effect);
        const PersonalizingTest test = test_personalizing(study.rows());
        rates.rejected += *test.p_value < 0.05 ? 1 : 0;
        rates.covered += test.over_best.known->low <= 0 && 0 <= test.over_best.known->high ? 1 : 0;
    }
    return rates;
}

TEST(Personalizing, KeepsItsLevelWhereOneConstantIsBestAndThePolicyIsAsGood) {
    // Where x0 > 0, and 1 is prescribed, treatments differ by the sign of x1, as often to the good as to the bad. Where
    // x0 < 0, 1 is worse by far, so the best constant is 0 and worth what the policy is.
    constexpr double draws = 1'000;
    const Rates rates = rates_under(
        2, [](double x0, double x1, int k) { return k == 0   ? 0.0
                                                    : x0 < 0 ? 2.0
                                                    : x1 < 0 ? -1.0
                                                             : 1.0; }, 1'000);
    const double error = 3.29 * std::sqrt(draws * 0.05 * 0.95);  // 99.9 % of binomials are within it
    EXPECT_NEAR(rates.rejected, 0.05 * draws, error);
    EXPECT_GT(rates.covered, 0.95 * draws - error);
}

TEST(Personalizing, KeepsItsLevelWhereAllTreatmentsAreEqual) {
    constexpr double draws = 1'000;
    const Rates rates = rates_under(3, [](double, double, int) { return 0.0; }, 1'000);
    const double error = 3.29 * std::sqrt(draws * 0.05 * 0.95);
    EXPECT_LT(rates.rejected, 0.05 * draws + error);
    EXPECT_GT(rates.covered, 0.95 * draws - error);
}

TEST(Personalizing, SeesAGainAndALoss) {
    Rng rng(4, Draw::test);
    ScoredSample study = scored_study(rng, 2'000, 2);  // treatment 1 adds x0
    study.larger_is_better = true;
    const PersonalizingTest gain = test_personalizing(study.rows());
    EXPECT_LT(*gain.p_value, 1e-6);
    EXPECT_NEAR(gain.over_best.known->value, std::sqrt(1 / (2 * 3.14159265)), 4 * gain.over_best.known->standard_error);
    study.larger_is_better = false;
    const PersonalizingTest loss = test_personalizing(study.rows());
    EXPECT_GT(*loss.p_value, 0.999);
    EXPECT_LT(loss.over_best.known->high, 0);
}

TEST(Personalizing, APolicyThatIsTheConstantGainsNothing) {
    Rng rng(5, Draw::test);
    ScoredSample study = scored_study(rng, 300, 2, [](double, double, int k) { return 5.0 * k; });
    study.prescriptions.assign(300, 0);
    const PersonalizingTest test = test_personalizing(study.rows());
    EXPECT_EQ(test.best, 0);
    EXPECT_EQ(test.over_best.known->value, 0);
    EXPECT_EQ(test.over_best.known->high, 0);
    EXPECT_EQ(*test.p_value, 1);
}

TEST(Personalizing, IsNotEstimableWhereNobodyReceivedWhatWasPrescribed) {
    Rng rng(6, Draw::test);
    ScoredSample study = scored_study(rng, 40, 2);
    for (std::size_t i = 0; i < 40; ++i) study.prescriptions[i] = 1 - study.treatment[i];
    const PersonalizingTest test = test_personalizing(study.rows());
    EXPECT_EQ(test.over_best.reason, "not estimable: no row received what was prescribed");
    EXPECT_EQ(test.over_each[1].reason, test.over_best.reason);
    EXPECT_EQ(test.p_value, std::nullopt);
}

TEST(Personalizing, OfOneRowIsNotEstimable) {
    Rng rng(7, Draw::test);
    ScoredSample study = scored_study(rng, 1, 2);
    study.prescriptions = study.treatment;
    const PersonalizingTest test = test_personalizing(study.rows());
    EXPECT_EQ(test.over_best.reason, "not estimable: there is one row, which has no spread");
    EXPECT_EQ(test.p_value, std::nullopt);
}

TEST(Personalizing, BadInputIsOneSentence) {
    Rng rng(8, Draw::test);
    ScoredSample study = scored_study(rng, 5, 2);
    study.weight.assign(5, 0);
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)test_personalizing(study.rows()); }),
              "the weight is 0 in every row, so no row counts");
}

}  // namespace
}  // namespace polyrx
