// SPDX-License-Identifier: Apache-2.0
// Values known up to bounds, and the intervals that cover them.
#include "polyrx/evaluate/value/bounded_value.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/evaluate/overlap/supported_rows.hpp"
#include "polyrx/evaluate/value/bounded_interval.hpp"
#include "polyrx/evaluate/value/compared_policies.hpp"
#include "polyrx/evaluate/value/policy_difference.hpp"
#include "polyrx/statistics/bootstrap.hpp"
#include "polyrx/statistics/normal_quantile.hpp"
#include "tests/support/overlap_study.hpp"
#include "tests/support/slow_bounded.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::overlap_study;
using test::OverlapStudy;

constexpr double least = 0.02;

EvaluatedRows evaluated(const OverlapStudy& study, const Matrix& predicted, std::span<const double> weight = {}) {
    return {study.treatment, study.outcome, predicted, study.propensities, weight};
}

Matrix wrong(const OverlapStudy& study) {
    return (0.5 * study.truth.array() + 0.7).matrix();
}

std::vector<char> random_support(Rng& rng, std::size_t rows, double share) {
    std::vector<char> supported;
    for (std::size_t i = 0; i < rows; ++i) supported.push_back(rng.bernoulli(share) ? 1 : 0);
    return supported;
}

TEST(BoundedValue, IsTodaysIntervalToTheDigitWhereEverythingIsSupported) {
    Rng rng(1, Draw::test);
    const OverlapStudy study = overlap_study(rng, 300);
    const Matrix predicted = wrong(study);
    std::vector<double> weight;
    for (int i = 0; i < 300; ++i) weight.push_back(rng.uniform(0.1, 2));
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < 300; ++i) group.push_back(i / 3);
    for (const bool grouped : {false, true}) {
        EvaluatedRows rows = evaluated(study, predicted, weight);
        if (grouped) rows.group = group;
        const std::vector<char> all(300, 1);
        const OutcomeRange range = outcome_range(study.outcome);
        const ValueEstimate plain = policy_value(rows, study.policy, Estimator::dr, least);
        const BoundedEstimate bounded = bounded_value(rows, {study.policy, all}, range, least);
        const double factor = two_sided_factor(0.95);
        EXPECT_TRUE(bounded.identified());
        EXPECT_EQ(bounded_interval(bounded, factor).interval, normal_interval(plain, factor).interval);
        EXPECT_EQ(value_where_supported(rows, {study.policy, all}, least).value, plain.value);

        const ValueEstimate practice = value_as_treated(rows);
        EXPECT_EQ(bounded_interval(bounded_difference(rows, bounded, practice), factor).interval,
                  normal_interval(policy_difference(rows, plain, practice), factor).interval);

        const std::vector<int> zeros(300, 0);
        const ValueEstimate constant = policy_value(rows, zeros, Estimator::dr, least);
        const BoundedEstimate against =
            paired_with(rows, bounded, study.policy, bounded_value(rows, {zeros, all}, range, least), zeros);
        EXPECT_EQ(bounded_interval(bounded_difference(rows, bounded, against), factor).interval,
                  normal_interval(policy_difference(rows, plain, constant), factor).interval);

        const Matrix bounded_draws =
            bootstrap(std::vector{plain.terms, bounded.lower.terms, bounded.upper.terms}, rows.group, {.draws = 200});
        const auto column = [&](int c) {
            return std::vector<double>(bounded_draws.col(c).begin(), bounded_draws.col(c).end());
        };
        EXPECT_EQ(bounded_percentile_interval(bounded, column(1), column(2), 0.95).interval,
                  percentile_interval(plain, column(0), 0.95).interval);
    }
}

