// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/tune/tune_personalization.hpp"

#include <gtest/gtest.h>

#include "polyrx/baselines/personalization/personalization_forest.hpp"
#include "polyrx/core/error.hpp"
#include "tests/support/random_treated_rows.hpp"

namespace polyrx {
namespace {

using test::random_treated_rows;
using test::RandomStudy;
using test::Rows;

bool operator==(const PersonalizationChoice& a, const PersonalizationChoice& b) {
    return a.options == b.options && std::ranges::equal(a.tried, b.tried, [](const auto& one, const auto& other) {
               return one.options == other.options && one.value == other.value;
           });
}

// The value of a tree or forest, fold by fold and row by row.
double slow_value(Personalization method, const RandomStudy& study, const DoublyRobust& judge,
                  const PersonalizationOptions& options) {
    double sum = 0;
    double weight = 0;
    for (const RowSplit& fold : judge.folds) {
        Matrix all;
        if (method == Personalization::tree)
            all = scores(fit_personalization_tree(study.rows(), fold.kept, options), study.features, 1);
        else
            all = scores(fit_personalization_forest(study.rows(), fold.kept, {.tree = options, .seed = 3}),
                         study.features, 1);
        for (const std::size_t row : fold.held_out) {
            Eigen::Index best = 0;
            all.row(static_cast<Eigen::Index>(row)).minCoeff(&best);
            sum += study.weight[row] * judge.scores(static_cast<Eigen::Index>(row), best);
            weight += study.weight[row];
        }
    }
    return sum / weight;
}

TEST(TunePersonalization, ChoosesTheLeastValueOnRowsThatWereHeldOut) {
    Rng rng(1, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 600, 4, 3);
    const DoublyRobust judge = doubly_robust(study.rows(), study.all(), {.trees = 10, .seed = 3});
    for (const Personalization method : {Personalization::tree, Personalization::forest}) {
        const PersonalizationChoice choice = tune_personalization(method, study.rows(), study.all(), judge, 3, 1);
        ASSERT_EQ(choice.tried.size(), 4U);
        double least = std::numeric_limits<double>::infinity();
        for (const PersonalizationTrial& trial : choice.tried) {
            EXPECT_NEAR(trial.value, slow_value(method, study, judge, trial.options), 1e-12);
            least = std::min(least, trial.value);
        }
        const auto first = std::ranges::find(choice.tried, least, &PersonalizationTrial::value);
        EXPECT_EQ(choice.options, first->options);
    }
}

TEST(TunePersonalization, PrefersSmallTreesAmongEquals) {
    // No treatment has rows enough for a split: all trials are the same.
    Rng rng(2, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 30, 3, 3);
    const PersonalizationChoice choice =
        tune_personalization(Personalization::tree, study.rows(), study.all(), {.trees = 5});
    EXPECT_EQ(choice.options, personalization_grid().front());
}

TEST(TunePersonalization, IsTheSameForAnyNumberOfThreadsAndLooksAtTheNamedRowsOnly) {
    Rng rng(3, Draw::test);
    RandomStudy study = random_treated_rows(rng, 600, 4, 2);
    Rows some;
    for (std::size_t row = 0; row < 600; row += 2) some.push_back(row);
    for (const Personalization method : {Personalization::tree, Personalization::forest}) {
        const auto tuned = [&](int threads) {
            return tune_personalization(method, study.rows(), some, {.trees = 5, .threads = threads});
        };
        const PersonalizationChoice one = tuned(1);
        for (std::size_t row = 1; row < 600; row += 2) study.outcome[row] = std::nan("");
        EXPECT_TRUE(tuned(2) == one);
        EXPECT_TRUE(tuned(4) == one);
    }
}

TEST(TunePersonalization, NeedsScoresOfTheSameRows) {
    Rng rng(4, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 60, 2, 2);
    const DoublyRobust judge = doubly_robust(study.rows(), study.all(), {.trees = 2});
    const Rows fewer = {1, 2, 3};
    EXPECT_THROW((void)tune_personalization(Personalization::tree, study.rows(), fewer, judge, 1, 1), Error);
    DoublyRobust without_folds = judge;
    without_folds.folds.clear();
    EXPECT_THROW((void)tune_personalization(Personalization::tree, study.rows(), study.all(), without_folds, 1, 1),
                 Error);
}

}  // namespace
}  // namespace polyrx
