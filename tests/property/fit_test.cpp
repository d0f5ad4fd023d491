// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/fit.hpp"

#include <gtest/gtest.h>

#include "polyrx/core/error.hpp"
#include "polyrx/data/simulate.hpp"
#include "polyrx/evaluate/truth.hpp"
#include "polyrx/policy/model_file.hpp"
#include "tests/support/columns.hpp"

namespace polyrx {
namespace {

const Roles roles{.treatment = "treatment", .outcome = "outcome"};

Observations clinic(std::size_t rows) {
    return observe(simulate_clinic({.rows = rows}), roles, clinic_schema());
}

FitOptions quick() {
    FitOptions options = recipe_options(Recipe::fast);
    options.hidden = {12, 8};
    options.epochs = 3;
    return options;
}

TEST(Fit, WritesTheSameBytesForAnyNumberOfThreads) {
    const Observations observations = clinic(9000);
    FitOptions options = quick();
    options.validation = 0.2;
    std::vector<std::string> models;
    std::vector<double> losses;
    for (const int threads : {1, 2, 4}) {
        options.threads = threads;
        const Fit fitted = fit(observations, options, clinic_schema());
        models.push_back(to_json(fitted.policy));
        losses.push_back(fitted.loss);
    }
    EXPECT_EQ(models[0], models[1]);
    EXPECT_EQ(models[0], models[2]);
    EXPECT_EQ(losses[0], losses[1]);
    EXPECT_EQ(losses[0], losses[2]);
}

TEST(Prescribe, GivesTheSameForAnyNumberOfThreads) {
    const Policy policy = fit(clinic(500), quick(), clinic_schema()).policy;
    const Table patients = simulate_clinic({.rows = 20'000, .seed = 2});
    const Prescriptions one = prescribe(policy, patients, {.threads = 1, .outcomes = true});
    for (const int threads : {2, 4}) {
        const Prescriptions many = prescribe(policy, patients, {.threads = threads, .outcomes = true});
        EXPECT_EQ(one.treatment, many.treatment);
        EXPECT_EQ(one.outcomes, many.outcomes);
    }
}

TEST(Fit, FoldsItsScalingsSoThatThePolicyTakesTheUsersUnits) {
    const Observations observations = clinic(600);
    const Fit fitted = fit(observations, quick(), clinic_schema());
    // The policy needs nothing but the encoded rows in the user's units.
    const Prescriptions prescriptions = prescribe(fitted.policy, observations.features, {.outcomes = true});
    EXPECT_EQ(prescriptions.outcomes,
              forward(fitted.policy.network, fitted.policy.encoder.encode(observations.features)));
    const double mean = test::mean(observations.outcome);
    EXPECT_NEAR(prescriptions.outcomes.mean(), mean, 0.5 * std::sqrt(test::variance(observations.outcome)));
}

TEST(Fit, PrescribesTheSameWhenFeaturesAreGivenInOtherUnits) {
    const Table table = simulate_clinic({.rows = 800});
    std::vector<Column> columns = table.columns();
    for (Column& column : columns)
        if (column.name == "weight")
            for (double& kg : std::get<NumericColumn>(column.values).values) kg *= 1024;  // exact in binary
    const Fit before = fit(observe(table, roles), quick());
    const Fit after = fit(observe(Table(columns), roles), quick());
    EXPECT_EQ(prescribe(before.policy, table).treatment, prescribe(after.policy, Table(columns)).treatment);
}

TEST(Fit, MaximisingIsMinimisingTheNegatedOutcome) {
    Observations observations = clinic(400);
    FitOptions options = quick();
    const Fit smallest = fit(observations, options);
    for (double& outcome : observations.outcome) outcome = -outcome;
    options.objective = Objective::max;
    const Fit largest = fit(observations, options);
    EXPECT_EQ(smallest.policy.network, largest.policy.network);
    EXPECT_EQ(smallest.loss, largest.loss);
    const Prescriptions a = prescribe(smallest.policy, observations.features, {.outcomes = true});
    const Prescriptions b = prescribe(largest.policy, observations.features, {.outcomes = true});
    EXPECT_EQ(a.treatment, b.treatment);
    EXPECT_EQ(a.outcomes, -b.outcomes);
}

TEST(Fit, IgnoresTheScaleOfTheWeightsAndRowsOfWeightZeroTeachNothing) {
    Observations observations = clinic(300);
    observations.weight.assign(300, 1);
    const Fit ones = fit(observations, quick());
    observations.weight.assign(300, 8);
    EXPECT_EQ(ones.policy.network, fit(observations, quick()).policy.network);

    // Nonsense in rows that count nothing leaves the rest as it was.
    for (std::size_t i = 0; i < 300; i += 3) observations.weight[i] = 0;
    FitOptions options = quick();
    options.outcome_scale = OutcomeScale::raw;
    const Fit clean = fit(observations, options);
    for (std::size_t i = 0; i < 300; i += 3) observations.outcome[i] = 1e6;
    EXPECT_EQ(clean.policy.network, fit(observations, options).policy.network);
}

TEST(Fit, LearnsAPolicyThatBeatsEverySingleDose) {
    FitOptions options = recipe_options(Recipe::fast);
    options.hidden = {30, 30};
    const Fit fitted = fit(clinic(3000), options, clinic_schema());
    const Table patients = simulate_clinic({.rows = 2000, .seed = 2, .truth = true});
    Matrix truth(2000, 3);
    for (Eigen::Index k = 0; k < 3; ++k) {
        const auto& values = test::numbers(patients, "y" + std::to_string(k));
        truth.col(k) = Eigen::Map<const Vector>(values.data(), 2000);
    }
    const TruthScore score = score_against_truth(prescribe(fitted.policy, patients).treatment, truth, false);
    for (const double outcome : score.treatment_outcomes) EXPECT_LT(score.outcome, outcome);
    EXPECT_GT(score.accuracy, 0.7);
}

TEST(RecipePaper, IsThePapersToTheLetter) {
    const FitOptions paper = recipe_options(Recipe::paper);
    EXPECT_EQ(paper.hidden, std::vector<int>(5, 100));
    EXPECT_EQ(paper.mu, 1e-4);
    EXPECT_EQ(paper.epochs, 20);
    EXPECT_EQ(paper.batch, 64);
    EXPECT_EQ(paper.learning_rate, 1e-3);
    EXPECT_EQ(paper.schedule, Schedule::constant);
    EXPECT_EQ(paper.weight_decay, 0);
    EXPECT_EQ(paper.outcome_scale, OutcomeScale::raw);
    EXPECT_EQ(paper.validation, 0);
}

TEST(Fit, RefusesAValidationShareOutOfRange) {
    FitOptions options = quick();
    options.validation = 1;
    EXPECT_THROW((void)fit(clinic(100), options), Error);
    options.validation = -0.1;
    EXPECT_THROW((void)fit(clinic(100), options), Error);
}

TEST(Fit, NamesTheMuThatTheUserWroteAndNotTheOneOfTheScaledOutcome) {
    FitOptions options = quick();
    options.mu = 2;
    try {
        (void)fit(clinic(100), options, clinic_schema());
        FAIL() << "mu = 2 was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.trouble(), Trouble::usage);
        EXPECT_STREQ(error.what(), "mu must lie in 0..1, not 2");
    }
}

}  // namespace
}  // namespace polyrx
