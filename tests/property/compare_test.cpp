// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "polyrx/compare/comparison_text.hpp"
#include "polyrx/core/rng.hpp"
#include "tests/support/small_study.hpp"

namespace polyrx {
namespace {

// All methods for three treatments, with searches that take no time.
std::vector<Candidate> quick_candidates() {
    std::vector<Candidate> candidates = candidates_for(3);
    for (Candidate& candidate : candidates)
        if (candidate.options) candidate.options->baseline.optimal_tree.restarts = 1;
    return candidates;
}

TEST(Compare, GivesTheSameBytesForAnyNumberOfThreads) {
    for (const bool with_truth : {true, false}) {
        const Study study = test::small_study(300, with_truth);
        std::vector<std::string> texts;
        for (const int threads : {1, 2, 4})
            texts.push_back(comparison_json(
                compare(study, test::small_candidates(), {.plan = RandomSplits{3, 0.3}, .threads = threads}),
                Times::left_out));
        EXPECT_EQ(texts[0], texts[1]);
        EXPECT_EQ(texts[0], texts[2]);
    }
}

TEST(Compare, GivesEveryMethodTheSameScoresForAnyNumberOfThreads) {
    for (const bool with_truth : {true, false}) {
        const Study study = test::small_study(200, with_truth);
        std::vector<std::string> texts;
        for (const int threads : {1, 3})
            texts.push_back(comparison_json(compare(study, quick_candidates(), {.plan = Folds{2}, .threads = threads}),
                                            Times::left_out));
        EXPECT_EQ(texts[0], texts[1]);
        EXPECT_EQ(texts[0].find("why"), std::string::npos) << texts[0];
    }
}

TEST(Compare, GivesEachCandidateTheSameScoresInAnyOrderAndAnyCompany) {
    const Study study = test::small_study();
    std::vector<Candidate> candidates = test::small_candidates();
    const Comparison all = compare(study, candidates, {.plan = Folds{3}});
    for (std::uint64_t index = 0; index < 4; ++index) {
        Rng rng(1, Draw::test, index);
        rng.shuffle(std::span(candidates));
        const std::span some = std::span(candidates).first(1 + rng.below(candidates.size()));
        for (const CandidateScores& scores : compare(study, some, {.plan = Folds{3}, .threads = 2}).candidates) {
            const auto before = std::ranges::find(all.candidates, scores.name, &CandidateScores::name);
            for (std::size_t split = 0; split < 3; ++split)
                EXPECT_TRUE(scores.splits[split].same_scores(before->splits[split])) << scores.name << " " << split;
        }
    }
}

// The same network under two names has the same scores only if it had the same rows and the same seed.
TEST(Compare, GivesEveryCandidateTheSameSplits) {
    const std::vector<Candidate> twins = {test::small_network("one", {6}), test::small_network("other", {6})};
    const Comparison comparison = compare(test::small_study(), twins, {.plan = RandomSplits{4, 0.25}});
    for (std::size_t split = 0; split < 4; ++split)
        EXPECT_TRUE(comparison.candidates[0].splits[split].same_scores(comparison.candidates[1].splits[split]));
}

// Poison in the outcomes of the held-out rows would change any fit that could see them, and so the accuracy, which only
// the truth and the prescriptions decide.
TEST(Compare, LearnsNothingFromTheHeldOutRows) {
    const Study clean = test::small_study();
    const SplitPlan plan = RandomSplits{1, 0.3};
    const auto scores_of = [&](const Study& study) {
        return compare(study, quick_candidates(), {.plan = plan, .threads = 2}).candidates;
    };
    const auto before = scores_of(clean);
    Study poisoned = clean;
    const std::vector<PlannedSplit> splits = plan_splits(clean.observations, plan, 1);
    for (const std::size_t row : splits[0].rows.held_out) poisoned.observations.outcome[row] = 1e9;
    const auto after = scores_of(poisoned);
    for (std::size_t c = 0; c < before.size(); ++c) {
        EXPECT_EQ(before[c].splits[0].accuracy, after[c].splits[0].accuracy) << before[c].name;
        EXPECT_EQ(before[c].splits[0].regret, after[c].splits[0].regret) << before[c].name;
        // That one is a mean of held-out outcomes.
        EXPECT_NE(before[c].splits[0].doubly_robust, after[c].splits[0].doubly_robust) << before[c].name;
    }

    // And poison in the truth of the rows that are learned from changes no score either.
    Study lied_to = clean;
    for (const std::size_t row : splits[0].rows.kept)
        lied_to.truth->row(static_cast<Eigen::Index>(row)).setConstant(-1);
    const auto with_lies = scores_of(lied_to);
    for (std::size_t c = 0; c < before.size(); ++c)
        EXPECT_TRUE(before[c].splits[0].same_scores(with_lies[c].splits[0])) << before[c].name;
}

TEST(Compare, SaysOfWhatWasDoneWhatCanBeCountedByHand) {
    const Study study = test::small_study(200);
    const std::vector<Candidate> observed = {{"observed", std::nullopt}};
    const Comparison comparison = compare(study, observed, {.plan = Folds{5}});
    double right = 0;
    for (std::size_t row = 0; row < 200; ++row) {
        const auto truth = study.truth->row(static_cast<Eigen::Index>(row));
        right += truth[study.observations.treatment[row]] == truth.minCoeff() ? 1 : 0;
    }
    const auto accuracy =
        mean_over_splits(comparison.candidates[0], [](const SplitScore& score) { return score.accuracy; });
    EXPECT_NEAR(accuracy->mean, right / 200, 1e-12);  // folds of equal size
    EXPECT_FALSE(comparison.candidates[0].splits[0].fit_seconds);

    Study without = study;
    without.truth.reset();
    const auto value = mean_over_splits(compare(without, observed, {.plan = Folds{5}}).candidates[0],
                                        [](const SplitScore& score) { return score.self_assessed; });
    double sum = 0;
    for (const double outcome : study.observations.outcome) sum += outcome;
    EXPECT_NEAR(value->mean, sum / 200, 1e-9);
}

TEST(Compare, TellsItsListenersOfEachMethodOnceAndNeverOfTwoAtATime) {
    const Study study = test::small_study(100);
    std::vector<std::string> finished;
    bool inside = false;
    double last = 0;
    const CompareListeners listeners{.progress =
                                         [&](double share, std::string_view) {
                                             EXPECT_FALSE(inside);
                                             inside = true;
                                             EXPECT_GE(share, last);
                                             EXPECT_LE(share, 1 + 1e-12);
                                             last = share;
                                             inside = false;
                                             return true;
                                         },
                                     .finished =
                                         [&](const CandidateScores& candidate) {
                                             EXPECT_FALSE(inside);
                                             finished.push_back(candidate.name);
                                         }};
    (void)compare(study, test::small_candidates(), {.plan = Folds{3}, .threads = 4}, nullptr, listeners);
    std::ranges::sort(finished);
    EXPECT_EQ(finished, (std::vector<std::string>{"a", "b", "c", "observed"}));
}

}  // namespace
}  // namespace polyrx
