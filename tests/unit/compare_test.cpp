// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "polyrx/compare/comparison_text.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/json/json_cursor.hpp"
#include "polyrx/evaluate/value/self_assessed.hpp"
#include "tests/support/small_study.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using Names = std::vector<std::string>;

Names names_of(const std::vector<Candidate>& candidates) {
    Names names;
    for (const Candidate& candidate : candidates) names.push_back(candidate.name);
    return names;
}

// --- candidates

TEST(Candidates, AreTheRecipesTheMethodsAndWhatWasDone) {
    const Names names = names_of(all_candidates());
    EXPECT_EQ(names.front(), "network-auto");
    EXPECT_EQ(names[1], "network-fast");
    EXPECT_EQ(names[2], "network-paper");
    EXPECT_EQ(names.back(), "observed");
    EXPECT_EQ(names.size(), all_methods().size() + 3);
    EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
    for (const Candidate& candidate : all_candidates())
        if (candidate.options && candidate.options->method != Method::network) {
            EXPECT_EQ(candidate.name, name_of(candidate.options->method));
        }
}

TEST(Candidates, SuitTheNumberOfTreatments) {
    const Names two = names_of(candidates_for(2));
    const Names three = names_of(candidates_for(3));
    EXPECT_TRUE(std::ranges::count(two, "ct") == 1 && std::ranges::count(two, "ct-1va") == 0);
    EXPECT_TRUE(std::ranges::count(three, "ct") == 0 && std::ranges::count(three, "ct-1va") == 1);
    for (const Names& names : {two, three}) {
        EXPECT_EQ(std::ranges::count(names, "network-fast"), 1);
        EXPECT_EQ(std::ranges::count(names, "observed"), 1);
    }
}

TEST(Candidates, ComeInOneOrderWhateverTheOrderOfTheirNames) {
    EXPECT_EQ(names_of(candidates_named(Names{"observed", "pt", "network-paper"}, 3)),
              (Names{"network-paper", "pt", "observed"}));
}

TEST(Candidates, OfAWrongNameAreRefusedWithTheNearest) {
    const auto sentence = [](const Names& names, std::size_t treatments) {
        return test::sentence_of(ErrorKind::usage, [&] { (void)candidates_named(names, treatments); });
    };
    EXPECT_EQ(sentence({"network-fats"}, 2), "'network-fats' is not a method (did you mean 'network-fast'?)");
    EXPECT_EQ(sentence({"nonsense"}, 2).substr(0, 41), "'nonsense' is not one of network-auto, ne");
    EXPECT_EQ(sentence({"pt", "pt"}, 2), "'pt' is named twice");
    EXPECT_EQ(sentence({"ct"}, 3).substr(0, 48), "'ct' is not for 3 treatments; these are: network");
}

// --- splits

TEST(PlanSplits, HoldsOutEveryRowOnceInFolds) {
    const Observations observations = test::small_study(100).observations;
    std::vector<int> held_out(100);
    for (const PlannedSplit& split : plan_splits(observations, Folds{4}, 3))
        for (const std::size_t row : split.rows.held_out) ++held_out[row];
    EXPECT_EQ(held_out, std::vector<int>(100, 1));
}

TEST(PlanSplits, DependsOnTreatmentsAndSeedOnly) {
    Observations observations = test::small_study(100).observations;
    const auto before = plan_splits(observations, RandomSplits{3, 0.3}, 3);
    for (double& outcome : observations.outcome) outcome = -outcome;
    const auto after = plan_splits(observations, RandomSplits{3, 0.3}, 3);
    ASSERT_EQ(before.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(before[i].rows.kept, after[i].rows.kept);
        EXPECT_EQ(before[i].seed, after[i].seed);
        EXPECT_NEAR(static_cast<double>(before[i].rows.held_out.size()), 30, 1.5);  // rounded by treatment
    }
    EXPECT_NE(before[0].rows.kept, before[1].rows.kept);
}

// Seeds that count up from the comparison's own would repeat the splits of the next comparison but one.
TEST(PlanSplits, SharesNoSplitWithANeighboringSeed) {
    const Observations observations = test::small_study(100).observations;
    std::set<std::vector<std::size_t>> seen;
    for (const std::uint64_t seed : {1, 2, 3})
        for (const PlannedSplit& split : plan_splits(observations, RandomSplits{10, 0.3}, seed))
            EXPECT_TRUE(seen.insert(split.rows.kept).second);
}