TEST(BoundedValue, IsThatOfItsSlowTwin) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(2, Draw::test, index);
        const OverlapStudy study = overlap_study(rng, 80);
        const Matrix predicted = wrong(study);
        std::vector<double> weight;
        for (int i = 0; i < 80; ++i) weight.push_back(rng.uniform(0.1, 2));
        const EvaluatedRows rows = evaluated(study, predicted, weight);
        const std::vector<char> supported = random_support(rng, 80, 0.7);
        const OutcomeRange range{-3, 8, RangeOrigin::declared};
        const BoundedEstimate bounded = bounded_value(rows, {study.policy, supported}, range, least);
        const test::SlowEstimate lower = test::slow_bound(rows, study.policy, supported, range.least, least);
        const test::SlowEstimate upper = test::slow_bound(rows, study.policy, supported, range.greatest, least);
        EXPECT_NEAR(*bounded.lower.value, lower.value, 1e-12);
        EXPECT_NEAR(*bounded.lower.standard_error, lower.standard_error, 1e-12);
        EXPECT_NEAR(*bounded.upper.value, upper.value, 1e-12);
        EXPECT_NEAR(*bounded.upper.standard_error, upper.standard_error, 1e-12);
        EXPECT_LE(*bounded.lower.value, *bounded.upper.value);

        // Against another policy: row by row, whatever the unknown outcomes are.
        const std::vector<char> other_supported = random_support(rng, 80, 0.5);
        std::vector<int> other = study.policy;
        for (std::size_t i = 0; i < 80; i += 2) other[i] = static_cast<int>(rng.below(3));
        double total = 0;
        double least_difference = 0;
        double most_difference = 0;
        for (std::size_t i = 0; i < 80; ++i) {
            total += weight[i];
            if (other[i] == study.policy[i]) continue;
            const auto score = [&](const std::vector<int>& policy, const std::vector<char>& s, double unknown) {
                return weight[i] * test::slow_score(rows, policy, s, i, unknown, least);
            };
            least_difference += score(study.policy, supported, -3) - score(other, other_supported, 8);
            most_difference += score(study.policy, supported, 8) - score(other, other_supported, -3);
        }
        // The same support where both prescribe the same, as that of one model is.
        std::vector<char> consistent = other_supported;
        for (std::size_t i = 0; i < 80; ++i)
            if (other[i] == study.policy[i]) consistent[i] = supported[i];
        const BoundedEstimate against =
            paired_with(rows, bounded, study.policy, bounded_value(rows, {other, consistent}, range, least), other);
        const BoundedEstimate difference = bounded_difference(rows, bounded, against);
        EXPECT_NEAR(*difference.lower.value, least_difference / total, 1e-12);
        EXPECT_NEAR(*difference.upper.value, most_difference / total, 1e-12);
    }
}

TEST(BoundedValue, SharesAtRandomArePairedWithThePolicyRowByRow) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(8, Draw::test, index);
        const OverlapStudy study = overlap_study(rng, 80);
        const Matrix predicted = wrong(study);
        std::vector<double> weight;
        for (int i = 0; i < 80; ++i) weight.push_back(rng.uniform(0.1, 2));
        const EvaluatedRows rows = evaluated(study, predicted, weight);
        const OutcomeRange range{-3, 8, RangeOrigin::declared};
        std::vector<TreatmentSet> supported;
        for (int i = 0; i < 80; ++i) supported.push_back(1 + rng.below(7));
        const auto of = [&](const std::vector<int>& policy) {
            return bounded_value(rows, {policy, supported_prescriptions(supported, policy)}, range, least);
        };
        std::vector<BoundedEstimate> constants;
        double total = 0;
        std::vector<double> share(3);
        for (std::size_t i = 0; i < 80; ++i) total += weight[i];
        for (std::size_t i = 0; i < 80; ++i) share[static_cast<std::size_t>(study.policy[i])] += weight[i] / total;
        for (int k = 0; k < 3; ++k) constants.push_back(of(std::vector<int>(80, k)));
        double least_difference = 0;
        double most_difference = 0;
        for (std::size_t i = 0; i < 80; ++i)
            for (int k = 0; k < 3; ++k) {
                if (k == study.policy[i]) continue;
                const auto score = [&](int treatment, double unknown) {
                    const std::vector<int> all(80, treatment);
                    return test::slow_score(rows, all, supported_prescriptions(supported, all), i, unknown, least);
                };
                const double counts = weight[i] / total * share[static_cast<std::size_t>(k)];
                least_difference += counts * (score(study.policy[i], -3) - score(k, 8));
                most_difference += counts * (score(study.policy[i], 8) - score(k, -3));
            }
        const BoundedEstimate policy = of(study.policy);
        const BoundedEstimate difference =
            bounded_difference(rows, policy, random_paired_with(rows, policy, study.policy, constants));
        EXPECT_NEAR(*difference.lower.value, least_difference, 1e-12);
        EXPECT_NEAR(*difference.upper.value, most_difference, 1e-12);
        EXPECT_GE(
            *difference.lower.value,
            *bounded_difference(rows, policy, value_of_random(rows, study.policy, constants)).lower.value - 1e-12);
    }
}

