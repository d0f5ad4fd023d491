// SPDX-License-Identifier: Apache-2.0
// Values of policies: the formulas, what they must not depend on, and that they are right on average where they should
// be.
#include "polyrx/evaluate/value/policy_value.hpp"

#include <gtest/gtest.h>

#include "polyrx/nuisance/doubly_robust.hpp"
#include "polyrx/statistics/few_groups.hpp"
#include "tests/support/estimators.hpp"
#include "tests/support/overlap_study.hpp"
#include "tests/support/slow_policy_value.hpp"

namespace polyrx {
namespace {

using test::overlap_policy_value;
using test::overlap_study;
using test::OverlapStudy;

// Rows whose predictions are off, with weights that are eighths.
struct Judged {
    OverlapStudy study;
    Matrix outcomes;
    std::vector<double> weight;

    [[nodiscard]] EvaluatedRows rows() const {
        return {study.treatment, study.outcome, outcomes, study.propensities, weight};
    }
};

Judged judged_rows(Rng& rng, Eigen::Index rows) {
    Judged judged{overlap_study(rng, rows), {}, {}};
    judged.outcomes = judged.study.truth;
    for (double& outcome : judged.outcomes.reshaped()) outcome += 0.5 * rng.normal();
    for (Eigen::Index i = 0; i < rows; ++i) judged.weight.push_back(static_cast<double>(1 + rng.below(16)) / 8);
    return judged;
}

TEST(PolicyValue, IsTheFormula) {
    for (std::uint64_t index = 0; index < 40; ++index) {
        Rng rng(1, Draw::test, index);
        const Judged judged = judged_rows(rng, 20 + static_cast<Eigen::Index>(rng.below(60)));
        EvaluatedRows rows = judged.rows();
        if (index % 2 == 0) rows.weight = {};
        const double least = index % 3 == 0 ? 0.3 : 0.02;
        for (const Estimator estimator : test::every_estimator) {
            const ValueEstimate fast = policy_value(rows, judged.study.policy, estimator, least);
            const test::SlowEstimate slow = test::slow_policy_value(rows, judged.study.policy, estimator, least);
            EXPECT_NEAR(fast.value.value(), slow.value, 1e-12);
            EXPECT_EQ(fast.standard_error.has_value(), estimator != Estimator::dm);
            if (fast.standard_error) {
                EXPECT_NEAR(*fast.standard_error, slow.standard_error, 1e-12);
                EXPECT_NEAR(std::accumulate(fast.influence.begin(), fast.influence.end(), 0.0), 0, 1e-12);
            }
        }
    }
}

TEST(PolicyValue, IsTheMeanOfDoublyRobustScores) {
    Rng rng(2, Draw::test);
    const Judged judged = judged_rows(rng, 100);
    const DoublyRobust scores = doubly_robust_from(judged.outcomes, judged.study.propensities, judged.study.treatment,
                                                   judged.study.outcome, 0.2);
    EXPECT_NEAR(policy_value(judged.rows(), judged.study.policy, Estimator::dr, 0.2).value.value(),
                doubly_robust_value(scores.scores, judged.study.policy, judged.weight), 1e-12);
}

TEST(PolicyValue, CountsRowsThatMatchAndThoseThatAreClipped) {
    Rng rng(3, Draw::test);
    const Judged judged = judged_rows(rng, 200);
    std::size_t matched = 0;
    std::size_t clipped = 0;
    for (std::size_t i = 0; i < 200; ++i) {
        const int p = judged.study.policy[i];
        if (judged.study.treatment[i] != p) continue;
        ++matched;
        clipped += judged.study.propensities(static_cast<Eigen::Index>(i), p) < 0.35 ? 1 : 0;
    }
    for (const Estimator estimator : test::every_estimator) {
        const ValueEstimate value = policy_value(judged.rows(), judged.study.policy, estimator, 0.35);
        EXPECT_EQ(value.rows, 200U);
        EXPECT_EQ(value.matched, matched);
        EXPECT_EQ(value.clipped, estimator == Estimator::dm ? 0 : clipped);
        EXPECT_EQ(value.clipped_share, static_cast<double>(value.clipped) / 200);
    }
    EXPECT_GT(clipped, 10U);
}

TEST(PolicyValue, AWeightOfTwoIsARowTwice) {
    Rng rng(4, Draw::test);
    Judged judged = judged_rows(rng, 60);
    judged.weight.assign(60, 1);
    for (std::size_t i = 0; i < 60; i += 3) judged.weight[i] = 2;
    std::vector<std::size_t> twice;
    for (std::size_t i = 0; i < 60; ++i) twice.insert(twice.end(), i % 3 == 0 ? 2 : 1, i);
    OverlapStudy doubled;
    for (const std::size_t i : twice) {
        doubled.treatment.push_back(judged.study.treatment[i]);
        doubled.outcome.push_back(judged.study.outcome[i]);
        doubled.policy.push_back(judged.study.policy[i]);
    }
    const Matrix outcomes = judged.outcomes(twice, Eigen::all);
    const Matrix propensities = judged.study.propensities(twice, Eigen::all);
    const EvaluatedRows rows{doubled.treatment, doubled.outcome, outcomes, propensities};
    for (const Estimator estimator : test::every_estimator)
        EXPECT_NEAR(policy_value(judged.rows(), judged.study.policy, estimator, 0.02).value.value(),
                    policy_value(rows, doubled.policy, estimator, 0.02).value.value(), 1e-12);
    EXPECT_NEAR(value_as_treated(judged.rows()).value.value(), value_as_treated(rows).value.value(), 1e-12);
}

TEST(PolicyValue, FollowsTheUnitsOfTheOutcome) {
    Rng rng(5, Draw::test);
    const Judged judged = judged_rows(rng, 80);
    for (const auto& [scale, shift] : {std::pair{-3.0, 0.0}, {1.0, 100.0}, {0.01, -7.0}}) {
        Judged other = judged;
        for (double& y : other.study.outcome) y = scale * y + shift;
        other.outcomes = (scale * judged.outcomes.array() + shift).matrix();
        for (const Estimator estimator : test::every_estimator) {
            const ValueEstimate before = policy_value(judged.rows(), judged.study.policy, estimator, 0.02);
            const ValueEstimate after = policy_value(other.rows(), judged.study.policy, estimator, 0.02);
            // Inverse propensities do not sum to the number of rows, so a shift is not theirs to keep.
            if (estimator == Estimator::ipw && shift != 0) continue;
            EXPECT_NEAR(*after.value, scale * *before.value + shift, 1e-11);
            EXPECT_NEAR(after.standard_error.value_or(0), std::abs(scale) * before.standard_error.value_or(0), 1e-11);
        }
    }
}

TEST(PolicyValue, TheOrderOfRowsDoesNotMatter) {
    Rng rng(6, Draw::test);
    const Judged judged = judged_rows(rng, 70);
    std::vector<std::size_t> order = judged.study.all();
    rng.shuffle(std::span(order));
    Judged other = judged;
    for (std::size_t i = 0; i < order.size(); ++i) {
        other.study.treatment[i] = judged.study.treatment[order[i]];
        other.study.outcome[i] = judged.study.outcome[order[i]];
        other.study.policy[i] = judged.study.policy[order[i]];
        other.weight[i] = judged.weight[order[i]];
    }
    other.outcomes = judged.outcomes(order, Eigen::all).eval();
    other.study.propensities = judged.study.propensities(order, Eigen::all).eval();
    for (const Estimator estimator : test::estimators_with_error) {
        const ValueEstimate before = policy_value(judged.rows(), judged.study.policy, estimator, 0.02);
        const ValueEstimate after = policy_value(other.rows(), other.study.policy, estimator, 0.02);
        EXPECT_NEAR(*after.value, *before.value, 1e-12);
        EXPECT_NEAR(*after.standard_error, *before.standard_error, 1e-12);
    }
}

TEST(PolicyValue, GroupsOfOneRowAreNoGroups) {
    Rng rng(7, Draw::test);
    const Judged judged = judged_rows(rng, 90);
    EvaluatedRows grouped = judged.rows();
    std::vector<std::size_t> own(90);
    for (std::size_t i = 0; i < 90; ++i) own[i] = 1'000 - i;
    grouped.group = own;
    for (const Estimator estimator : test::estimators_with_error)
        EXPECT_DOUBLE_EQ(
            *policy_value(grouped, judged.study.policy, estimator, 0.02).standard_error,
            few_groups_factor(90) * *policy_value(judged.rows(), judged.study.policy, estimator, 0.02).standard_error);
}

TEST(PolicyValue, RowsThatAreCopiesOfEachOtherSayNoMoreThanOne) {
    Rng rng(8, Draw::test);
    const Judged once = judged_rows(rng, 50);
    Judged thrice{};
    std::vector<std::size_t> from;
    for (std::size_t i = 0; i < 150; ++i) from.push_back(i % 50);
    for (const std::size_t i : from) {
        thrice.study.treatment.push_back(once.study.treatment[i]);
        thrice.study.outcome.push_back(once.study.outcome[i]);
        thrice.study.policy.push_back(once.study.policy[i]);
        thrice.weight.push_back(once.weight[i]);
    }
    thrice.outcomes = once.outcomes(from, Eigen::all);
    thrice.study.propensities = once.study.propensities(from, Eigen::all);
    EvaluatedRows grouped = thrice.rows();
    grouped.group = from;
    for (const Estimator estimator : test::estimators_with_error) {
        const double alone = *policy_value(once.rows(), once.study.policy, estimator, 0.02).standard_error;
        EXPECT_NEAR(*policy_value(grouped, thrice.study.policy, estimator, 0.02).standard_error,
                    few_groups_factor(50) * alone, 1e-12);
        EXPECT_LT(*policy_value(thrice.rows(), thrice.study.policy, estimator, 0.02).standard_error, 0.6 * alone);
    }
}

// The mean of many estimates, in units of its own standard error from the truth.
double distance_from_truth(const std::vector<double>& estimates) {
    const auto n = static_cast<double>(estimates.size());
    const double mean = std::accumulate(estimates.begin(), estimates.end(), 0.0) / n;
    double squares = 0;
    for (const double estimate : estimates) squares += (estimate - mean) * (estimate - mean);
    return std::abs(mean - overlap_policy_value()) / std::sqrt(squares / (n - 1) / n);
}

TEST(PolicyValue, IsRightOnAverageWherePropensitiesOrOutcomesAre) {
    std::vector<double> ipw;
    std::vector<double> wrong_outcomes;
    std::vector<double> wrong_propensities;
    std::vector<double> both_right;
    std::vector<double> both_wrong;
    std::vector<double> ipw_wrong;
    std::vector<double> dm_right;
    for (std::uint64_t draw = 0; draw < 200; ++draw) {
        Rng rng(9, Draw::test, draw);
        const OverlapStudy study = overlap_study(rng, 500);
        const Matrix wrong_m = Matrix::Constant(500, 3, 1);
        const Matrix wrong_e = Matrix::Constant(500, 3, 1.0 / 3);
        const auto value = [&](Estimator estimator, const Matrix& m, const Matrix& e) {
            return policy_value({study.treatment, study.outcome, m, e}, study.policy, estimator, 0.02).value.value();
        };
        ipw.push_back(value(Estimator::ipw, wrong_m, study.propensities));
        wrong_outcomes.push_back(value(Estimator::dr, wrong_m, study.propensities));
        wrong_propensities.push_back(value(Estimator::dr, study.truth, wrong_e));
        both_right.push_back(value(Estimator::dr, study.truth, study.propensities));
        dm_right.push_back(value(Estimator::dm, study.truth, wrong_e));
        both_wrong.push_back(value(Estimator::dr, wrong_m, wrong_e));
        ipw_wrong.push_back(value(Estimator::ipw, wrong_m, wrong_e));
    }
    for (const auto* estimates : {&ipw, &wrong_outcomes, &wrong_propensities, &both_right, &dm_right})
        EXPECT_LT(distance_from_truth(*estimates), 3.3);
    for (const auto* estimates : {&both_wrong, &ipw_wrong})
        EXPECT_GT(distance_from_truth(*estimates), 10);  // the test would see it
}

}  // namespace
}  // namespace polyrx
