// SPDX-License-Identifier: Apache-2.0
// Overlap: counts and effective rows by hand, and verdicts where it is known what they must be.
#include "polyrx/evaluate/overlap/overlap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/evaluate/overlap/supported_rows.hpp"
#include "polyrx/evaluate/value/truth.hpp"
#include "polyrx/studies/simulate.hpp"
#include "polyrx/study/observations.hpp"
#include "tests/support/columns.hpp"
#include "tests/support/scored_study.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::scored_study;
using test::ScoredSample;

// Ten rows; the propensity of treatment 1 is given, and scores do not matter.
ScoredSample by_hand(const std::vector<double>& propensity, std::vector<int> treatment,
                     std::vector<int> prescriptions) {
    const auto rows = static_cast<Eigen::Index>(propensity.size());
    ScoredSample study{Matrix(rows, 0),         Matrix::Zero(rows, 2), Matrix(rows, 2),
                       Matrix::Zero(rows, 2),   std::move(treatment),  {},
                       std::move(prescriptions)};
    for (Eigen::Index i = 0; i < rows; ++i)
        study.propensities.row(i) << 1 - propensity[static_cast<std::size_t>(i)],
            propensity[static_cast<std::size_t>(i)];
    study.outcome.assign(propensity.size(), 0);
    return study;
}

// Overlap with support by the study's propensities.
Overlap overlap_with(const ScoredSample& study, double epsilon = 0.1, double needed_rows = 0) {
    const std::vector<TreatmentSet> supported = supported_treatments(study.propensities, {.epsilon = epsilon});
    ScoredRows rows = study.rows();
    rows.supported = supported;
    rows.needed_rows = needed_rows;
    return overlap_of(rows);
}

// Propensities and outcomes as they are, where rows 1, 3 and 4 got what was prescribed.
ScoredSample ten_rows() {
    return by_hand({0.5, 0.25, 0.01, 0.1, 0.2, 0, 1, 0.3, 0.95, 0.6}, {0, 1, 0, 1, 0, 0, 1, 0, 1, 1},
                   {1, 1, 1, 1, 0, 1, 0, 1, 0, 0});
}

TEST(Overlap, CountsTenRowsByHand) {
    const Overlap overlap = overlap_with(ten_rows());
    const TreatmentOverlap& one = overlap.treatments[1];
    EXPECT_EQ(one.received, 5U);
    EXPECT_EQ(one.prescribed, 6U);
    EXPECT_EQ(one.all_rows, (std::array<std::size_t, 10>{3, 1, 2, 0, 1, 1, 0, 0, 0, 2}));
    EXPECT_EQ(one.received_rows, (std::array<std::size_t, 10>{1, 0, 1, 0, 0, 1, 0, 0, 0, 2}));
    EXPECT_EQ(one.smallest, (std::vector<double>{0, 0.01, 0.1, 0.2, 0.25}));
    EXPECT_EQ(one.smallest_received, 0.1);
    EXPECT_DOUBLE_EQ(one.unsupported_share, 0.2);
    EXPECT_EQ(overlap.matched, 3U);
    // Rows 1, 3 and 4 have weights 1 / 0.25, 1 / 0.1 and 1 / 0.8.
    EXPECT_DOUBLE_EQ(overlap.effective_rows, 15.25 * 15.25 / (16 + 100 + 1.5625));
    EXPECT_DOUBLE_EQ(overlap.unsupported_share, 0.4);  // rows 2, 5, 6, and 8, since ten rows say little of 0.05
    EXPECT_EQ(overlap.unsupported, 4U);
}

TEST(Overlap, WeightsDivideByNoLessThanTheLeastPropensity) {
    const ScoredSample study = ten_rows();
    ScoredRows rows = study.rows();
    rows.least_propensity = 0.2;
    const Overlap overlap = overlap_of(rows);
    EXPECT_DOUBLE_EQ(overlap.effective_rows, 10.25 * 10.25 / (16 + 25 + 1.5625));
}

TEST(Overlap, EqualWeightsCountAsTheyAreAndOneThatDominatesAsOne) {
    for (const double p : {0.1, 0.5, 0.9}) {
        const ScoredSample even = by_hand(std::vector<double>(40, p), std::vector<int>(40, 1), std::vector<int>(40, 1));
        EXPECT_NEAR(overlap_of(even.rows()).effective_rows, 40, 1e-9);
        EXPECT_NEAR(overlap_of(even.rows()).treatments[1].effective_rows, 40, 1e-9);
        EXPECT_EQ(overlap_of(even.rows()).treatments[0].effective_rows, 0);
    }
    ScoredSample uneven = by_hand(std::vector<double>(40, 0.5), std::vector<int>(40, 1), std::vector<int>(40, 1));
    uneven.weight.assign(40, 1e-9);
    uneven.weight[3] = 1;
    EXPECT_NEAR(overlap_of(uneven.rows()).effective_rows, 1, 1e-6);
}