TEST(PlanSplits, RefusesWhatLeavesTooFewRowsOfATreatment) {
    Observations observations;
    observations.features = Table({test::numbers("x", {1, 2, 3, 4, 5, 6})});
    observations.treatments = {"a", "b"};
    observations.treatment = {0, 0, 0, 0, 1, 1};
    observations.outcome = {1, 2, 3, 4, 5, 6};
    EXPECT_EQ(
        test::sentence_of(ErrorKind::data, [&] { (void)plan_splits(observations, Folds{3}, 1); }),
        "the table: treatment 'b' was given in 2 rows only, too few for 3 folds: a method must learn from at least 2");
    EXPECT_EQ(
        test::sentence_of(ErrorKind::data, [&] { (void)plan_splits(observations, RandomSplits{1, 0.5}, 1); }),
        "the table: treatment 'b' was given in 2 rows only, too few for 1 split with a test fraction of 0.5: a method "
        "must learn from at least 2");
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)plan_splits(observations, RandomSplits{1, 0.01}, 1); }),
              "a test fraction of 0.01 holds out none of 6 rows");
}

// --- scores

TEST(SelfAssessedValue, TakesTheOutcomeSeenWhereItCanAndThePredictionElsewhere) {
    Observations held_out;
    held_out.treatment = {0, 1, 1};
    held_out.outcome = {10, 20, 30};
    Matrix predicted(3, 2);
    predicted << 1, 2, 3, 4, 5, 6;
    const std::vector<int> prescribed = {0, 0, 1};
    EXPECT_EQ(self_assessed_value(prescribed, predicted, held_out), (10 + 3 + 30) / 3.0);
}

TEST(MeanOverSplits, HasTheStandardErrorOfTheMean) {
    CandidateScores candidate;
    for (const double accuracy : {0.5, 0.7, 0.9}) {
        candidate.splits.emplace_back();
        candidate.splits.back().accuracy = accuracy;
    }
    const auto figure = [](const SplitScore& score) { return score.accuracy; };
    const auto score = mean_over_splits(candidate, figure);
    EXPECT_DOUBLE_EQ(score->mean, 0.7);
    EXPECT_DOUBLE_EQ(*score->standard_error, 0.2 / std::sqrt(3.0));
    candidate.splits.resize(1);
    EXPECT_FALSE(mean_over_splits(candidate, figure)->standard_error);
    candidate.splits.emplace_back();  // one that failed
    EXPECT_FALSE(mean_over_splits(candidate, figure));
}

TEST(Compare, RefusesATruthOfAnotherShape) {
    Study study = test::small_study(100);
    study.truth->conservativeResize(99, 3);
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)compare(study, test::small_candidates(), {}); }),
              "the truth of 100 rows and 3 treatments was expected, not of 99 and 3");
}

TEST(Compare, GoesOnWhereOneMethodFailsAndSaysWhichAndWhy) {
    const Study study = test::small_study(100);
    std::vector<Candidate> candidates = test::small_candidates();
    candidates[1].options->network.mu = 2;  // which no fit accepts
    const Comparison comparison = compare(study, candidates, {.plan = Folds{2}});
    ASSERT_EQ(comparison.candidates[1].failed.size(), 2u);
    EXPECT_EQ(comparison.candidates[1].failed[0].why, "mu is 2; expected a number from 0 to 1");
    for (const std::size_t other : {0, 2, 3}) {
        EXPECT_TRUE(comparison.candidates[other].failed.empty());
        for (const SplitScore& score : comparison.candidates[other].splits) EXPECT_TRUE(score.accuracy);
    }
    const std::string text = comparison_text(comparison, Times::left_out);
    EXPECT_NE(text.find("\nb failed in 2 of 2 splits; the first time: mu is 2; expected a number from 0 to 1\n"),
              std::string::npos);
}

TEST(Compare, StopsWhenItIsCanceled) {
    const Study study = test::small_study(100);
    const CompareListeners listeners{.progress = [](double, std::string_view) { return false; }};
    EXPECT_EQ(test::sentence_of(ErrorKind::canceled,
                                [&] { (void)compare(study, test::small_candidates(), {}, nullptr, listeners); }),
              "canceled");
}

// --- the table

