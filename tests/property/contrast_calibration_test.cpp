// SPDX-License-Identifier: Apache-2.0
// Calibration of predicted contrasts: slopes of known size, groups that part no equals.
#include "polyrx/evaluate/effects/contrast_calibration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/scored_study.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::scored_study;
using test::ScoredSample;

TEST(ContrastCalibration, TheSlopeIsHowMuchOfADifferenceWasTrue) {
    Rng rng(1, Draw::test);
    const ScoredSample study = scored_study(rng, 8'000, 2);
    for (const double factor : {1.0, 2.0, -1.0}) {
        std::vector<double> predicted = study.contrast(1, 0);
        for (double& p : predicted) p = 3 + p * factor;  // a shift is no matter of the slope
        const Calibration calibration = calibrate_contrast(study.rows(), {1, 0, predicted});
        const ValueAndError& slope = *calibration.slope.known;
        EXPECT_NEAR(slope.value, 1 / factor, 4 * slope.standard_error);
        EXPECT_LT(slope.standard_error, 0.1);
        EXPECT_NEAR(calibration.predicted - calibration.estimated.known->value, 3,
                    4 * calibration.estimated.known->standard_error + 0.1);
    }
}

TEST(ContrastCalibration, TheErrorOfTheSlopeIsItsSpread) {
    constexpr int draws = 400;
    double sum = 0;
    double squares = 0;
    double errors = 0;
    int covered = 0;
    for (int draw = 0; draw < draws; ++draw) {
        Rng rng(2, Draw::test, static_cast<std::uint64_t>(draw));
        const ScoredSample study = scored_study(rng, 500, 2);
        const std::vector<double> predicted = study.contrast(1, 0);
        const ValueAndError slope = *calibrate_contrast(study.rows(), {1, 0, predicted}).slope.known;
        sum += slope.value;
        squares += slope.value * slope.value;
        errors += slope.standard_error;
        covered += slope.low <= 1 && 1 <= slope.high ? 1 : 0;
    }
    const double spread = std::sqrt(squares / draws - std::pow(sum / draws, 2));
    EXPECT_NEAR(errors / draws / spread, 1, 0.12);
    // The sandwich is a little small where few rows have extreme predictions.
    EXPECT_GT(covered, draws * 0.93 - 3.29 * std::sqrt(draws * 0.93 * 0.07));
}

TEST(ContrastCalibration, AGroupInWhichTooFewRowsReceivedATreatmentHasNoNumber) {
    Rng rng(4, Draw::test);
    ScoredSample study = scored_study(rng, 500, 2);
    const std::vector<double> predicted = study.contrast(1, 0);
    std::vector<double> sorted = predicted;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < 500; ++i)  // in the lowest fifth nobody received 1
        if (predicted[i] < sorted[100]) study.treatment[i] = 0;
    ScoredRows rows = study.rows();
    rows.needed_rows = 10;
    const Calibration calibration = calibrate_contrast(rows, {1, 0, predicted});
    ASSERT_EQ(calibration.groups.size(), 5U);
    EXPECT_EQ(calibration.groups[0].estimated.reason, "not estimable: too few rows: 0 effective, and 10 are needed");
    EXPECT_EQ(calibration.groups[0].rows, 100U);
    for (std::size_t g = 1; g < 5; ++g) EXPECT_TRUE(calibration.groups[g].estimated.known) << g;
}

TEST(ContrastCalibration, GroupsAreQuantilesAndAddUp) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(3, Draw::test, index);
        ScoredSample study = scored_study(rng, 203, 3);
        study.weight = test::random_weights(rng, 203);
        const std::vector<double> predicted = study.contrast(2, 1);
        const Calibration calibration = calibrate_contrast(study.rows(), {2, 1, predicted}, 5);
        ASSERT_EQ(calibration.groups.size(), 5U);
        std::size_t rows = 0;
        double last = -INFINITY;
        for (const CalibrationGroup& group : calibration.groups) {
            EXPECT_NEAR(static_cast<double>(group.rows), 203.0 / 5, 1);
            EXPECT_GT(group.lowest, last);
            EXPECT_LE(group.lowest, group.predicted);
            EXPECT_LE(group.predicted, group.highest);
            double sum = 0;
            double total = 0;
            for (std::size_t i = 0; i < 203; ++i) {
                if (predicted[i] < group.lowest || predicted[i] > group.highest) continue;
                const auto row = static_cast<Eigen::Index>(i);
                sum += study.weight[i] * (study.scores(row, 2) - study.scores(row, 1));
                total += study.weight[i];
            }
            EXPECT_NEAR(group.estimated.known->value, sum / total, 1e-10);
            EXPECT_NEAR(group.estimated.known->high - group.estimated.known->value,
                        simultaneous_factor(5, 0.95) * group.estimated.known->standard_error, 1e-12);
            last = group.highest;
            rows += group.rows;
        }
        EXPECT_EQ(rows, 203U);
    }
}

TEST(ContrastCalibration, EqualPredictionsAreNeverParted) {
    Rng rng(4, Draw::test);
    const ScoredSample study = scored_study(rng, 100, 2);
    std::vector<double> predicted(100, 1);
    for (std::size_t i = 0; i < 10; ++i) predicted[i] = 0;
    for (std::size_t i = 95; i < 100; ++i) predicted[i] = 2;
    const Calibration calibration = calibrate_contrast(study.rows(), {1, 0, predicted}, 10);
    std::vector<std::size_t> rows;
    for (const CalibrationGroup& group : calibration.groups) rows.push_back(group.rows);
    EXPECT_EQ(rows, (std::vector<std::size_t>{10, 85, 5}));
    for (double& p : predicted) p = 1;
    const Calibration flat = calibrate_contrast(study.rows(), {1, 0, predicted}, 10);
    EXPECT_EQ(flat.groups.size(), 1U);
    EXPECT_EQ(flat.slope.reason, "not estimable: the predicted contrast is the same in every row");
}

TEST(ContrastCalibration, BadInputIsOneSentence) {
    Rng rng(5, Draw::test);
    const ScoredSample study = scored_study(rng, 10, 2);
    std::vector<double> predicted(10, 1);
    const auto sentence = [&](const Contrast& contrast, std::size_t groups = 5) {
        return test::sentence_of(ErrorKind::usage, [&] { (void)calibrate_contrast(study.rows(), contrast, groups); });
    };
    EXPECT_EQ(sentence({1, 1, predicted}), "a contrast is of two treatments, not of treatment 1 with itself");
    EXPECT_EQ(sentence({2, 1, predicted}), "treatment 2 is none of 2 treatments");
    EXPECT_EQ(sentence({1, 0, std::span(predicted).first(3)}), "3 predicted contrasts but 10 rows");
    EXPECT_EQ(sentence({1, 0, predicted}, 0), "there must be at least 1 group, not 0");
    predicted[1] = INFINITY;
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)calibrate_contrast(study.rows(), {1, 0, predicted}); }),
              "row 2: the predicted contrast is inf; a finite number was expected");
}

}  // namespace
}  // namespace polyrx
