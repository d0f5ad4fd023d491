// SPDX-License-Identifier: Apache-2.0
// How often intervals hold what they should, where propensities are between 0.1 and 0.9: a small version of
// experiments/coverage.
#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/evaluate/value/policy_difference.hpp"
#include "polyrx/nuisance/nuisances.hpp"
#include "polyrx/statistics/bootstrap.hpp"
#include "polyrx/statistics/intervals.hpp"
#include "polyrx/statistics/normal_quantile.hpp"
#include "tests/support/binomial.hpp"
#include "tests/support/overlap_study.hpp"

namespace polyrx {
namespace {

using test::overlap_policy_value;
using test::overlap_study;
using test::OverlapStudy;

constexpr int coverage_draws = 400;

// A share of 95 % is not refused at 99.9 %, by a test of both sides.
::testing::AssertionResult may_be_95_percent(int held) {
    if (test::binomial_at_most(held, coverage_draws, 0.95) > 0.0005 &&
        1 - test::binomial_at_most(held - 1, coverage_draws, 0.95) > 0.0005)
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << held << " of " << coverage_draws << " intervals held";
}

bool holds(const IntervalAnswer& answer, double truth) {
    return answer.interval && answer.interval->low <= truth && truth <= answer.interval->high;
}

TEST(Coverage, IsWhatItSaysWithKnownPropensities) {
    constexpr std::array estimators{Estimator::ipw, Estimator::snipw, Estimator::dr};
    std::array<int, 3> held{};
    std::array<int, 3> held_by_percentiles{};
    int held_difference = 0;
    const double truth = overlap_policy_value();
    for (int draw = 0; draw < coverage_draws; ++draw) {
        Rng rng(1, Draw::test, static_cast<std::uint64_t>(draw));
        const OverlapStudy study = overlap_study(rng, 400);
        const Matrix roughly = (0.5 * study.truth.array() + 0.7).matrix();  // predictions that are wrong
        const EvaluatedRows rows{study.treatment, study.outcome, roughly, study.propensities};
        std::vector<ValueEstimate> values;
        std::vector<RowTerms> terms;
        for (std::size_t e = 0; e < 3; ++e) {
            values.push_back(policy_value(rows, study.policy, estimators[e], 0.02));
            terms.push_back(values[e].terms);
            held[e] += holds(normal_interval(values[e], two_sided_factor(0.95)), truth) ? 1 : 0;
        }
        const Matrix resampled = bootstrap(terms, {}, {.draws = 400, .threads = 2});
        for (std::size_t e = 0; e < 3; ++e) {
            const Vector column = resampled.col(static_cast<Eigen::Index>(e));
            held_by_percentiles[e] += holds(percentile_interval(values[e], {column.data(), 400}, 0.95), truth) ? 1 : 0;
        }
        // Treatment 0 for all comes to 2 on average.
        const ValueEstimate constant = policy_value(rows, std::vector<int>(400, 0), Estimator::dr, 0.02);
        const ValueEstimate difference = policy_difference(rows, values[2], constant);
        held_difference += holds(normal_interval(difference, two_sided_factor(0.95)), truth - 2) ? 1 : 0;
    }
    for (std::size_t e = 0; e < 3; ++e) {
        EXPECT_TRUE(may_be_95_percent(held[e])) << name_of(estimators[e]);
        EXPECT_TRUE(may_be_95_percent(held_by_percentiles[e])) << name_of(estimators[e]);
    }
    EXPECT_TRUE(may_be_95_percent(held_difference));
}

TEST(Coverage, IsWhatItSaysForDoublyRobustValuesWithEstimatedPropensities) {
    int held = 0;
    int held_by_the_wrong = 0;
    NuisanceOptions options;
    options.outcome = OutcomeModel::ridge;
    options.propensity.model = PropensityModel::logistic;
    for (int draw = 0; draw < coverage_draws; ++draw) {
        Rng rng(2, Draw::test, static_cast<std::uint64_t>(draw));
        const OverlapStudy study = overlap_study(rng, 400);
        const Nuisances nuisances = cross_fit(study.rows(), study.all(), options);
        const EvaluatedRows rows{study.treatment, study.outcome, nuisances.outcomes, nuisances.propensities};
        const auto interval = [&](Estimator estimator, const EvaluatedRows& from) {
            return normal_interval(policy_value(from, study.policy, estimator, 0.02), two_sided_factor(0.95));
        };
        held += holds(interval(Estimator::dr, rows), overlap_policy_value()) ? 1 : 0;
        // As if treatments had been dealt out at random: the test would see it.
        const Matrix dealt_out = Matrix::Constant(400, 3, 1.0 / 3);
        held_by_the_wrong += holds(interval(Estimator::snipw, {study.treatment, study.outcome, dealt_out, dealt_out}),
                                   overlap_policy_value())
                                 ? 1
                                 : 0;
    }
    EXPECT_TRUE(may_be_95_percent(held));
    EXPECT_FALSE(may_be_95_percent(held_by_the_wrong));
}

}  // namespace
}  // namespace polyrx