Comparison two_methods(bool has_truth) {
    Comparison comparison;
    comparison.rows = 10;
    comparison.treatments = 3;
    comparison.plan = Folds{2};
    comparison.has_truth = has_truth;
    comparison.splits.resize(2);
    for (PlannedSplit& split : comparison.splits) split.rows = {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9}};
    for (const auto& [name, score] : {std::pair{"poor", 0.25}, {"excellent", 1.0}, {"none", 0.0}}) {
        CandidateScores candidate{name, std::vector<SplitScore>(2), {}};
        for (std::size_t i = 0; i < 2; ++i) {
            SplitScore& split = candidate.splits[i];
            if (candidate.name == "none") continue;
            (has_truth ? split.accuracy : split.self_assessed) = score - 0.1 * static_cast<double>(i);
            if (has_truth) split.regret = 1 - score;
            split.doubly_robust = 12;
            split.supported = 0.8;
            split.size.leaves = 4 + i;
            split.fit_seconds = 1.25;
            split.prescribe_seconds = 0.0001;
        }
        comparison.candidates.push_back(candidate);
    }
    return comparison;
}

TEST(ComparisonText, IsATableWithTheLeastRegretFirst) {
    EXPECT_EQ(
        comparison_text(two_methods(true), Times::shown),
        "10 rows, 3 treatments; 2 folds, held out: 5 rows each\n"
        "All methods extrapolate beyond support, as published.\n"
        "method       regret    s.e.  accuracy    s.e.  doubly robust, worst case    s.e.  supported  leaves   "
        "terms          fit    prescribe\n"
        "excellent         0       0    95.0 %   5.0 %                         12       0     80.0 %     4.5       "
        "-      1.250 s      0.000 s\n"
        "poor           0.75       0    20.0 %   5.0 %                         12       0     80.0 %     4.5       "
        "-      1.250 s      0.000 s\n"
        "none              -       -         -       -                          -       -          -       -       "
        "-            -            -\n");
}

TEST(ComparisonText, DoesNotRankByWhatMethodsSayOfThemselves) {
    const std::string text = comparison_text(two_methods(false), Times::left_out);
    EXPECT_EQ(text.substr(0, text.find("Methods are sorted")),
              "10 rows, 3 treatments; 2 folds, held out: 5 rows each\n"
              "All methods extrapolate beyond support, as published.\n"
              "method     doubly robust, worst case    s.e.  supported  self-assessed value    s.e.  leaves   terms\n"
              "poor                              12       0     80.0 %                  0.2    0.05     4.5       -\n"
              "excellent                         12       0     80.0 %                 0.95    0.05     4.5       -\n"
              "none                               -       -          -                    -       -       -       -\n");
    EXPECT_NE(text.find("it ranks nobody"), std::string::npos);
    EXPECT_EQ(comparison_text(two_methods(true), Times::left_out).find("self-assessed"), std::string::npos);
}

TEST(ComparisonCsv, HasAnEmptyCellForWhatAMethodDoesNotHave) {
    EXPECT_EQ(comparison_csv(two_methods(true), Times::left_out),
              "method,regret,regret_se,accuracy,accuracy_se,doubly_robust_value,doubly_robust_value_se,"
              "supported_share,leaves,terms,failed_splits\n"
              "excellent,0,0,0.95,0.04999999999999999,12,0,0.8,4.5,,0\n"
              "poor,0.75,0,0.2,0.05,12,0,0.8,4.5,,0\n"
              "none,,,,,,,,,,0\n");
    EXPECT_TRUE(
        comparison_csv(two_methods(false), Times::shown)
            .starts_with("method,doubly_robust_value,doubly_robust_value_se,supported_share,self_assessed_value,"
                         "self_assessed_value_se,leaves,terms,fit_seconds,prescribe_seconds,failed_splits\n"
                         "poor,"));
}

TEST(ComparisonJson, HasEverySplit) {
    const JsonDocument document = parse_json_document(comparison_json(two_methods(true), Times::shown), "shown");
    const JsonCursor json = document.root();
    EXPECT_FALSE(json.at("self_assessed").truth());
    EXPECT_EQ(json.at("plan").json().dump(), R"({"folds":2})");
    EXPECT_EQ(json.at("splits").size(), 2u);
    const JsonCursor best = json.at("methods").items()[0];
    EXPECT_EQ(best.at("method").text(), "excellent");
    EXPECT_EQ(best.at("accuracy").number(), 0.95);
    EXPECT_EQ(best.at("splits").items()[1].at("accuracy").number(), 0.9);
    EXPECT_EQ(best.at("splits").items()[1].at("leaves").number(), 5);
    EXPECT_TRUE(best.at("terms").json().is_null());
    EXPECT_EQ(best.at("fit_seconds").number(), 1.25);
    EXPECT_EQ(comparison_json(two_methods(true), Times::left_out).find("fit_seconds"), std::string::npos);
}

}  // namespace
}  // namespace polyrx