TEST(Overlap, WholeWeightsAreRowsSoOftenButForTheCounts) {
    Rng rng(1, Draw::test);
    const ScoredSample study = scored_study(rng, 60, 3);
    ScoredSample weighted = study;
    weighted.weight.assign(60, 3);
    const Overlap once = overlap_with(study, 0.8);
    const Overlap thrice = overlap_with(weighted, 0.8);
    EXPECT_NEAR(once.effective_rows, thrice.effective_rows, 1e-9);
    EXPECT_GT(once.unsupported_share, 0);
    EXPECT_NEAR(once.unsupported_share, thrice.unsupported_share, 1e-12);
    EXPECT_EQ(once.treatments[2].all_rows, thrice.treatments[2].all_rows);
}

TEST(Overlap, DoesNotDependOnTheOrderOfRows) {
    for (std::uint64_t index = 0; index < 10; ++index) {
        Rng rng(2, Draw::test, index);
        ScoredSample study = scored_study(rng, 80, 3);
        study.weight = test::random_weights(rng, 80);
        const Overlap before = overlap_of(study.rows());
        const Overlap after = overlap_of(reordered(study, test::random_order(rng, 80)).rows());
        EXPECT_EQ(before.words, after.words);
        EXPECT_NEAR(before.effective_rows, after.effective_rows, 1e-9);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(before.treatments[k].all_rows, after.treatments[k].all_rows);
            EXPECT_EQ(before.treatments[k].smallest, after.treatments[k].smallest);
            EXPECT_EQ(std::accumulate(after.treatments[k].all_rows.begin(), after.treatments[k].all_rows.end(),
                                      std::size_t{0}),
                      80U);
        }
    }
}

