// SPDX-License-Identifier: Apache-2.0
// A policy against the best constant: the formula, the level under two nulls, and that it sees a gain.
#include "polyrx/evaluate/personalising.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/scored_study.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::scored_study;
using test::ScoredStudy;

TEST(Personalising, IsPairedByRowAndChoosesTheConstantByOtherFolds) {
    for (std::uint64_t index = 0; index < 30; ++index) {
        Rng rng(1, Draw::test, index);
        ScoredStudy study = scored_study(rng, 90, 3, [](double, double, int) { return 0.0; });
        study.weight = test::random_weights(rng, 90);
        study.larger_is_better = index % 2 == 1;
        const auto folds = k_folds(study.treatment, 3, index);
        const PersonalisingTest test = test_personalising(study.rows(), folds);
        const double sign = study.larger_is_better ? 1 : -1;
        double sum = 0;
        double total = 0;
        for (std::size_t f = 0; f < 3; ++f) {
            int best = 0;
            std::vector<double> means(3, 0);
            for (int k = 0; k < 3; ++k) {
                for (const std::size_t row : folds[f].kept)
                    means[static_cast<std::size_t>(k)] +=
                        sign * study.weight[row] * study.scores(static_cast<Eigen::Index>(row), k);
                if (means[static_cast<std::size_t>(k)] > means[static_cast<std::size_t>(best)]) best = k;
            }
            EXPECT_EQ(test.best[f], best);
            for (const std::size_t row : folds[f].held_out) {
                const auto i = static_cast<Eigen::Index>(row);
                sum += study.weight[row] * sign * (study.scores(i, study.prescriptions[row]) - study.scores(i, best));
                total += study.weight[row];
            }
        }
        EXPECT_NEAR(test.over_best.known->value, sum / total, 1e-12);
        double worst = 0;
        for (const MeanEstimate& over : test.over_each)
            worst = std::max(worst, normal_upper_tail(over.known->value / over.known->standard_error));
        EXPECT_DOUBLE_EQ(*test.p_value, worst);
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
        const ScoredStudy study = scored_study(rng, 250, 2, effect);
        const auto folds = k_folds(study.treatment, 5, static_cast<std::uint64_t>(draw));
        const PersonalisingTest test = test_personalising(study.rows(), folds);
        rates.rejected += *test.p_value < 0.05 ? 1 : 0;
        rates.covered += test.over_best.known->low <= 0 && 0 <= test.over_best.known->high ? 1 : 0;
    }
    return rates;
}

TEST(Personalising, KeepsItsLevelWhereOneConstantIsBestAndThePolicyIsAsGood) {
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
    EXPECT_NEAR(rates.covered, 0.95 * draws, error);
}

TEST(Personalising, KeepsItsLevelWhereAllTreatmentsAreEqual) {
    constexpr double draws = 1'000;
    const Rates rates = rates_under(3, [](double, double, int) { return 0.0; }, 1'000);
    const double error = 3.29 * std::sqrt(draws * 0.05 * 0.95);
    EXPECT_LT(rates.rejected, 0.05 * draws + error);
    EXPECT_NEAR(rates.covered, 0.95 * draws, error);
}

TEST(Personalising, SeesAGainAndALoss) {
    Rng rng(4, Draw::test);
    ScoredStudy study = scored_study(rng, 2'000, 2);  // treatment 1 adds x0
    const auto folds = k_folds(study.treatment, 5, 1);
    study.larger_is_better = true;
    const PersonalisingTest gain = test_personalising(study.rows(), folds);
    EXPECT_LT(*gain.p_value, 1e-6);
    EXPECT_NEAR(gain.over_best.known->value, std::sqrt(1 / (2 * 3.14159265)), 4 * gain.over_best.known->standard_error);
    study.larger_is_better = false;
    const PersonalisingTest loss = test_personalising(study.rows(), folds);
    EXPECT_GT(*loss.p_value, 0.999);
    EXPECT_LT(loss.over_best.known->high, 0);
}

TEST(Personalising, APolicyThatIsTheConstantGainsNothing) {
    Rng rng(5, Draw::test);
    ScoredStudy study = scored_study(rng, 300, 2, [](double, double, int k) { return 5.0 * k; });
    study.prescriptions.assign(300, 0);
    const PersonalisingTest test = test_personalising(study.rows(), k_folds(study.treatment, 5, 1));
    EXPECT_EQ(test.best, std::vector<int>(5, 0));
    EXPECT_EQ(test.over_best.known->value, 0);
    EXPECT_EQ(test.over_best.known->high, 0);
    EXPECT_EQ(*test.p_value, 1);
}

TEST(Personalising, IsNotEstimableWhereNobodyReceivedWhatWasPrescribed) {
    Rng rng(6, Draw::test);
    ScoredStudy study = scored_study(rng, 40, 2);
    for (std::size_t i = 0; i < 40; ++i) study.prescriptions[i] = 1 - study.treatment[i];
    const PersonalisingTest test = test_personalising(study.rows(), k_folds(study.treatment, 2, 1));
    EXPECT_EQ(test.over_best.reason, "not estimable: no row received what was prescribed");
    EXPECT_EQ(test.over_each[1].reason, test.over_best.reason);
    EXPECT_EQ(test.p_value, std::nullopt);
}

TEST(Personalising, RefusesFoldsThatAreNone) {
    Rng rng(7, Draw::test);
    const ScoredStudy study = scored_study(rng, 20, 2);
    auto folds = k_folds(study.treatment, 4, 1);
    EXPECT_EQ(test::sentence_of(Trouble::usage, [&] { (void)test_personalising(study.rows(), {}); }),
              "there must be at least 2 folds, not 0");
    folds[0].held_out = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    EXPECT_NE(test::sentence_of(Trouble::usage, [&] { (void)test_personalising(study.rows(), folds); })
                  .find("is held out by 2 folds, not by exactly one"),
              std::string::npos);
}

}  // namespace
}  // namespace polyrx
