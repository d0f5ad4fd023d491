// SPDX-License-Identifier: Apache-2.0
// Doubly robust scores: the formula, that they are unbiased where they should be, and that no row predicts itself.
#include "polyrx/nuisance/doubly_robust.hpp"

#include <gtest/gtest.h>

#include "polyrx/core/error.hpp"
#include "tests/support/not_a_number.hpp"
#include "tests/support/random_treated_rows.hpp"

namespace polyrx {
namespace {

using test::random_treated_rows;
using test::RandomStudy;
using test::Rows;

// Three treatments whose outcomes and probabilities are known, and depend on the same features.
struct KnownStudy {
    RandomStudy study;
    Matrix outcomes;
    Matrix propensities;
};

KnownStudy known_study(Rng& rng, Eigen::Index rows) {
    KnownStudy known{{{Eigen::MatrixXd(rows, 3), {0, 0, 0}}, {}, 3, {}, {}}, Matrix(rows, 3), Matrix(rows, 3)};
    for (Eigen::Index i = 0; i < rows; ++i) {
        for (double& value : known.study.features.values.row(i)) value = rng.normal();
        const auto x = known.study.features.values.row(i);
        known.outcomes.row(i) << 2 * x[0], 1 + x[1], x[0] * x[1] - 1;
        Eigen::RowVector3d odds(1, x[0] > 0 ? 3 : 1, std::exp(std::clamp(x[1], -1.0, 1.0)));
        known.propensities.row(i) = odds / odds.sum();
        const double u = rng.uniform();
        const int t = u < known.propensities(i, 0) ? 0 : u < 1 - known.propensities(i, 2) ? 1 : 2;
        known.study.treatment.push_back(t);
        known.study.outcome.push_back(known.outcomes(i, t) + rng.normal());
    }
    return known;
}

std::vector<int> some_policy(const FeatureRows& features) {
    std::vector<int> prescriptions;
    for (Eigen::Index i = 0; i < features.values.rows(); ++i)
        prescriptions.push_back(features.values(i, 0) > 0.5 ? 2 : features.values(i, 1) > 0 ? 0 : 1);
    return prescriptions;
}

// How many standard errors the scores of the policy are from what the truth is for the same rows.
double distance_from_truth(const Matrix& scores, const Matrix& truth, const std::vector<int>& policy) {
    Vector difference(scores.rows());
    for (Eigen::Index i = 0; i < scores.rows(); ++i) {
        const int k = policy[static_cast<std::size_t>(i)];
        difference[i] = scores(i, k) - truth(i, k);
    }
    const auto n = static_cast<double>(difference.size());
    const double deviation = std::sqrt((difference.array() - difference.mean()).square().sum() / (n - 1));
    return difference.mean() / (deviation / std::sqrt(n));
}

TEST(DoublyRobust, IsTheFormula) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(1, Draw::test, index);
        KnownStudy known = known_study(rng, 50);
        const double least = index % 2 == 0 ? 0.02 : 0.3;
        const DoublyRobust robust =
            doubly_robust_from(known.outcomes, known.propensities, known.study.treatment, known.study.outcome, least);
        std::size_t clipped = 0;
        for (Eigen::Index i = 0; i < 50; ++i) {
            const int t = known.study.treatment[static_cast<std::size_t>(i)];
            const double y = known.study.outcome[static_cast<std::size_t>(i)];
            for (int k = 0; k < 3; ++k) {
                const double mu = known.outcomes(i, k);
                const double e = known.propensities(i, k) < least ? least : known.propensities(i, k);
                EXPECT_DOUBLE_EQ(robust.scores(i, k), mu + (t == k ? 1 : 0) * (y - mu) / e);
            }
            clipped += known.propensities(i, t) < least ? 1 : 0;
        }
        EXPECT_EQ(robust.clipped, clipped);
        EXPECT_EQ(clipped > 0, index % 2 == 1);
        EXPECT_EQ(robust.propensities, known.propensities);
        EXPECT_EQ(robust.outcomes, known.outcomes);
    }
}

