// SPDX-License-Identifier: Apache-2.0
// Intervals: the bootstrap against a literal one, against influence, and for any number of threads.
#include "polyrx/statistics/intervals.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "polyrx/evaluate/value/policy_value.hpp"
#include "polyrx/statistics/bootstrap.hpp"
#include "polyrx/statistics/normal_quantile.hpp"
#include "tests/support/estimators.hpp"
#include "tests/support/overlap_study.hpp"

namespace polyrx {
namespace {

using test::overlap_study;
using test::OverlapStudy;

std::vector<ValueEstimate> estimates_of(const OverlapStudy& study, std::span<const std::size_t> group = {}) {
    std::vector<ValueEstimate> estimates;
    for (const Estimator estimator : test::every_estimator)
        estimates.push_back(policy_value({study.treatment, study.outcome, study.truth, study.propensities, {}, group},
                                         study.policy, estimator, 0.02));
    return estimates;
}

std::vector<RowTerms> terms_of(const std::vector<ValueEstimate>& estimates) {
    std::vector<RowTerms> terms;
    for (const ValueEstimate& estimate : estimates) terms.push_back(estimate.terms);
    return terms;
}

std::vector<double> column(const Matrix& draws, Eigen::Index estimate) {
    return {draws.col(estimate).begin(), draws.col(estimate).end()};
}

TEST(Bootstrap, IsTheEstimateOfRowsDrawnWithReplacement) {
    Rng rng(1, Draw::test);
    const OverlapStudy study = overlap_study(rng, 43);
    const Matrix draws = bootstrap(terms_of(estimates_of(study)), {}, {.draws = 50, .seed = 3});
    for (Eigen::Index draw = 0; draw < 50; ++draw) {
        Rng same(3, Draw::bootstrap, static_cast<std::uint64_t>(draw));
        std::vector<std::size_t> rows;
        while (rows.size() < 43) {  // two rows from each number, those left over that would favor some rows
            const std::uint64_t bits = same.next();
            for (const std::uint64_t half : {bits & 0xffffffff, bits >> 32})
                if (rows.size() < 43 && (half * 43) % (1ULL << 32) >= (1ULL << 32) % 43)
                    rows.push_back(half * 43 >> 32);
        }
        OverlapStudy sample;
        for (const std::size_t row : rows) {
            sample.treatment.push_back(study.treatment[row]);
            sample.outcome.push_back(study.outcome[row]);
            sample.policy.push_back(study.policy[row]);
        }
        sample.truth = study.truth(rows, Eigen::all);
        sample.propensities = study.propensities(rows, Eigen::all);
        const std::vector<ValueEstimate> literal = estimates_of(sample);
        for (Eigen::Index e = 0; e < 4; ++e)
            EXPECT_NEAR(draws(draw, e), *literal[static_cast<std::size_t>(e)].value, 1e-12);
    }
}

TEST(Bootstrap, HasTheSameBytesForAnyNumberOfThreads) {
    Rng rng(2, Draw::test);
    const OverlapStudy study = overlap_study(rng, 200);
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < 200; ++i) group.push_back(rng.below(30));
    const std::vector<RowTerms> terms = terms_of(estimates_of(study));
    for (const std::span<const std::size_t> by :
         {std::span<const std::size_t>(), std::span<const std::size_t>(group)}) {
        const Matrix one = bootstrap(terms, by, {.draws = 101, .threads = 1});
        EXPECT_EQ(one, bootstrap(terms, by, {.draws = 101, .threads = 2}));
        EXPECT_EQ(one, bootstrap(terms, by, {.draws = 101, .threads = 4}));
        EXPECT_EQ(one, bootstrap(terms, by, {.draws = 400, .threads = 2}).topRows(101));
        EXPECT_NE(one, bootstrap(terms, by, {.draws = 101, .seed = 2}));
    }
}

TEST(Bootstrap, GroupsOfOneRowAreNoGroups) {
    Rng rng(3, Draw::test);
    const OverlapStudy study = overlap_study(rng, 100);
    std::vector<std::size_t> own = study.all();
    std::ranges::reverse(own);
    const std::vector<RowTerms> terms = terms_of(estimates_of(study));
    EXPECT_EQ(bootstrap(terms, own, {.draws = 20}), bootstrap(terms, {}, {.draws = 20}));
}

TEST(Bootstrap, DeviatesAsInfluenceSays) {
    Rng rng(4, Draw::test);
    const OverlapStudy study = overlap_study(rng, 2'000);
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < 2'000; ++i) group.push_back(i / 5);
    for (const std::span<const std::size_t> by :
         {std::span<const std::size_t>(), std::span<const std::size_t>(group)}) {
        const std::vector<ValueEstimate> estimates = estimates_of(study, by);
        const Matrix draws = bootstrap(terms_of(estimates), by, {.draws = 2'000, .threads = 2});
        for (const std::size_t e : {1U, 2U, 3U})  // a deviation of 2,000 draws is off by 1.6 %
            EXPECT_NEAR(
                *bootstrap_standard_error(column(draws, static_cast<Eigen::Index>(e))) / *estimates[e].standard_error,
                1, 0.06);
    }
}

TEST(Bootstrap, GroupsThatErrTogetherDeviateMore) {
    Rng rng(5, Draw::test);
    OverlapStudy study = overlap_study(rng, 1'000);
    std::vector<std::size_t> group;
    double shared = 0;
    for (std::size_t i = 0; i < 1'000; ++i) {
        if (i % 20 == 0) shared = 2 * rng.normal();
        study.outcome[i] += shared;
        group.push_back(i / 20);
    }
    const ValueEstimate alone = estimates_of(study)[3];
    const ValueEstimate together = estimates_of(study, group)[3];
    EXPECT_GT(*together.standard_error, 1.5 * *alone.standard_error);
    const Matrix draws = bootstrap(std::array{together.terms}, group, {.draws = 1'000});
    EXPECT_NEAR(*bootstrap_standard_error(column(draws, 0)) / *together.standard_error, 1, 0.12);
}

TEST(NormalQuantile, IsTheInverseOfTheDistribution) {
    for (int i = 1; i < 2'000; ++i) {
        const double p = i / 2'000.0;
        const double x = normal_quantile(p);
        EXPECT_NEAR(0.5 * std::erfc(-x / std::numbers::sqrt2), p, 4e-16 + 4e-16 * p) << p;
        EXPECT_NEAR(x, -normal_quantile(1 - p), 1e-12);
    }
    for (const double p : {1e-5, 1e-20, 1e-100, 1e-300})
        EXPECT_NEAR(0.5 * std::erfc(-normal_quantile(p) / std::numbers::sqrt2) / p, 1, 1e-11) << p;
}

}  // namespace
}  // namespace polyrx
