// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/truth.hpp"

#include <gtest/gtest.h>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

Matrix truth_of_three_rows() {
    Matrix truth(3, 2);
    truth << 1, 2, 5, 3, 4, 4;
    return truth;
}

TEST(ScoreAgainstTruth, CountsBestOutcomesAndMeansTheDistanceFromThem) {
    const TruthScore score = score_against_truth(std::vector<int>{0, 0, 1}, truth_of_three_rows(), false);
    EXPECT_EQ(score.rows, 3U);
    EXPECT_DOUBLE_EQ(score.accuracy, 2.0 / 3);
    EXPECT_DOUBLE_EQ(score.regret, 2.0 / 3);
    EXPECT_DOUBLE_EQ(score.outcome, 10.0 / 3);
    EXPECT_DOUBLE_EQ(score.best_outcome, 8.0 / 3);
    EXPECT_DOUBLE_EQ(score.treatment_outcomes[1], 3);
    EXPECT_DOUBLE_EQ(score.treatment_accuracies[1], 2.0 / 3);
}

TEST(ScoreAgainstTruth, CountsEitherTreatmentAsRightInATie) {
    for (const int tied : {0, 1})
        EXPECT_DOUBLE_EQ(score_against_truth(std::vector<int>{0, 1, tied}, truth_of_three_rows(), false).accuracy, 1);
}

TEST(ScoreAgainstTruth, PrefersLargeOutcomesWhenTold) {
    const TruthScore score = score_against_truth(std::vector<int>{1, 0, 0}, truth_of_three_rows(), true);
    EXPECT_DOUBLE_EQ(score.accuracy, 1);
    EXPECT_DOUBLE_EQ(score.regret, 0);
    EXPECT_DOUBLE_EQ(score_against_truth(std::vector<int>{0, 0, 0}, truth_of_three_rows(), true).regret, 1.0 / 3);
}

TEST(ScoreAgainstTruth, NeedsRowsAndAsManyPrescriptions) {
    EXPECT_THROW((void)score_against_truth(std::vector<int>{}, Matrix(0, 2), false), Error);
    EXPECT_THROW((void)score_against_truth(std::vector<int>{0}, truth_of_three_rows(), false), Error);
}

}  // namespace
}  // namespace polyrx