TEST(OverlapVerdict, IsSupportedWhereEveryTreatmentIsCommon) {
    for (const int treatments : {2, 3}) {
        Rng rng(3, Draw::test, static_cast<std::uint64_t>(treatments));
        const Overlap overlap = overlap_with(scored_study(rng, 1'000, treatments));
        EXPECT_EQ(overlap.verdict, OverlapVerdict::supported);
        EXPECT_EQ(overlap.words, "supported");
        EXPECT_EQ(overlap.unsupported_share, 0);
    }
}

TEST(OverlapVerdict, IsSupportedThereWithThePropensitiesOfForestsToo) {
    Rng rng(4, Draw::test);
    ScoredSample study = scored_study(rng, 3'000, 2);
    const FeatureRows features{study.features, {0, 0}};
    std::vector<std::size_t> all(3'000);
    std::iota(all.begin(), all.end(), std::size_t{0});
    study.propensities =
        doubly_robust({features, study.treatment, 2, study.outcome}, all, {.folds = 2, .trees = 40, .threads = 2})
            .propensities;
    EXPECT_EQ(overlap_with(study).words, "supported");
}

TEST(OverlapVerdict, SaysHowManyPrescriptionsAreNotSupported) {
    std::vector<double> propensity(100, 0.5);
    for (std::size_t i = 0; i < 14; ++i) propensity[i] = 0.001;
    const std::vector<int> ones(100, 1);
    std::vector<int> received = ones;
    for (std::size_t i = 0; i < 50; ++i) received[i] = 0;
    const ScoredSample study = by_hand(propensity, received, ones);
    EXPECT_EQ(overlap_with(study).words, "weak overlap: 14 % of prescriptions are not supported");
    // A smaller epsilon does not help: that few rows with so low a propensity say nothing.
    EXPECT_EQ(overlap_with(study, 0.0001).words, overlap_with(study).words);
    for (std::size_t i = 0; i < 13; ++i) propensity[i] = 0.5;
    EXPECT_EQ(overlap_with(by_hand(propensity, received, ones)).words,
              "supported: all but 1.0 % of prescriptions; these are bounded");
}

TEST(OverlapVerdict, IsWeakWhereOnlyThePrescribedTreatmentWasEverSeen) {
    std::vector<double> propensity(100, 0.99);
    for (std::size_t i = 0; i < 49; ++i) propensity[i] = 0.5;
    const ScoredSample study = by_hand(propensity, std::vector<int>(100, 1), std::vector<int>(100, 1));
    EXPECT_EQ(overlap_with(study).words, "weak overlap: for 51 % of rows some treatment is not supported");
    EXPECT_DOUBLE_EQ(overlap_with(study).some_unsupported_share, 0.51);
    propensity[50] = 0.5;
    const ScoredSample half = by_hand(propensity, std::vector<int>(100, 1), std::vector<int>(100, 1));
    EXPECT_EQ(overlap_with(half).words, "supported");
}

TEST(OverlapVerdict, IsNotAnswerableWhereNobodyReceivedIt) {
    const ScoredSample study = by_hand(std::vector<double>(50, 0.5), std::vector<int>(50, 0), std::vector<int>(50, 1));
    const Overlap overlap = overlap_of(study.rows());
    EXPECT_EQ(overlap.verdict, OverlapVerdict::not_answerable);
    EXPECT_EQ(overlap.words, "not answerable: no row received what was prescribed");
    EXPECT_EQ(overlap.treatments[1].smallest_received, std::nullopt);
}

TEST(OverlapVerdict, IsNotAnswerableFromAHandfulOfRows) {
    EXPECT_EQ(overlap_with(ten_rows(), 0.1, 30).words,
              "not answerable: too few rows: effective sample size 2.0; at least 30 are needed");
}

// The treatments that are truly best, valued with the propensities of Section 5.2, P[1] = logistic(y0), and with those
// that forests find. On the third, where 0 is best for all and was given to nearly all, it is the other one that is
// rare.
TEST(OverlapVerdict, IsWeakOnTheFirstThreeDatasetsOfThePaper) {
    for (const int dataset : {1, 2, 3}) {
        const Table table = simulate_paper(dataset, {.rows = 3'000, .truth = true});
        const Observations observed = observe(table, {.treatment = "treatment", .outcome = "outcome"});
        std::vector<double> known;
        std::vector<int> best;
        for (const double y0 : test::numbers(table, "y0")) known.push_back(1 / (1 + std::exp(-y0)));
        for (const double k : test::numbers(table, "best")) best.push_back(static_cast<int>(k));
        ScoredSample study = by_hand(known, observed.treatment, best);
        const Overlap of_known = overlap_with(study);
        EXPECT_EQ(of_known.verdict, OverlapVerdict::weak) << dataset << ": " << of_known.words;

        const Encoder encoder = make_encoder(observed.features);
        const FeatureRows features = feature_rows(encoder, observed.features);
        const TreatedRows treated{features, observed.treatment, 2, observed.outcome};
        std::vector<std::size_t> all(3'000);
        std::iota(all.begin(), all.end(), std::size_t{0});
        study.propensities = doubly_robust(treated, all, {.folds = 2, .trees = 40, .threads = 2}).propensities;
        const Overlap of_forests = overlap_with(study);
        EXPECT_EQ(of_forests.verdict, OverlapVerdict::weak) << dataset << ": " << of_forests.words;
    }
}

TEST(Overlap, BadInputIsOneSentence) {
    ScoredSample study = ten_rows();
    const auto data_sentence = [&] {
        return test::sentence_of(ErrorKind::data, [&] { (void)overlap_of(study.rows()); });
    };
    const auto usage_sentence = [&] {
        return test::sentence_of(ErrorKind::usage, [&] { (void)overlap_of(study.rows()); });
    };
    study.propensities(2, 1) = 1.5;
    EXPECT_EQ(data_sentence(), "row 3: the propensity of treatment 1 is 1.5; one of 0 to 1 was expected");
    study = ten_rows();
    study.weight.assign(10, 0);
    EXPECT_EQ(data_sentence(), "the weight is 0 in every row, so no row counts");
    study.weight[4] = -1;
    EXPECT_EQ(data_sentence(), "row 5: the weight is -1; a number of 0 or more was expected");
    study = ten_rows();
    study.scores(0, 0) = std::nan("");
    EXPECT_EQ(data_sentence(), "row 1: the score of treatment 0 is nan; a finite number was expected");
    study = ten_rows();
    study.outcome[9] = INFINITY;
    EXPECT_EQ(data_sentence(), "row 10: the outcome is inf; a finite number was expected");
    study = ten_rows();
    study.prescriptions[1] = -1;
    EXPECT_EQ(usage_sentence(), "row 2: prescription -1 is none of 2 treatments");
    study = ten_rows();
    study.prescriptions.pop_back();
    EXPECT_EQ(usage_sentence(), "9 prescriptions but 10 rows");
    study = ten_rows();
    ScoredRows rows = study.rows();
    rows.least_propensity = 0;
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)overlap_of(rows); }),
              "the least propensity must be above 0 and at most 1, not 0");
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)overlap_of(by_hand({}, {}, {}).rows()); }),
              "there are no rows to evaluate");
}

}  // namespace
}  // namespace polyrx
