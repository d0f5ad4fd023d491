// SPDX-License-Identifier: Apache-2.0
// RATE and Qini: against literal twins, errors against derivatives and half-samples, and rankings of known worth.
#include "polyrx/evaluate/effects/rate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scored_study.hpp"
#include "tests/support/slow_ranking.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::scored_study;
using test::ScoredSample;

std::vector<double> gains_of(const ScoredSample& study) {
    std::vector<double> gains;
    for (Eigen::Index i = 0; i < study.scores.rows(); ++i)
        gains.push_back((study.scores(i, 1) - study.scores(i, 0)) * (study.larger_is_better ? 1 : -1));
    return gains;
}

std::vector<double> random_priority(Rng& rng, std::size_t rows) {
    std::vector<double> priority;
    for (std::size_t i = 0; i < rows; ++i) priority.push_back(rng.normal());
    return priority;
}

TEST(Rate, IsTheLiteralOne) {
    for (std::uint64_t index = 0; index < 30; ++index) {
        Rng rng(1, Draw::test, index);
        ScoredSample study = scored_study(rng, 70, 2);
        study.weight = test::random_weights(rng, 70);
        study.larger_is_better = index % 2 == 0;
        const std::vector<double> priority = random_priority(rng, 70);
        const RankedGain ranked = ranked_gain(study.rows(), priority);
        const test::SlowRate slow = test::slow_rate(priority, gains_of(study), study.weight);
        EXPECT_NEAR(ranked.autoc.known->value, slow.autoc, 1e-12);
        EXPECT_NEAR(ranked.qini.known->value, slow.qini, 1e-12);
    }
}

TEST(Rate, RowsOfEqualPriorityComeInTheAverageOrder) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(2, Draw::test, index);
        const ScoredSample study = scored_study(rng, 7, 2);
        std::vector<double> priority;
        for (int i = 0; i < 7; ++i) priority.push_back(static_cast<double>(rng.below(3)));
        priority[0] = 3;
        const RankedGain ranked = ranked_gain(study.rows(), priority);
        const test::SlowRate slow = test::slow_rate_of_ties(priority, gains_of(study));
        EXPECT_NEAR(ranked.autoc.known->value, slow.autoc, 1e-12);
        EXPECT_NEAR(ranked.qini.known->value, slow.qini, 1e-12);
    }
}

// n / (n - 1) sum_i (w_i d/dw_i)^2, by differences.
TEST(Rate, ItsErrorIsTheInfinitesimalJackknife) {
    for (std::uint64_t index = 0; index < 10; ++index) {
        Rng rng(3, Draw::test, index);
        ScoredSample study = scored_study(rng, 40, 2);
        study.weight = test::random_weights(rng, 40);
        const std::vector<double> priority = random_priority(rng, 40);
        const std::vector<double> gains = gains_of(study);
        test::SlowRate squares;
        for (std::size_t i = 0; i < 40; ++i) {
            constexpr double step = 1e-5;
            std::vector<double> more = study.weight;
            std::vector<double> less = study.weight;
            more[i] += step;
            less[i] -= step;
            const test::SlowRate up = test::slow_rate(priority, gains, more);
            const test::SlowRate down = test::slow_rate(priority, gains, less);
            squares.autoc += std::pow(study.weight[i] * (up.autoc - down.autoc) / (2 * step), 2);
            squares.qini += std::pow(study.weight[i] * (up.qini - down.qini) / (2 * step), 2);
        }
        const RankedGain ranked = ranked_gain(study.rows(), priority);
        EXPECT_NEAR(ranked.autoc.known->standard_error, std::sqrt(squares.autoc * 40 / 39), 1e-6);
        EXPECT_NEAR(ranked.qini.known->standard_error, std::sqrt(squares.qini * 40 / 39), 1e-6);
    }
}

TEST(Rate, ItsErrorIsNearThatOfHalfSamples) {
    Rng rng(4, Draw::test);
    const ScoredSample study = scored_study(rng, 600, 2);
    const std::vector<double> priority = study.contrast(0, 1);
    const RankedGain ranked = ranked_gain(study.rows(), priority);
    const test::SlowRate slow = test::half_sample_errors(rng, priority, gains_of(study), 300);
    EXPECT_NEAR(ranked.autoc.known->standard_error / slow.autoc, 1, 0.2);
    EXPECT_NEAR(ranked.qini.known->standard_error / slow.qini, 1, 0.2);
}