TEST(BoundedValue, IntervalsGrowAsSupportShrinksAndTheRangeWidens) {
    Rng rng(3, Draw::test);
    const OverlapStudy study = overlap_study(rng, 200);
    const Matrix predicted = wrong(study);
    const EvaluatedRows rows = evaluated(study, predicted);
    const OutcomeRange range = outcome_range(study.outcome);
    std::vector<char> supported(200, 1);
    BoundedEstimate before = bounded_value(rows, {study.policy, supported}, range, least);
    for (std::size_t i = 0; i < 200; i += 5) {
        // Of rows that received the prescription the outcome is known, and some scores are outside of the range.
        const double score = test::slow_score(rows, study.policy, supported, i, 0, least);
        if (study.treatment[i] == study.policy[i] || score < range.least || score > range.greatest) continue;
        supported[i] = 0;
        const BoundedEstimate after = bounded_value(rows, {study.policy, supported}, range, least);
        EXPECT_LE(*after.lower.value, *before.lower.value + 1e-12);
        EXPECT_GE(*after.upper.value, *before.upper.value - 1e-12);
        before = after;
    }
    const OutcomeRange wider{range.least - 1, range.greatest + 1, RangeOrigin::declared};
    const BoundedEstimate wide = bounded_value(rows, {study.policy, supported}, wider, least);
    EXPECT_LT(*wide.lower.value, *before.lower.value);
    EXPECT_GT(*wide.upper.value, *before.upper.value);
}

TEST(BoundedValue, WhereSupportedIsTheMeanOfScoresThereAndOfOutcomesElsewhere) {
    Rng rng(4, Draw::test);
    const OverlapStudy study = overlap_study(rng, 120);
    const Matrix predicted = wrong(study);
    const EvaluatedRows rows = evaluated(study, predicted);
    const std::vector<char> supported = random_support(rng, 120, 0.6);
    double sum = 0;
    for (std::size_t i = 0; i < 120; ++i)
        sum += supported[i] != 0 ? test::slow_score(rows, study.policy, supported, i, 0, least) : study.outcome[i];
    const ValueEstimate value = value_where_supported(rows, {study.policy, supported}, least);
    EXPECT_NEAR(*value.value, sum / 120, 1e-12);
}

TEST(BoundedFactor, SolvesItsEquationAndFallsFromTwoSidedToOneSided) {
    const double factor = two_sided_factor(0.95);
    EXPECT_EQ(bounded_factor(factor, 0), factor);
    double before = factor;
    for (const double width : {1e-6, 0.1, 0.5, 1.0, 2.0, 5.0}) {
        const double c = bounded_factor(factor, width);
        EXPECT_NEAR(1 - normal_upper_tail(c + width) - normal_upper_tail(c), 0.95, 1e-12);
        EXPECT_LT(c, before);
        before = c;
    }
    EXPECT_NEAR(bounded_factor(factor, INFINITY), normal_quantile(0.95), 1e-9);
    EXPECT_NEAR(bonferroni_factor(5, 0.95), two_sided_factor(0.99), 1e-12);
}

// A share that is not credibly off 95 % (or below it): 4 standard errors of 4,000 draws.
constexpr int bounded_draws = 4'000;
const double tolerance = 4 * std::sqrt(0.95 * 0.05 / bounded_draws);

// The mean of normal numbers is bounded: what is observed is its lower bound plus noise, and the upper one `width`
// above it with noise of its own.
double coverage(double width, double place) {
    Rng rng(5, Draw::test);
    int held = 0;
    for (int draw = 0; draw < bounded_draws; ++draw) {
        constexpr int rows = 60;
        RowTerms lower;
        RowTerms upper;
        for (int i = 0; i < rows; ++i) {
            const double y = rng.normal();
            lower.numerator.push_back(y);
            upper.numerator.push_back(y + width * 2 * rng.uniform());
            lower.denominator.push_back(1);
            upper.denominator.push_back(1);
        }
        const BoundedEstimate estimate{ratio_estimate(lower), ratio_estimate(upper)};
        const auto interval = bounded_interval(estimate, two_sided_factor(0.95)).interval;
        held += interval->low <= place * width && place * width <= interval->high ? 1 : 0;
    }
    return held / static_cast<double>(bounded_draws);
}

TEST(BoundedInterval, CoversATruthAtEitherBoundAsOftenAsItSaysAndOneBetweenMoreOften) {
    // Standard errors from 60 rows by normal quantiles cost up to about half a point of coverage.
    for (const double width : {0.0, 0.1, 0.5, 2.0})
        for (const double place : {0.0, 1.0}) {
            EXPECT_GT(coverage(width, place), 0.945 - tolerance) << width << " " << place;
            EXPECT_LT(coverage(width, place), 0.95 + tolerance) << width << " " << place;
        }
    for (const double width : {0.1, 0.5, 2.0}) EXPECT_GT(coverage(width, 0.5), 0.945 - tolerance) << width;
    EXPECT_GT(coverage(2, 0.5), 0.999);
}

