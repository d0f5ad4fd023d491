// SPDX-License-Identifier: Apache-2.0
// Differences between policies on the same rows, and what a policy is compared with.
#include "polyrx/evaluate/value/policy_difference.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "polyrx/evaluate/value/compared_policies.hpp"
#include "polyrx/nuisance/doubly_robust.hpp"
#include "polyrx/statistics/bootstrap.hpp"
#include "polyrx/statistics/intervals.hpp"
#include "polyrx/study/splits/split.hpp"
#include "tests/support/estimators.hpp"
#include "tests/support/overlap_study.hpp"
#include "tests/support/slow_policy_value.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::overlap_study;
using test::OverlapStudy;
using test::sentence_of;

EvaluatedRows evaluated_study(const OverlapStudy& study, std::span<const double> weight = {}) {
    return {study.treatment, study.outcome, study.truth, study.propensities, weight};
}

std::vector<double> eighths(Rng& rng, std::size_t rows) {
    std::vector<double> weight;
    for (std::size_t i = 0; i < rows; ++i) weight.push_back(static_cast<double>(1 + rng.below(16)) / 8);
    return weight;
}

ValueEstimate random_value(const OverlapStudy& study, Estimator estimator) {
    return value_of_random(evaluated_study(study), study.policy,
                           values_of_constants(evaluated_study(study), estimator, 0.02));
}

CrossFittedConstant best_of(const OverlapStudy& study, std::span<const RowSplit> folds) {
    return best_constant(evaluated_study(study), values_of_constants(evaluated_study(study), Estimator::ipw, 0.02),
                         folds, false);
}

TEST(PolicyDifference, OfAPolicyFromItselfIsSurelyNothing) {
    Rng rng(1, Draw::test);
    const OverlapStudy study = overlap_study(rng, 60);
    for (const Estimator estimator : test::estimators_with_error) {
        const ValueEstimate value = policy_value(evaluated_study(study), study.policy, estimator, 0.02);
        const ValueEstimate difference = policy_difference(evaluated_study(study), value, value);
        EXPECT_EQ(difference.value, 0);
        EXPECT_EQ(difference.standard_error, 0);
    }
}

TEST(PolicyDifference, FromWhatWasDoneIsThePairedMeanOfScoresMinusOutcomes) {
    Rng rng(2, Draw::test);
    const OverlapStudy study = overlap_study(rng, 120);
    const std::vector<double> weight = eighths(rng, 120);
    const EvaluatedRows rows = evaluated_study(study, weight);
    const DoublyRobust scores =
        doubly_robust_from(study.truth, study.propensities, study.treatment, study.outcome, 0.02);
    std::vector<double> paired;
    for (std::size_t i = 0; i < 120; ++i)
        paired.push_back(scores.scores(static_cast<Eigen::Index>(i), study.policy[i]) - study.outcome[i]);
    const test::SlowEstimate slow = test::slow_mean(paired, rows);
    const ValueEstimate difference =
        policy_difference(rows, policy_value(rows, study.policy, Estimator::dr, 0.02), value_as_treated(rows));
    EXPECT_NEAR(*difference.value, slow.value, 1e-12);
    EXPECT_NEAR(*difference.standard_error, slow.standard_error, 1e-12);
}