TEST(Rate, OfARandomRankingIsZeroWithinItsIntervalAsOftenAsItSays) {
    constexpr int draws = 500;
    int autoc = 0;
    int qini = 0;
    for (int draw = 0; draw < draws; ++draw) {
        Rng rng(5, Draw::test, static_cast<std::uint64_t>(draw));
        const ScoredSample study = scored_study(rng, 400, 2);
        // Every other draw with many ties.
        std::vector<double> priority = random_priority(rng, 400);
        if (draw % 2 == 0)
            for (double& p : priority) p = std::round(p);
        const RankedGain ranked = ranked_gain(study.rows(), priority);
        autoc += std::abs(ranked.autoc.known->value) < 1.96 * ranked.autoc.known->standard_error ? 1 : 0;
        qini += std::abs(ranked.qini.known->value) < 1.96 * ranked.qini.known->standard_error ? 1 : 0;
    }
    const double error = 3.29 * std::sqrt(draws * 0.95 * 0.05);
    EXPECT_NEAR(autoc, 0.95 * draws, error);
    EXPECT_NEAR(qini, 0.95 * draws, error);
}

TEST(Rate, OfTheTrueRankingIsPositiveAndOfTheReverseNegative) {
    Rng rng(6, Draw::test);
    const ScoredSample study = scored_study(rng, 4'000, 2);
    const RankedGain right = ranked_gain(study.rows(), study.contrast(0, 1));  // costs: what 0 has more than 1
    const RankedGain wrong = ranked_gain(study.rows(), study.contrast(1, 0));
    EXPECT_GT(right.autoc.known->low, 0);
    EXPECT_GT(right.qini.known->low, 0);
    EXPECT_LT(wrong.autoc.known->high, 0);
    EXPECT_LT(wrong.qini.known->high, 0);
    // The gain is standard normal: u TOC(u) is its density at the quantile, whose mean is 1 / (2 sqrt(pi)).
    EXPECT_NEAR(right.qini.known->value, 0.5 / std::sqrt(3.14159265), 4 * right.qini.known->standard_error);
}

TEST(QiniCurve, GoesFromNobodyToEverybody) {
    Rng rng(7, Draw::test);
    ScoredSample study = scored_study(rng, 333, 2);
    study.weight = test::random_weights(rng, 333);
    const std::vector<double> priority = study.contrast(0, 1);
    const auto curve = ranked_gain(study.rows(), priority).qini_curve;
    ASSERT_EQ(curve.size(), 101U);
    EXPECT_EQ(curve.front().share, 0);
    EXPECT_EQ(curve.front().gain, 0);
    EXPECT_EQ(curve.back().share, 1);
    EXPECT_NEAR(curve.back().gain, curve.back().random, 1e-12);
    // By definition: what the first rows gain, the last of them in part.
    const std::vector<double> gains = gains_of(study);
    double total = 0;
    for (const double w : study.weight) total += w;
    for (const QiniPoint& point : curve) {
        double left = point.share * total;
        double gain = 0;
        for (const std::size_t row : test::by_priority(priority)) {
            const double part = std::min(left, study.weight[row]);
            gain += part * gains[row];
            left -= part;
        }
        EXPECT_NEAR(point.gain, gain / total, 1e-10);
    }
}

TEST(Rate, DoesNotDependOnTheOrderOfRowsNorOnTheScaleOfPriorities) {
    Rng rng(8, Draw::test);
    const ScoredSample study = scored_study(rng, 120, 2);
    std::vector<double> priority = random_priority(rng, 120);
    for (double& p : priority) p = std::round(4 * p);
    const RankedGain before = ranked_gain(study.rows(), priority);
    const auto order = test::random_order(rng, 120);
    std::vector<double> moved;
    for (const std::size_t row : order) moved.push_back(std::exp(priority[row] / 10));
    const RankedGain after = ranked_gain(reordered(study, order).rows(), moved);
    EXPECT_NEAR(before.autoc.known->value, after.autoc.known->value, 1e-12);
    EXPECT_NEAR(before.autoc.known->standard_error, after.autoc.known->standard_error, 1e-12);
    EXPECT_NEAR(before.qini.known->standard_error, after.qini.known->standard_error, 1e-12);
    EXPECT_NEAR(before.qini_curve[37].gain, after.qini_curve[37].gain, 1e-12);
}

TEST(Rate, SaysWhatItCannotDo) {
    Rng rng(9, Draw::test);
    const ScoredSample study = scored_study(rng, 20, 2);
    const RankedGain flat = ranked_gain(study.rows(), std::vector<double>(20, 1));
    EXPECT_EQ(flat.autoc.reason, "not estimable: every row has the same priority");
    EXPECT_EQ(flat.qini.reason, flat.autoc.reason);
    const ScoredSample three = scored_study(rng, 20, 3);
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)ranked_gain(three.rows(), std::vector<double>(20, 1)); }),
              "RATE and Qini are of two treatments, and there are 3");
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)ranked_gain(study.rows(), std::vector<double>(19, 1)); }),
              "19 priorities but 20 rows");
    std::vector<double> priority(20, 1);
    priority[4] = std::nan("");
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)ranked_gain(study.rows(), priority); }),
              "row 5: the priority is not a number");
}

}  // namespace
}  // namespace polyrx