TEST(OutcomeRange, IsThatOfEventsOrDeclaredOrObserved) {
    EXPECT_EQ(outcome_range(std::vector<double>{0, 1, 1}).origin, RangeOrigin::events);
    const OutcomeRange observed = outcome_range(std::vector<double>{3, -1, 2});
    EXPECT_EQ(observed.least, -1);
    EXPECT_EQ(observed.greatest, 3);
    EXPECT_EQ(observed.origin, RangeOrigin::observed);
    const OutcomeRange declared = outcome_range(std::vector<double>{3, -1, 2}, OutcomeRange{0, 5});
    EXPECT_EQ(declared.origin, RangeOrigin::declared);
    EXPECT_EQ(first_outside(std::vector<double>{3, -1, 2}, declared), 1U);
    EXPECT_EQ(first_outside(std::vector<double>{3, 1, 2}, declared), std::nullopt);
    EXPECT_EQ(
        test::sentence_of(ErrorKind::usage, [] { (void)outcome_range(std::vector<double>{1}, OutcomeRange{2, 2}); }),
        "the range of outcomes must have its least below its greatest, not 2 and 2");
}

TEST(Sensitivity, IsThatOfAllThresholdsByBisection) {
    for (std::uint64_t index = 0; index < 50; ++index) {
        Rng rng(6, Draw::test, index);
        std::vector<MatchedOutcome> rows;
        for (int i = 0; i < 30; ++i) rows.push_back({rng.normal(), 1 / rng.uniform(0.1, 0.9) - 1, rng.uniform(0.5, 2)});
        for (const double practice : {-0.5, 0.3, 0.8, 5.0}) {
            const double slow = test::slow_lambda(rows, practice);
            const double fast = lambda_that_undoes(rows, practice, false);
            if (std::isinf(slow))
                EXPECT_TRUE(std::isinf(fast));
            else
                EXPECT_NEAR(fast, slow, 1e-9 * slow);
            // The other direction is that of outcomes with their sign changed.
            std::vector<MatchedOutcome> mirrored = rows;
            for (MatchedOutcome& row : mirrored) row.outcome = -row.outcome;
            EXPECT_EQ(lambda_that_undoes(mirrored, -practice, true), fast);
        }
    }
}

TEST(Sensitivity, KnowsRowsThatAlwaysReceivedTheirPrescription) {
    // Rows that are worse than practice have a propensity of 1, so no factor gives them more weight.
    std::vector<MatchedOutcome> rows = {{3, 0, 1}, {0, 4, 1}, {-1, 2, 1}};
    for (const double practice : {1.0, 1.5, 2.0, 2.9}) {
        const double slow = test::slow_lambda(rows, practice);
        const double fast = lambda_that_undoes(rows, practice, false);
        if (std::isinf(slow))
            EXPECT_TRUE(std::isinf(fast)) << practice;
        else
            EXPECT_NEAR(fast, slow, 1e-9 * slow) << practice;
    }
    rows = {{2, 0, 1}, {-2, 4, 1}};  // at equal weights they are as bad as practice, which no finite factor reaches
    EXPECT_TRUE(std::isinf(test::slow_lambda(rows, 0)));
    EXPECT_TRUE(std::isinf(lambda_that_undoes(rows, 0, false)));
    rows = {{3, 0, 1}, {-2, 4, 1}};
    EXPECT_NEAR(lambda_that_undoes(rows, 0, false), test::slow_lambda(rows, 0), 1e-9);
    EXPECT_NEAR(lambda_that_undoes(rows, 0, false), 8, 1e-12);
}

TEST(Sensitivity, HasAnIntervalAroundItThatDoesNotDependOnThreads) {
    Rng rng(7, Draw::test);
    const OverlapStudy study = overlap_study(rng, 600);
    const EvaluatedRows rows = evaluated(study, study.truth);
    const std::vector<char> all(600, 1);
    const auto found = [&](int threads, bool larger) {
        return sensitivity_of(rows, {study.policy, all}, larger, least, 0.95, {.draws = 300, .threads = threads});
    };
    for (const bool larger : {false, true}) {
        const Sensitivity one = found(1, larger);
        EXPECT_EQ(one.low, found(3, larger).low);
        EXPECT_LE(*one.low, *one.lambda);
        EXPECT_GE(*one.high, *one.lambda);
        EXPECT_GE(*one.low, 1);
    }
}

}  // namespace
}  // namespace polyrx
