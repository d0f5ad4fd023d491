// SPDX-License-Identifier: Apache-2.0
// Cross-fitted nuisances: that nothing leaks, that the better model is chosen, and that calibration helps where it can.
#include "polyrx/nuisance/nuisances.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/evaluate/value/policy_value.hpp"
#include "polyrx/nuisance/calibrate.hpp"
#include "polyrx/nuisance/linear_inputs.hpp"
#include "tests/support/overlap_study.hpp"
#include "tests/support/random_treated_rows.hpp"

namespace polyrx {
namespace {

using test::overlap_study;
using test::OverlapStudy;
using test::random_treated_rows;
using test::RandomStudy;
using test::Rows;

NuisanceOptions quick_nuisances(OutcomeModel outcome = OutcomeModel::forest) {
    NuisanceOptions options;
    options.outcome = outcome;
    options.outcome_trees = options.propensity.trees = 5;
    options.folds = 4;
    return options;
}

bool same_rows(const Matrix& a, const Matrix& b, const Rows& rows) {
    return a(rows, Eigen::all) == b(rows, Eigen::all);
}

TEST(CrossFit, AFoldsOwnOutcomesDoNotMoveItsPredictions) {
    Rng rng(1, Draw::test);
    const RandomStudy clean = random_treated_rows(rng, 240, 3, 3);
    for (const OutcomeModel model : {OutcomeModel::forest, OutcomeModel::ridge}) {
        const Nuisances before = cross_fit(clean.rows(), clean.all(), quick_nuisances(model));
        for (std::size_t f = 0; f < before.folds.size(); ++f) {
            RandomStudy poisoned = clean;
            for (const std::size_t row : before.folds[f].held_out) poisoned.outcome[row] = 1e6 * rng.normal();
            const Nuisances after = cross_fit(poisoned.rows(), clean.all(), quick_nuisances(model));
            EXPECT_EQ(after.propensities, before.propensities);
            for (std::size_t other = 0; other < before.folds.size(); ++other)
                EXPECT_EQ(same_rows(after.outcomes, before.outcomes, before.folds[other].held_out), other == f);
        }
    }
}

TEST(CrossFit, AGroupsOwnOutcomesDoNotMoveItsPredictions) {
    Rng rng(2, Draw::test);
    const RandomStudy clean = random_treated_rows(rng, 240, 3, 2);
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < 240; ++i) group.push_back(100 + rng.below(25));
    for (const OutcomeModel model : {OutcomeModel::forest, OutcomeModel::ridge}) {
        const Nuisances before = cross_fit(clean.rows(), clean.all(), quick_nuisances(model), {.group = group});
        for (const RowSplit& fold : before.folds)
            for (const std::size_t row : fold.held_out)
                for (const std::size_t other : fold.kept) ASSERT_NE(group[row], group[other]);
        for (const std::size_t poisoned : {100U, 111U, 124U}) {
            RandomStudy study = clean;
            Rows members;
            for (std::size_t i = 0; i < 240; ++i)
                if (group[i] == poisoned) members.push_back(i);
            for (const std::size_t row : members) study.outcome[row] = 1e6 * rng.normal();
            const Nuisances after = cross_fit(study.rows(), clean.all(), quick_nuisances(model), {.group = group});
            EXPECT_TRUE(same_rows(after.outcomes, before.outcomes, members));
            EXPECT_NE(after.outcomes, before.outcomes);
        }
    }
}

TEST(FitPropensities, TreatmentsOfHeldOutRowsHaveNoSayInAnything) {
    Rng rng(3, Draw::test);
    RandomStudy study = random_treated_rows(rng, 200, 3, 3);
    const Matrix inputs = linear_inputs(study.features, study.all());
    const RowSplit split = k_folds(study.treatment, 4, 1)[0];
    const auto fit = [&] {
        return fit_propensities({study.rows(), study.all(), inputs}, split.kept, split.held_out, {.trees = 5}, {});
    };
    const PropensityFit before = fit();
    for (const std::size_t row : split.held_out) study.treatment[row] = static_cast<int>(rng.below(3));
    const PropensityFit after = fit();
    EXPECT_EQ(after.propensities, before.propensities);
    EXPECT_EQ(after.trials[1].log_loss, before.trials[1].log_loss);
    for (const std::size_t row : split.kept) study.treatment[row] = static_cast<int>(rng.below(3));
    EXPECT_NE(fit().propensities, before.propensities);
}

TEST(CrossFit, LooksAtTheNamedRowsOnly) {
    Rng rng(4, Draw::test);
    RandomStudy study = random_treated_rows(rng, 300, 3, 2);
    Rows some;
    for (std::size_t row = 0; row < 300; row += 2) some.push_back(row);
    for (const OutcomeModel model : {OutcomeModel::forest, OutcomeModel::ridge}) {
        RandomStudy other = study;
        const Nuisances before = cross_fit(study.rows(), some, quick_nuisances(model));
        EXPECT_EQ(before.outcomes.rows(), 150);
        for (std::size_t row = 1; row < 300; row += 2) {
            other.outcome[row] = other.weight[row] = std::numeric_limits<double>::quiet_NaN();
            other.treatment[row] = 99;
            other.features.values.row(static_cast<Eigen::Index>(row)).setConstant(1);
        }
        const Nuisances after = cross_fit(other.rows(), some, quick_nuisances(model));
        EXPECT_EQ(after.outcomes, before.outcomes);
        EXPECT_EQ(after.propensities, before.propensities);
    }
}

TEST(CrossFit, HasTheSameBytesForAnyNumberOfThreads) {
    Rng rng(5, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 300, 4, 3);
    for (const OutcomeModel model : {OutcomeModel::forest, OutcomeModel::ridge}) {
        NuisanceOptions options = quick_nuisances(model);
        const Nuisances one = cross_fit(study.rows(), study.all(), options);
        EXPECT_TRUE(one.outcomes.allFinite() && one.propensities.allFinite());
        EXPECT_LT((one.propensities.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
        for (const int threads : {2, 4}) {
            options.threads = threads;
            const Nuisances many = cross_fit(study.rows(), study.all(), options);
            EXPECT_EQ(many.outcomes, one.outcomes);
            EXPECT_EQ(many.propensities, one.propensities);
            EXPECT_EQ(many.propensity.trials[0].calibrated_log_loss, one.propensity.trials[0].calibrated_log_loss);
        }
    }
}

TEST(CrossFit, GroupsOfOneRowAreNoGroups) {
    Rng rng(6, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 150, 3, 2);
    const Nuisances alone = cross_fit(study.rows(), study.all(), quick_nuisances());
    const Nuisances grouped = cross_fit(study.rows(), study.all(), quick_nuisances(), {.group = study.all()});
    EXPECT_EQ(grouped.outcomes, alone.outcomes);
    EXPECT_EQ(grouped.propensities, alone.propensities);
}

TEST(CrossFit, TakesKnownPropensitiesAsTheyAre) {
    Rng rng(7, Draw::test);
    const OverlapStudy study = overlap_study(rng, 200);
    const Rows some{5, 3, 180, 7, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62};
    NuisanceOptions options = quick_nuisances(OutcomeModel::none);
    options.least_rows = 1;
    options.folds = 2;
    const Nuisances known = cross_fit(study.rows(), some, options, {.propensities = &study.propensities});
    EXPECT_EQ(known.propensities, study.propensities(some, Eigen::all));
    EXPECT_EQ(known.outcomes.size(), 0);
    EXPECT_TRUE(known.propensity.known);
    EXPECT_TRUE(known.propensity.trials.empty());
}

// Two treatments; the second is likelier either along a line, or in two opposite corners of a square.
RandomStudy assigned_by(Rng& rng, std::size_t rows, bool corners) {
    RandomStudy study{{Eigen::MatrixXd(static_cast<Eigen::Index>(rows), 3), {0, 0, 0}}, {}, 2, {}, {}};
    for (std::size_t i = 0; i < rows; ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        for (double& value : study.features.values.row(row)) value = rng.uniform(-1, 1);
        const auto x = study.features.values.row(row);
        const double odds = corners ? (x[0] * x[1] > 0 ? 2.0 : -2.0) : 1.5 * x[0] + 1.5 * x[1];
        study.treatment.push_back(rng.bernoulli(1 / (1 + std::exp(-odds))) ? 1 : 0);
        study.outcome.push_back(rng.normal());
    }
    return study;
}

TEST(CrossFit, ChoosesTheModelThatPredictsTreatmentsBetter) {
    for (const bool corners : {false, true}) {
        Rng rng(8, Draw::test, corners ? 1 : 0);
        const RandomStudy study = assigned_by(rng, 1'500, corners);
        NuisanceOptions options = quick_nuisances(OutcomeModel::none);
        options.propensity.trees = 50;
        const PropensityReport report = cross_fit(study.rows(), study.all(), options).propensity;
        const PropensityModel better = corners ? PropensityModel::forest : PropensityModel::logistic;
        EXPECT_EQ(report.model, std::vector<PropensityModel>(4, better));
        ASSERT_EQ(report.trials.size(), 2U);
        const auto best = [](const PropensityTrial& trial) {
            return std::min(trial.log_loss, trial.calibrated_log_loss);
        };
        EXPECT_EQ(best(report.trials[0]) < best(report.trials[1]), !corners);
        for (const PropensityModel forced : {PropensityModel::logistic, PropensityModel::forest}) {
            options.propensity.model = forced;
            const PropensityReport obeyed = cross_fit(study.rows(), study.all(), options).propensity;
            EXPECT_EQ(obeyed.model, std::vector<PropensityModel>(4, forced));
            EXPECT_EQ(obeyed.trials.size(), 1U);
            EXPECT_EQ(obeyed.log_loss == report.log_loss, forced == better);
        }
    }
}

TEST(CrossFit, PropensitiesAreCalibratedWhereThatHelps) {
    Rng rng(9, Draw::test);
    const RandomStudy study = assigned_by(rng, 2'000, false);
    NuisanceOptions options = quick_nuisances(OutcomeModel::none);
    options.propensity = {.model = PropensityModel::forest, .trees = 20, .leaf_rows = 1};  // much too sure of itself
    const PropensityReport with = cross_fit(study.rows(), study.all(), options).propensity;
    options.propensity.calibrate = false;
    const PropensityReport without = cross_fit(study.rows(), study.all(), options).propensity;
    EXPECT_EQ(std::ranges::count(with.calibrated, true), 4);
    EXPECT_EQ(std::ranges::count(without.calibrated, true), 0);
    EXPECT_LT(with.log_loss, without.log_loss - 0.05);
    EXPECT_LT(with.trials[0].calibrated_log_loss, with.trials[0].log_loss);
    EXPECT_TRUE(without.trials.empty());
    // A forest that has nothing to correct is not made worse, whether its calibration is by folds or by its own trees.
    for (const int trees : {49, 50}) {
        options.propensity = {.model = PropensityModel::forest, .trees = trees, .leaf_rows = 50};
        const double after = cross_fit(study.rows(), study.all(), options).propensity.log_loss;
        options.propensity.calibrate = false;
        EXPECT_LT(after, cross_fit(study.rows(), study.all(), options).propensity.log_loss + 0.003) << trees;
    }
}

TEST(Calibration, UndoesADistortion) {
    Rng rng(10, Draw::test);
    const OverlapStudy study = overlap_study(rng, 5'000);
    Matrix distorted = study.propensities.array().cube().matrix();
    distorted.col(2) *= 4;
    for (auto row : distorted.rowwise()) row /= row.sum();
    const Matrix undone = calibrated(fit_calibration(distorted, study.treatment), distorted);
    EXPECT_LT((undone - study.propensities).array().abs().maxCoeff(), 0.1);
    EXPECT_LT((undone - study.propensities).array().square().mean(), 1e-3);
    EXPECT_GT((distorted - study.propensities).array().square().mean(), 1e-2);
    EXPECT_LT(log_loss(undone, study.treatment), log_loss(distorted, study.treatment));
    // There is little to gain beside the truth.
    const Matrix truth = calibrated(fit_calibration(study.propensities, study.treatment), study.propensities);
    EXPECT_LT((truth - study.propensities).array().square().mean(), 1e-3);
}

TEST(LinearInputs, HasAColumnForEachNumberLevelAndGap) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    Eigen::MatrixXd values(5, 3);
    values << 1, 0, 5, nan, 2, 6, 3, nan, 7, 100, 1, nan, 5, 1, 8;
    Matrix expected(4, 8);
    expected << 1, 0, /**/ 1, 0, 0, 0, /**/ 5, 0,  //
        3, 1, /**/ 0, 0, 1, 0, /**/ 6, 0,          //
        3, 0, /**/ 0, 0, 0, 1, /**/ 7, 0,          //
        5, 0, /**/ 0, 1, 0, 0, /**/ 8, 0;
    const Matrix made = linear_inputs({values, {0, 3, 0}}, Rows{0, 1, 2, 4});
    EXPECT_EQ(made, expected.leftCols(7));  // the last feature has no gap in these rows
}

TEST(CrossFit, TellsWhereItStandsAndCanBeCanceled) {
    Rng rng(11, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 120, 2, 2);
    std::vector<double> shares;
    (void)cross_fit(study.rows(), study.all(), quick_nuisances(), {}, [&](double share, std::string_view) {
        shares.push_back(share);
        return true;
    });
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_LT(shares.back(), 1);
    for (const OutcomeModel model : {OutcomeModel::forest, OutcomeModel::ridge, OutcomeModel::none})
        EXPECT_THROW((void)cross_fit(study.rows(), study.all(), quick_nuisances(model), {},
                                     [](double, std::string_view) { return false; }),
                     Error);
}

TEST(TrainingSample, HasTheSharesOfTheTreatments) {
    std::vector<int> treatment(9'000, 0);
    for (std::size_t i = 0; i < 3'000; ++i) treatment[3 * i] = 1;
    const Rows all = stratified_sample(treatment, 9'000, 1);
    EXPECT_EQ(all.size(), 9'000U);
    const Rows some = stratified_sample(treatment, 600, 1);
    EXPECT_EQ(some.size(), 600U);
    EXPECT_EQ(std::ranges::count_if(some, [&](std::size_t i) { return treatment[i] == 1; }), 200);
    EXPECT_TRUE(std::ranges::is_sorted(some));
    EXPECT_EQ(some, stratified_sample(treatment, 600, 1));
    EXPECT_NE(some, stratified_sample(treatment, 600, 2));
}

TEST(TrainingSample, KeepsTheRowsOfARareTreatment) {
    EXPECT_EQ(equal_shares({1'000, 40, 500}, 600), (Rows{280, 40, 280}));
    EXPECT_EQ(equal_shares({1'000, 40, 200}, 600), (Rows{360, 40, 200}));
    EXPECT_EQ(equal_shares({300, 0, 300}, 600), (Rows{300, 0, 300}));
}

TEST(CrossFit, FromASampleOfTheTrainingRowsGivesTheSameValueWithinItsStandardError) {
    Rng rng(12, Draw::test);
    const OverlapStudy study = overlap_study(rng, 6'000);
    NuisanceOptions options = stacked_nuisances();
    options.propensity.trees = options.outcome_trees = 50;
    options.threads = 2;
    const auto value = [&](const Nuisances& nuisances) {
        return policy_value({study.treatment, study.outcome, nuisances.outcomes, nuisances.propensities}, study.policy,
                            Estimator::dr, 0.005);
    };
    const Nuisances from_all = cross_fit(study.rows(), study.all(), options);
    EXPECT_FALSE(from_all.sampled);
    options.training_rows = 4'800;  // as many as there are outside of a fold
    EXPECT_EQ(cross_fit(study.rows(), study.all(), options).outcomes, from_all.outcomes);
    options.training_rows = 1'500;
    const Nuisances from_some = cross_fit(study.rows(), study.all(), options);
    EXPECT_TRUE(from_some.sampled);
    EXPECT_NE(from_some.outcomes, from_all.outcomes);
    EXPECT_TRUE(from_some.outcomes.allFinite() && from_some.propensities.allFinite());
    EXPECT_NEAR(*value(from_some).value, *value(from_all).value, *value(from_all).standard_error);
    EXPECT_NEAR(*value(from_some).standard_error / *value(from_all).standard_error, 1, 0.1);
    options.threads = 1;
    EXPECT_EQ(cross_fit(study.rows(), study.all(), options).propensities, from_some.propensities);
}

}  // namespace
}  // namespace polyrx
