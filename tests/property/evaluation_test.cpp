// SPDX-License-Identifier: Apache-2.0
// Evaluations as a whole: what a policy is compared with, and what has no number.
#include "polyrx/evaluate/evaluation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "polyrx/encode/encoder.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

// A trial of treatments A, B and C. C was given with a probability of `rare` where x is below 0, and never elsewhere.
struct Trial {
    Observations observations;
    Matrix design;
    Encoder encoder;
    Matrix no_predictions;

    [[nodiscard]] std::size_t rows() const { return observations.rows(); }

    [[nodiscard]] Evaluation judged(const std::vector<int>& policy, const std::vector<int>& against = {}) const {
        const JudgedPolicy judged{.observations = observations,
                                  .encoder = encoder,
                                  .prescriptions = policy,
                                  .predicted = no_predictions,
                                  .against = against,
                                  .against_name = "another",
                                  .propensities = &design};
        EvaluationOptions options;
        options.nuisances = {};
        options.nuisances.outcome = OutcomeModel::ridge;
        options.nuisances.least_rows = 2;
        options.draws = 200;
        return evaluate(judged, options);
    }
};

Trial trial(std::size_t rows, double rare, std::uint64_t seed) {
    Rng rng(seed, Draw::test);
    Trial result;
    std::vector<double> xs;
    result.design.resize(static_cast<Eigen::Index>(rows), 3);
    for (std::size_t i = 0; i < rows; ++i) {
        const double x = rng.normal();
        const double c = x < 0 ? rare : 0;
        const double u = rng.uniform();
        const int t = u < c ? 2 : u < c + (1 - c) / 2 ? 1 : 0;
        xs.push_back(x);
        result.design.row(static_cast<Eigen::Index>(i)) << (1 - c) / 2, (1 - c) / 2, c;
        result.observations.treatment.push_back(t);
        result.observations.outcome.push_back(x * t + rng.normal());
    }
    result.observations.features = Table({test::numbers("x", xs)});
    result.observations.treatments = {"A", "B", "C"};
    result.observations.outcome_name = "y";
    result.encoder = make_encoder(result.observations.features);
    return result;
}

const ComparedValue& compared_with(const Evaluation& evaluation, const std::string& name) {
    return *std::ranges::find(evaluation.compared, name, &ComparedValue::name);
}

TEST(Evaluation, OneTreatmentForAllIsExactlyTheSameSharesAtRandom) {
    const Trial study = trial(600, 0.3, 1);
    for (const int k : {0, 1, 2}) {  // 2 is not supported for half of the rows
        const Evaluation evaluation = study.judged(std::vector<int>(study.rows(), k));
        const ComparedValue& random = compared_with(evaluation, "the same shares at random");
        EXPECT_EQ(random.difference.estimate.lower.value, 0) << k;
        EXPECT_EQ(random.difference.estimate.upper.value, 0) << k;
        ASSERT_TRUE(random.difference.normal.interval && random.difference.percentile.interval) << k;
        EXPECT_EQ(random.difference.normal.interval->low, 0) << k;
        EXPECT_EQ(random.difference.normal.interval->high, 0) << k;
        EXPECT_EQ(random.difference.percentile.interval->low, 0) << k;
        EXPECT_EQ(random.difference.percentile.interval->high, 0) << k;
        EXPECT_EQ(random.cannot_be_compared, "") << k;
    }
}

TEST(Evaluation, AnotherPolicyThatTooFewRowsReceivedHasNoNumber) {
    const Trial study = trial(600, 0.06, 2);
    const std::vector<int> always_a(study.rows(), 0);
    const std::vector<int> always_c(study.rows(), 2);
    const Evaluation evaluation = study.judged(always_a, always_c);
    EXPECT_LT(evaluation.overlap.treatments[2].effective_rows, 30);
    const ComparedValue& other = compared_with(evaluation, "another");
    EXPECT_TRUE(other.cannot_be_compared.starts_with("too few rows: ")) << other.cannot_be_compared;
    EXPECT_FALSE(other.value.estimate.lower.value || other.value.normal.interval || other.value.percentile.interval);
    EXPECT_FALSE(other.difference.estimate.lower.value || other.difference.normal.interval);
    // Enough rows received the others.
    EXPECT_TRUE(compared_with(evaluation, "the same shares at random").value.normal.interval);
    EXPECT_TRUE(compared_with(evaluation, "as treated").value.normal.interval);
}

TEST(Evaluation, WhatWasDoneIsComparedWithDoublyRobustValuesAndIsWorthAsMuchAsItself) {
    const Trial study = trial(600, 0.3, 3);
    const std::vector<int>& done = study.observations.treatment;
    const std::vector<int> always_a(study.rows(), 0);
    const Evaluation evaluation = study.judged(done, always_a);
    const ComparedValue& other = compared_with(evaluation, "another");
    EXPECT_NEAR(*other.difference.estimate.lower.value,
                *evaluation.as_treated.estimate.value - *other.value.estimate.lower.value, 1e-12);
    for (const std::vector<int>& policy : {done, always_a}) {
        const Evaluation against_done = study.judged(policy, done);
        const ComparedValue& practice = compared_with(against_done, "another");
        EXPECT_EQ(practice.value.estimate.lower.value, against_done.as_treated.estimate.value);
        EXPECT_EQ(practice.difference.estimate.lower.value,
                  against_done.compared.front().difference.estimate.lower.value);
        EXPECT_EQ(practice.difference.normal.interval, against_done.compared.front().difference.normal.interval);
        if (policy == done) {
            EXPECT_EQ(practice.difference.estimate.lower.value, 0);
        }
    }
}

}  // namespace
}  // namespace polyrx