TEST(DoublyRobust, IsUnbiasedIfPropensitiesOrOutcomesAreRight) {
    Rng rng(2, Draw::test);
    const KnownStudy known = known_study(rng, 20'000);
    const std::vector<int> policy = some_policy(known.study.features);
    const Matrix wrong = Matrix::Constant(20'000, 3, 0.7);
    const auto distance = [&](const Matrix& outcomes, const Matrix& propensities) {
        const DoublyRobust robust =
            doubly_robust_from(outcomes, propensities, known.study.treatment, known.study.outcome, 0.02);
        return std::abs(distance_from_truth(robust.scores, known.outcomes, policy));
    };
    EXPECT_LT(distance(wrong, known.propensities), 3);
    EXPECT_LT(distance(known.outcomes, wrong), 3);
    EXPECT_LT(distance(known.outcomes, known.propensities), 3);
    EXPECT_GT(distance(wrong, wrong), 10);  // the test would see it
}

TEST(DoublyRobust, ForestsComeCloseToTheTruth) {
    Rng rng(3, Draw::test);
    const KnownStudy known = known_study(rng, 4'000);
    const std::vector<int> policy = some_policy(known.study.features);
    const DoublyRobust robust = doubly_robust(known.study.rows(), known.study.all(), {.threads = 2});
    EXPECT_LT(std::abs(distance_from_truth(robust.scores, known.outcomes, policy)), 3);
    EXPECT_LT((robust.propensities - known.propensities).array().square().mean(), 0.01);
    EXPECT_LT((robust.outcomes - known.outcomes).array().square().mean(), 0.3);
    EXPECT_EQ(doubly_robust_value(robust.scores, std::vector<int>(4'000, 1)), robust.scores.col(1).mean());
}

TEST(DoublyRobust, NoRowIsSeenByWhatPredictsIt) {
    Rng rng(4, Draw::test);
    RandomStudy study = random_treated_rows(rng, 150, 3, 3);
    const DoublyRobustOptions options{.folds = 4, .trees = 7};
    const DoublyRobust before = doubly_robust(study.rows(), study.all(), options);
    for (const std::size_t poisoned : {3U, 77U, 149U}) {
        const double clean = std::exchange(study.outcome[poisoned], 1e6);
        const DoublyRobust after = doubly_robust(study.rows(), study.all(), options);
        EXPECT_EQ(after.propensities, before.propensities);
        std::size_t changed = 0;
        for (const RowSplit& fold : before.folds) {
            const bool is_its_own = std::ranges::find(fold.held_out, poisoned) != fold.held_out.end();
            for (const std::size_t held_out : fold.held_out) {
                const auto row = static_cast<Eigen::Index>(held_out);
                const bool same_outcomes = after.outcomes.row(row) == before.outcomes.row(row);
                const bool same_scores = after.scores.row(row) == before.scores.row(row);
                EXPECT_TRUE(same_outcomes || !is_its_own) << held_out;
                EXPECT_TRUE(same_scores || !is_its_own || held_out == poisoned) << held_out;
                changed += same_outcomes ? 0 : 1;
            }
        }
        EXPECT_GT(changed, 50U);  // others do learn from it
        const auto row = static_cast<Eigen::Index>(poisoned);
        const int t = study.treatment[poisoned];
        const double e = std::max(before.propensities(row, t), options.least_propensity);
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(after.scores(row, k) - before.scores(row, k), k == t ? (1e6 - clean) / e : 0, 1e-6);
        study.outcome[poisoned] = clean;
    }
}

TEST(DoublyRobust, LooksAtTheNamedRowsOnly) {
    Rng rng(5, Draw::test);
    RandomStudy study = random_treated_rows(rng, 200, 3, 2);
    Rows some;
    for (std::size_t row = 0; row < 200; row += 2) some.push_back(row);
    const DoublyRobust before = doubly_robust(study.rows(), some, {.trees = 5});
    EXPECT_EQ(before.scores.rows(), 100);
    for (std::size_t row = 1; row < 200; row += 2) {
        study.outcome[row] = study.weight[row] = test::not_a_number;
        study.treatment[row] = 99;
        study.features.values.row(static_cast<Eigen::Index>(row)).setConstant(1);
    }
    const DoublyRobust after = doubly_robust(study.rows(), some, {.trees = 5});
    EXPECT_EQ(after.scores, before.scores);
    EXPECT_EQ(after.propensities, before.propensities);
}

TEST(DoublyRobust, IsTheSameForAnyNumberOfThreads) {
    Rng rng(6, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 150, 4, 10);
    const auto scores = [&](int threads) {
        return doubly_robust(study.rows(), study.all(), {.trees = 6, .threads = threads}).scores;
    };
    const Matrix one = scores(1);
    EXPECT_TRUE(one.allFinite());
    EXPECT_EQ(one, scores(2));
    EXPECT_EQ(one, scores(4));
}

TEST(DoublyRobust, TwoRowsOfATreatmentAreEnough) {
    Rng rng(7, Draw::test);
    RandomStudy study = random_treated_rows(rng, 40, 2, 2);
    std::ranges::fill(study.treatment, 0);
    study.treatment[3] = study.treatment[8] = 1;
    EXPECT_TRUE(doubly_robust(study.rows(), study.all(), {.trees = 3}).scores.allFinite());
    study.treatment[3] = 0;
    EXPECT_THROW((void)doubly_robust(study.rows(), study.all(), {.trees = 3}), Error);
}

TEST(DoublyRobust, CanBeCanceled) {
    Rng rng(8, Draw::test);
    const RandomStudy study = random_treated_rows(rng, 60, 2, 2);
    std::vector<double> shares;
    (void)doubly_robust(study.rows(), study.all(), {.trees = 3}, [&](double share, std::string_view) {
        shares.push_back(share);
        return true;
    });
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_LT(shares.back(), 1);
    EXPECT_THROW((void)doubly_robust(study.rows(), study.all(), {}, [](double, std::string_view) { return false; }),
                 Error);
}

TEST(DoublyRobustValue, IsTheWeightedMeanOfThePrescribed) {
    Matrix scores(3, 2);
    scores << 1, 2, 3, 5, 7, 11;
    EXPECT_DOUBLE_EQ(doubly_robust_value(scores, std::vector<int>{0, 1, 1}), 17.0 / 3);
    EXPECT_DOUBLE_EQ(doubly_robust_value(scores, std::vector<int>{0, 1, 1}, std::vector<double>{2, 1, 1}), 18.0 / 4);
    EXPECT_THROW((void)doubly_robust_value(scores, std::vector<int>{0, 1}), Error);
    EXPECT_THROW((void)doubly_robust_value(scores, std::vector<int>{0, 1, 2}), Error);
    EXPECT_THROW((void)doubly_robust_value(Matrix(0, 2), {}), Error);
}

}  // namespace
}  // namespace polyrx