TEST(PolicyDifference, DeviatesInABootstrapAsInfluenceSays) {
    Rng rng(3, Draw::test);
    const OverlapStudy study = overlap_study(rng, 1'500);
    const std::vector<int> other(1'500, 2);
    const EvaluatedRows rows = evaluated_study(study);
    for (const Estimator estimator : test::estimators_with_error) {
        const ValueEstimate policy = policy_value(rows, study.policy, estimator, 0.02);
        const ValueEstimate constant = policy_value(rows, other, estimator, 0.02);
        const ValueEstimate random = value_of_random(rows, study.policy, values_of_constants(rows, estimator, 0.02));
        const std::array terms{policy.terms, constant.terms, random.terms};
        const Matrix draws = bootstrap(terms, {}, {.draws = 1'500, .threads = 2});
        for (const auto& [column, against] : {std::pair{1, &constant}, {2, &random}}) {
            const Vector differences = draws.col(0) - draws.col(column);
            const ValueEstimate difference = policy_difference(rows, policy, *against);
            EXPECT_NEAR(*bootstrap_standard_error({differences.data(), 1'500}) / *difference.standard_error, 1, 0.08);
        }
    }
}

TEST(PolicyDifference, HasNoMoreThanItsPartsHave) {
    Rng rng(4, Draw::test);
    const OverlapStudy study = overlap_study(rng, 40);
    std::vector<int> never;
    for (const int t : study.treatment) never.push_back((t + 1) % 3);
    const EvaluatedRows rows = evaluated_study(study);
    const ValueEstimate policy = policy_value(rows, study.policy, Estimator::dr, 0.02);
    const ValueEstimate none = policy_value(rows, never, Estimator::dr, 0.02);
    const ValueEstimate direct = policy_value(rows, study.policy, Estimator::dm, 0.02);
    for (const auto& [a, b] : {std::pair{&policy, &none}, {&none, &policy}, {&direct, &none}, {&none, &direct}}) {
        const ValueEstimate difference = policy_difference(rows, *a, *b);
        EXPECT_FALSE(difference.value || difference.standard_error);
        EXPECT_EQ(difference.reason, none.reason);
    }
    for (const auto& [a, b] : {std::pair{&policy, &direct}, {&direct, &policy}}) {
        const ValueEstimate difference = policy_difference(rows, *a, *b);
        EXPECT_EQ(difference.value, *a->value - *b->value);
        EXPECT_FALSE(difference.standard_error);
        EXPECT_EQ(difference.reason, direct.reason);
    }
    Rng other_rng(5, Draw::test);
    const OverlapStudy fewer = overlap_study(other_rng, 39);
    EXPECT_EQ(sentence_of(ErrorKind::usage, [&] { (void)policy_difference(evaluated_study(fewer), policy, policy); }),
              "a difference on 39 rows needs values of the same rows, not of 40 and 40");
}

TEST(ValueOfRandom, IsWhatDealingOutTheSameSharesComesToOnAverage) {
    Rng rng(6, Draw::test);
    const OverlapStudy study = overlap_study(rng, 300);
    const std::vector<double> weight = eighths(rng, 300);
    const EvaluatedRows rows = evaluated_study(study, weight);
    for (const Estimator estimator : {Estimator::dm, Estimator::ipw, Estimator::snipw, Estimator::dr}) {
        double expected = 0;
        double total = 0;
        for (int k = 0; k < 3; ++k) {
            double given = 0;
            for (std::size_t i = 0; i < 300; ++i) given += study.policy[i] == k ? weight[i] : 0;
            total += given;
            expected += given * test::slow_policy_value(rows, std::vector<int>(300, k), estimator, 0.02).value;
        }
        const ValueEstimate random = value_of_random(rows, study.policy, values_of_constants(rows, estimator, 0.02));
        EXPECT_NEAR(*random.value, expected / total, 1e-12);
        EXPECT_EQ(random.standard_error.has_value(), estimator != Estimator::dm);
    }
    // Unweighted, the mean over random orders of the prescriptions is the same up to their own error.
    std::vector<int> dealt = study.policy;
    double sum = 0;
    for (int draw = 0; draw < 2'000; ++draw) {
        rng.shuffle(std::span(dealt));
        sum += *policy_value(evaluated_study(study), dealt, Estimator::dr, 0.02).value;
    }
    EXPECT_NEAR(*random_value(study, Estimator::dr).value, sum / 2'000, 0.02);
}

TEST(ValueOfRandom, DeviatesAsItDoesWhenSharesAreCountedAnew) {
    Rng rng(7, Draw::test);
    const OverlapStudy study = overlap_study(rng, 1'000);
    const ValueEstimate random = random_value(study, Estimator::snipw);
    std::vector<double> draws;
    for (int draw = 0; draw < 600; ++draw) {
        std::vector<std::size_t> rows;
        OverlapStudy sample;
        for (int i = 0; i < 1'000; ++i) {
            rows.push_back(rng.below(1'000));
            sample.treatment.push_back(study.treatment[rows.back()]);
            sample.outcome.push_back(study.outcome[rows.back()]);
            sample.policy.push_back(study.policy[rows.back()]);
        }
        sample.truth = study.truth(rows, Eigen::all);
        sample.propensities = study.propensities(rows, Eigen::all);
        draws.push_back(*random_value(sample, Estimator::snipw).value);
    }
    EXPECT_NEAR(*bootstrap_standard_error(draws) / *random.standard_error, 1, 0.12);
}

TEST(ValueOfRandom, IsExactlyThePolicysWhereAllRowsAreAlike) {
    // Each treatment always comes to the same: then it does not matter who gets it, in whatever sample.
    Rng rng(8, Draw::test);
    OverlapStudy study = overlap_study(rng, 100);
    for (Eigen::Index i = 0; i < 100; ++i) study.truth.row(i) << 1, 5, 3;
    for (std::size_t i = 0; i < 100; ++i)
        study.outcome[i] = study.truth(static_cast<Eigen::Index>(i), study.treatment[i]);
    const EvaluatedRows rows = evaluated_study(study);
    const ValueEstimate difference = policy_difference(rows, policy_value(rows, study.policy, Estimator::dr, 0.02),
                                                       random_value(study, Estimator::dr));
    EXPECT_NEAR(*difference.value, 0, 1e-12);
    EXPECT_NEAR(*difference.standard_error, 0, 1e-12);
}

TEST(BestConstant, IsChosenByTheOtherFolds) {
    Rng rng(9, Draw::test);
    OverlapStudy study = overlap_study(rng, 300);
    const std::vector<RowSplit> folds = k_folds(study.treatment, 4, 1);
    for (const bool larger_is_better : {false, true})
        for (const Estimator estimator : {Estimator::dm, Estimator::ipw, Estimator::snipw, Estimator::dr}) {
            const CrossFittedConstant best =
                best_constant(evaluated_study(study), values_of_constants(evaluated_study(study), estimator, 0.02),
                              folds, larger_is_better);
            for (std::size_t f = 0; f < folds.size(); ++f) {
                OverlapStudy kept;
                for (const std::size_t row : folds[f].kept) {
                    kept.treatment.push_back(study.treatment[row]);
                    kept.outcome.push_back(study.outcome[row]);
                }
                kept.truth = study.truth(folds[f].kept, Eigen::all);
                kept.propensities = study.propensities(folds[f].kept, Eigen::all);
                std::vector<double> values;
                for (int k = 0; k < 3; ++k)
                    values.push_back(test::slow_policy_value(evaluated_study(kept),
                                                             std::vector<int>(kept.outcome.size(), k), estimator, 0.02)
                                         .value *
                                     (larger_is_better ? -1 : 1));
                EXPECT_EQ(best.by_fold[f], std::ranges::min_element(values) - values.begin());
                for (const std::size_t row : folds[f].held_out) EXPECT_EQ(best.prescriptions[row], best.by_fold[f]);
            }
            EXPECT_EQ(best.for_all.has_value(), std::ranges::count(best.by_fold, best.by_fold[0]) == 4);
        }
    // Absurd outcomes of a fold change what the others get, not what it gets itself.
    const auto by_fold = [&] { return best_of(study, folds).by_fold; };
    const std::vector<int> before = by_fold();
    for (const std::size_t row : folds[2].held_out) study.outcome[row] = study.treatment[row] == before[2] ? 1e9 : -1e9;
    EXPECT_EQ(by_fold()[2], before[2]);
    EXPECT_NE(by_fold()[1], before[1]);
}

TEST(BestConstant, LooksOnlyAtTreatmentsThatSomebodyReceived) {
    Rng rng(10, Draw::test);
    OverlapStudy study = overlap_study(rng, 60);
    for (int& t : study.treatment) t = t == 2 ? 0 : t;
    for (double& y : study.outcome) y = 1;
    const std::vector<RowSplit> folds = k_folds(study.treatment, 3, 1);
    for (const int chosen : best_of(study, folds).by_fold) EXPECT_NE(chosen, 2);
    EXPECT_EQ(sentence_of(ErrorKind::usage, [&] { (void)best_of(study, std::span(folds).first(2)); }),
              "2 folds do not hold out each of 60 rows");
}

}  // namespace
}  // namespace polyrx
