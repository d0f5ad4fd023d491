// SPDX-License-Identifier: Apache-2.0
// What nuisances say of studies that they cannot be had from.
#include "polyrx/nuisance/nuisances.hpp"

#include <gtest/gtest.h>

#include "polyrx/nuisance/calibrate.hpp"
#include "tests/support/random_treated_rows.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::random_treated_rows;
using test::RandomStudy;
using test::sentence_of;

RandomStudy small_random_study() {
    Rng rng(1, Draw::test);
    return random_treated_rows(rng, 90, 2, 2);
}

std::string trouble_with(const RandomStudy& study, const StudyDesign& design, const NuisanceOptions& options = {},
                         ErrorKind kind = ErrorKind::data) {
    return sentence_of(kind, [&] { (void)cross_fit(study.rows(), study.all(), options, design); });
}

TEST(CrossFit, PredictsTheMeanOfATreatmentWithFewRows) {
    RandomStudy study = small_random_study();
    std::ranges::fill(study.treatment, 0);
    for (std::size_t i = 0; i < 11; ++i) study.treatment[i] = 1;
    const Nuisances nuisances = cross_fit(study.rows(), study.all(), {});
    for (const RowSplit& fold : nuisances.folds) {
        double sum = 0;
        double weights = 0;
        for (const std::size_t row : fold.kept)
            if (study.treatment[row] == 1) {
                sum += study.rows().weight_of(row) * study.outcome[row];
                weights += study.rows().weight_of(row);
            }
        for (const std::size_t row : fold.held_out)
            EXPECT_NEAR(nuisances.outcomes(static_cast<Eigen::Index>(row), 1), sum / weights, 1e-12);
    }
}

TEST(CrossFit, AnswersForTheOtherTreatmentsWhereOneHasHardlyAnyRows) {
    for (const std::size_t rare : {0, 1, 2}) {
        RandomStudy study = small_random_study();
        study.treatments = 3;
        for (std::size_t i = 0; i < rare; ++i) study.treatment[i] = 2;
        NuisanceOptions options = stacked_nuisances();
        options.outcome_trees = options.propensity.trees = 5;
        const Nuisances nuisances = cross_fit(study.rows(), study.all(), options);
        EXPECT_TRUE(nuisances.outcomes.allFinite());
        EXPECT_TRUE(nuisances.propensities.allFinite());
        EXPECT_LT(nuisances.propensities.col(2).mean(), 0.06);
    }
}

TEST(CrossFit, PredictsFromTwoRowsOfATreatment) {
    RandomStudy study = small_random_study();
    std::ranges::fill(study.treatment, 0);
    study.treatment[0] = study.treatment[1] = 1;
    NuisanceOptions options;
    options.least_rows = 1;
    options.outcome = OutcomeModel::stack;
    options.outcome_trees = 5;
    EXPECT_TRUE(cross_fit(study.rows(), study.all(), options).outcomes.allFinite());
}

TEST(CrossFit, NamesTheTreatmentWithTooFewRows) {
    RandomStudy study = small_random_study();
    const std::vector<std::string> labels{"Low", "High"};
    std::ranges::fill(study.treatment, 0);
    study.treatment[4] = 1;
    EXPECT_EQ(trouble_with(study, {.labels = labels}),
              "treatment 'High' has 1 of the rows, but doubly robust scores need at least 2 of each");
}

TEST(CrossFit, NeedsGroupsThatCanDoWithoutEachOther) {
    RandomStudy study = small_random_study();
    std::vector<std::size_t> group(90, 3);
    EXPECT_EQ(trouble_with(study, {.group = group}),
              "all rows are in one group: nothing outside of it could predict them");
    group[0] = 1;
    group[1] = 2;
    EXPECT_EQ(trouble_with(study, {.group = group}, {}, ErrorKind::usage),
              "5 folds need at least as many groups; there are only 3");
    for (std::size_t i = 0; i < 90; ++i) {
        group[i] = i % 6;
        study.treatment[i] = i % 6 == 2 ? 1 : 0;  // in one group only
    }
    NuisanceOptions options;
    options.folds = 2;
    const std::string sentence = trouble_with(study, {.group = group}, options);
    EXPECT_TRUE(sentence.starts_with("treatment 1 has no rows outside of fold ")) << sentence;
}

TEST(CrossFit, RefusesPropensitiesThatAreNone) {
    const RandomStudy study = small_random_study();
    Matrix known = Matrix::Constant(90, 2, 0.5);
    known.row(7) << 1.2, -0.2;
    const std::vector<std::string> labels{"Low", "High"};
    const auto sentence = [&] { return trouble_with(study, {.propensities = &known, .labels = labels}); };
    EXPECT_EQ(sentence(), "row 8: the propensity of treatment 'Low' is 1.2: expected a number from 0 to 1");
    known.row(7) << 1, 0;
    EXPECT_NO_THROW(check_known_propensities(known, 90, 2));  // a design may rule a treatment out
    known(7, 1) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(sentence(), "row 8: the propensity of treatment 'High' is nan: expected a number from 0 to 1");
    known.row(7) << 0.3, 0.6;
    EXPECT_EQ(sentence(), "row 8: the propensities sum to 0.9: expected 1");
    known.row(7) << 0.3000001, 0.7;
    EXPECT_NO_THROW(check_known_propensities(known, 90, 2));
    known.conservativeResize(89, 2);
    EXPECT_EQ(sentence(), "known propensities of 89 rows were given, and there are 90");
    known = Matrix::Constant(90, 3, 1.0 / 3);
    EXPECT_EQ(sentence(), "known propensities of 3 treatments were given, and there are 2");
    known = Matrix::Constant(90, 1, 0.5);
    EXPECT_EQ(sentence(),
              "one propensity a row, of the treatment that it received, is not enough: expected those of all 2 "
              "treatments, since a policy may prescribe another one");
}

TEST(CrossFit, RefusesForestsWithoutTreesAndLeavesWithoutRows) {
    const RandomStudy study = small_random_study();
    NuisanceOptions options;
    options.outcome_trees = 0;
    EXPECT_EQ(trouble_with(study, {}, options, ErrorKind::usage), "a forest has at least 1 tree, not 0");
    options = {};
    options.propensity.leaf_rows = 0;
    EXPECT_EQ(trouble_with(study, {}, options, ErrorKind::usage), "leaves have at least 1 row, not 0");
    options = {};
    options.folds = 1;
    EXPECT_EQ(trouble_with(study, {}, options, ErrorKind::usage), "there must be at least 2 folds, not 1");
}

TEST(LogLoss, IsTheWeightedMeanAndBearsAZero) {
    Matrix probabilities(2, 2);
    probabilities << 0.25, 0.75, 1, 0;
    EXPECT_DOUBLE_EQ(log_loss(probabilities, std::vector<int>{0, 0}), -std::log(0.25) / 2);
    EXPECT_DOUBLE_EQ(log_loss(probabilities, std::vector<int>{1, 1}, std::vector<double>{3, 1}),
                     -(3 * std::log(0.75) + std::log(1e-6)) / 4);
    EXPECT_EQ(sentence_of(ErrorKind::usage, [&] { (void)log_loss(probabilities, std::vector<int>{0}); }),
              "the log-loss of 1 rows needs as many rows of probabilities, not 2");
}

}  // namespace
}  // namespace polyrx
