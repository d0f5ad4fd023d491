// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/fit.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "polyrx/core/error.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/evaluate/value/truth.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/reading_options.hpp"
#include "polyrx/studies/simulate.hpp"
#include "polyrx/table/io/csv_read.hpp"
#include "tests/support/columns.hpp"

namespace polyrx {
namespace {

const Roles roles{.treatment = "treatment", .outcome = "outcome"};

Observations clinic_study(std::size_t rows) {
    return observe(simulate_clinic({.rows = rows}), roles, clinic_schema());
}

FitOptions quick_network() {
    FitOptions options = recipe_options(Recipe::fast);
    options.support.reset();  // tests/property/learn_support_test.cpp is about support
    options.network.hidden = {12, 8};
    options.network.epochs = 3;
    return options;
}

TEST(Fit, WritesTheSameBytesForAnyNumberOfThreads) {
    const Observations observations = clinic_study(9000);
    FitOptions options = quick_network();
    options.network.validation_fraction = 0.2;
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

TEST(Fit, SaysHowLongItsStagesTookWhichIsNoLongerThanTheWhole) {
    const Observations observations = clinic_study(500);
    for (const double validation : {0.0, 0.3}) {
        FitOptions options = quick_network();
        options.network.validation_fraction = validation;
        const auto began = std::chrono::steady_clock::now();
        const FitSeconds seconds = fit(observations, options, clinic_schema()).seconds;
        const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - began;
        for (const double stage : {seconds.encode, seconds.train, seconds.review}) EXPECT_GT(stage, 0);
        EXPECT_LE(seconds.encode + seconds.train + seconds.review, whole.count() + 1e-9);  // rounding
    }
}

TEST(Prescribe, GivesTheSameForAnyNumberOfThreads) {
    const Policy policy = fit(clinic_study(500), quick_network(), clinic_schema()).policy;
    const Table patients = simulate_clinic({.rows = 20'000, .seed = 2});
    const Prescriptions one = prescribe(policy, patients, {.threads = 1, .outcomes = true});
    for (const int threads : {2, 4}) {
        const Prescriptions many = prescribe(policy, patients, {.threads = threads, .outcomes = true});
        EXPECT_EQ(one.treatment, many.treatment);
        EXPECT_EQ(one.outcomes, many.outcomes);
    }
}

TEST(Fit, FoldsItsScalingsSoThatThePolicyTakesTheUsersUnits) {
    const Observations observations = clinic_study(600);
    const Fit fitted = fit(observations, quick_network(), clinic_schema());
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
    const Fit before = fit(observe(table, roles), quick_network());
    const Fit after = fit(observe(Table(columns), roles), quick_network());
    EXPECT_EQ(prescribe(before.policy, table).treatment, prescribe(after.policy, Table(columns)).treatment);
}

TEST(Fit, MaximizingIsMinimizingTheNegatedOutcome) {
    Observations observations = clinic_study(400);
    FitOptions options = quick_network();
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
    Observations observations = clinic_study(300);
    observations.weight.assign(300, 1);
    const Fit ones = fit(observations, quick_network());
    observations.weight.assign(300, 8);
    EXPECT_EQ(ones.policy.network, fit(observations, quick_network()).policy.network);

    // Nonsense in rows that count nothing leaves the rest as it was.
    for (std::size_t i = 0; i < 300; i += 3) observations.weight[i] = 0;
    FitOptions options = quick_network();
    options.network.outcome_scale = OutcomeScale::raw;
    const Fit clean = fit(observations, options);
    for (std::size_t i = 0; i < 300; i += 3) observations.outcome[i] = 1e6;
    EXPECT_EQ(clean.policy.network, fit(observations, options).policy.network);
}

TEST(Fit, LearnsAPolicyThatBeatsEverySingleDose) {
    FitOptions options = recipe_options(Recipe::fast);
    options.support.reset();  // tests/property/learn_support_test.cpp is about support
    options.network.hidden = {30, 30};
    const Fit fitted = fit(clinic_study(3000), options, clinic_schema());
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
    EXPECT_EQ(paper.network.hidden, std::vector<int>(5, 100));
    EXPECT_EQ(paper.network.mu, 1e-4);
    EXPECT_EQ(paper.network.epochs, 20);
    EXPECT_EQ(paper.network.batch, 64);
    EXPECT_EQ(paper.network.learning_rate, 1e-3);
    EXPECT_EQ(paper.network.schedule, Schedule::constant);
    EXPECT_EQ(paper.network.weight_decay, 0);
    EXPECT_EQ(paper.network.outcome_scale, OutcomeScale::raw);
    EXPECT_EQ(paper.network.validation_fraction, 0);
    EXPECT_FALSE(paper.network.effects.wanted());
    EXPECT_EQ(paper.network.effect_shrinkage, 0);
    EXPECT_EQ(paper.network.balance, 0);
    EXPECT_EQ(paper.network.retries, 0);
    EXPECT_EQ(paper.network.members, 1);
    EXPECT_FALSE(paper.tuning);
}

TEST(Fit, RefusesAValidationShareOutOfRange) {
    FitOptions options = quick_network();
    options.network.validation_fraction = 1;
    EXPECT_THROW((void)fit(clinic_study(100), options), Error);
    options.network.validation_fraction = -0.1;
    EXPECT_THROW((void)fit(clinic_study(100), options), Error);
}

TEST(Fit, NamesTheMuThatTheUserWroteAndNotTheOneOfTheScaledOutcome) {
    FitOptions options = quick_network();
    options.network.mu = 2;
    try {
        (void)fit(clinic_study(100), options, clinic_schema());
        FAIL() << "mu = 2 was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_STREQ(error.what(), "mu is 2; expected a number from 0 to 1");
    }
}

// A tiny data set whose column `fixed` never varies.
Observations with_constant(double constant, std::size_t rows) {
    Rng rng(1, Draw::test);
    std::vector<double> x(rows);
    std::vector<double> given(rows);
    std::vector<double> outcome(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        x[i] = rng.normal();
        given[i] = static_cast<double>(i % 2);
        outcome[i] = x[i] * (given[i] - 0.5);
    }
    return observe(Table({{"x", NumericColumn{x}},
                          {"fixed", NumericColumn{std::vector<double>(rows, constant)}},
                          {"treatment", NumericColumn{given}},
                          {"outcome", NumericColumn{outcome}}}),
                   roles);
}

TEST(Fit, IsNotUpsetByAColumnThatNeverVaries) {
    // Their computed means are off by rounding, so that their computed deviations are not 0.
    for (const double constant : {0.1, 37.2, 98.6, -1e9 / 3}) {
        const Fit fitted = fit(with_constant(constant, 4000), quick_network());
        EXPECT_LT(fitted.policy.network.layers()[0].weights.cwiseAbs().maxCoeff(), 100) << constant;
        EXPECT_LT(fitted.loss, 0.3) << constant;
    }
}

TEST(Fit, LetsAColumnThatNeverVariedPlayNoPart) {
    const Policy policy = fit(with_constant(2023, 400), quick_network()).policy;
    Table rows({{"x", NumericColumn{{-1, 0, 1}}}, {"fixed", NumericColumn{{2023, 2023, 2023}}}});
    Table other({{"x", NumericColumn{{-1, 0, 1}}}, {"fixed", NumericColumn{{0, 2024, 1e9}}}});
    EXPECT_EQ(prescribe(policy, rows, {.outcomes = true}).outcomes,
              prescribe(policy, other, {.outcomes = true}).outcomes);
}

std::string error_of(const Observations& observations, const FitOptions& options) {
    try {
        (void)fit(observations, options);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Fit, RefusesWhatFloat32CannotTrainOn) {
    Observations observations = clinic_study(100);
    FitOptions options = quick_network();
    for (double& outcome : observations.outcome) outcome *= 1e-3;
    for (double& outcome : observations.outcome) outcome += 1e9;
    EXPECT_EQ(error_of(observations, options),
              "column 'outcome': its values differ by too little beside their size; subtract a constant from them");
    options.network.outcome_scale = OutcomeScale::raw;
    EXPECT_NE(error_of(observations, options).find("all the same to float32; standardize the outcome"),
              std::string::npos);
    observations.outcome[5] = 1e39;
    EXPECT_NE(error_of(observations, options).find("1e+39 is too large to train on as it is"), std::string::npos);
    observations = clinic_study(100);
    observations.weight.assign(100, 1e308);
    EXPECT_EQ(error_of(observations, options),
              "the weights of the training rows are all zero, or too large or small to add up");
}

TEST(Fit, RefusesAValidationShareThatHoldsOutNothing) {
    FitOptions options = quick_network();
    options.network.validation_fraction = 0.01;
    EXPECT_EQ(error_of(clinic_study(30), options), "a validation fraction of 0.01 holds out none of 30 rows");
}

TEST(Prescribe, RefusesARowWhoseValuesOverflowTheNetwork) {
    Policy policy;
    policy.encoder = Encoder({{.name = "x"}});
    policy.network = ReluNetwork({Layer{Matrix::Constant(2, 1, 1e10), Vector::Zero(2)}});
    policy.treatments = {"a", "b"};
    const Table rows({{"x", NumericColumn{{1, 1e300}}}});
    try {
        (void)prescribe(policy, rows);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("too large for this model"), std::string::npos);
    }
    EXPECT_EQ(prescribe(policy, Table({{"x", NumericColumn{{1}}}})).treatment, std::vector<int>{0});
}

TEST(ReadingOptions, MakeNewRowsMeanWhatTheTrainingRowsMeant) {
    Schema schema;
    schema.columns = {{.name = "country", .categories = {"DE", "NA"}}};
    schema.missing = {"-9"};
    const std::string csv = "country,age,treatment,outcome\nNA,40,0,1\nDE,50,0,2\nNA,-9,1,3\nDE,60,1,4\n";
    const Table table = parse_csv(csv, "train.csv", {.schema = schema});
    const Policy policy = fit(observe(table, roles, schema), quick_network(), schema).policy;
    // "NA" is Namibia and -9 is missing, as they were; the type of age does not depend on the new rows.
    const Table fresh = parse_csv("age,country\n-9,NA\n41,DE\n", "new.csv", reading_options(policy));
    const Matrix encoded = policy.encoder.encode(fresh);
    EXPECT_EQ(encoded.row(0).transpose(), (Vector(4) << 0, 1, 50, 1).finished());
    EXPECT_EQ(encoded.row(1).transpose(), (Vector(4) << 1, 0, 41, 0).finished());
}

}  // namespace
}  // namespace polyrx
