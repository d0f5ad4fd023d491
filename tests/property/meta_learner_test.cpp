// SPDX-License-Identifier: Apache-2.0
// Meta-learners on simulated studies whose effects are known.
#include <gtest/gtest.h>

#include "polyrx/baselines/baseline.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/nuisance/doubly_robust.hpp"

namespace polyrx {
namespace {

constexpr MetaLearnerOptions few_trees{.trees = 40};

enum class Learner { s, x, r, dr };
constexpr Learner all_learners[] = {Learner::s, Learner::x, Learner::r, Learner::dr};

struct EffectStudy {
    FeatureRows features;
    std::vector<int> treatment;
    int treatments = 2;
    std::vector<double> outcome;
    std::vector<double> weight;
    Matrix scores;  // doubly robust, from the truth

    [[nodiscard]] TreatedRows rows() const { return {features, treatment, treatments, outcome, weight}; }
};

// Whoever has much of the second feature fares badly and gets the last treatment more often; effect(k, x) is what
// treatment k adds for features x.
template <class Effect>
EffectStudy confounded(std::size_t rows, int treatments, std::uint64_t seed, double noise, const Effect& effect) {
    Rng rng(seed, Draw::test);
    EffectStudy study;
    study.treatments = treatments;
    study.features.levels = {0, 0, 0, 0};
    study.features.values.resize(static_cast<Eigen::Index>(rows), 4);
    study.scores.resize(static_cast<Eigen::Index>(rows), treatments);
    for (std::size_t i = 0; i < rows; ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        for (double& value : study.features.values.row(row)) value = rng.uniform(-1, 1);
        const Eigen::RowVectorXd x = study.features.values.row(row);
        const double last = (x[1] > 0 ? 0.7 : 0.3) + (treatments > 2 ? -0.1 : 0);
        const int given = rng.bernoulli(last) ? treatments - 1
                                              : static_cast<int>(rng.below(static_cast<std::uint64_t>(treatments - 1)));
        study.treatment.push_back(given);
        const double base = x[1] > 0 ? 2 : 0;
        study.outcome.push_back(base + effect(given, x) + noise * rng.normal());
        for (int k = 0; k < treatments; ++k) study.scores(row, k) = base + effect(k, x);
        const double propensity = given == treatments - 1 ? last : (1 - last) / (treatments - 1);
        study.scores(row, given) += (study.outcome.back() - study.scores(row, given)) / propensity;
    }
    return study;
}

Matrix learned(Learner learner, const EffectStudy& study, const FeatureRows& unseen,
               MetaLearnerOptions options = few_trees) {
    switch (learner) {
        case Learner::s:
            return scores(fit_s_learner(study.rows(), options), unseen, 1);
        case Learner::x:
            return scores(fit_x_learner(study.rows(), options), unseen, 1);
        case Learner::r:
            return scores(fit_r_learner(study.rows(), options), unseen, 1);
        case Learner::dr:
            break;
    }
    return scores(fit_dr_learner(study.rows(), study.scores, options), unseen, 1);
}

double step(int k, const Eigen::RowVectorXd& x) {
    return k * (x[0] > 0.2 ? 1.0 : -1.0);
}

TEST(MetaLearner, FindsWhereTheEffectIsWhich) {
    const EffectStudy study = confounded(2'000, 2, 1, 0.3, step);
    const EffectStudy unseen = confounded(500, 2, 2, 0, step);
    for (const Learner learner : all_learners) {
        const Matrix found = learned(learner, study, unseen.features);
        double error = 0;
        for (Eigen::Index i = 0; i < found.rows(); ++i)
            error += std::abs(found(i, 1) - found(i, 0) - step(1, unseen.features.values.row(i))) / 500;
        EXPECT_LT(error, 0.2) << static_cast<int>(learner);
    }
}

TEST(MetaLearner, OfFewRowsStillFindsWhereTheEffectIsWhich) {
    const EffectStudy study = confounded(100, 2, 1, 0.1, step);
    const EffectStudy unseen = confounded(500, 2, 2, 0, step);
    for (const Learner learner : all_learners) {
        const Matrix found = learned(learner, study, unseen.features);
        std::size_t right = 0;
        for (Eigen::Index i = 0; i < found.rows(); ++i)
            right += (found(i, 1) > found(i, 0)) == (step(1, unseen.features.values.row(i)) > 0) ? 1 : 0;
        EXPECT_GT(right, 400U) << static_cast<int>(learner);
    }
}

TEST(MetaLearner, AConstantEffectIsThatConstant) {
    const auto effect = [](int k, const Eigen::RowVectorXd&) { return -1.5 * k; };
    const EffectStudy study = confounded(2'000, 3, 3, 0.2, effect);
    for (const Learner learner : all_learners) {
        const Matrix found = learned(learner, study, study.features);
        for (int k = 1; k < 3; ++k) {
            const Vector against = found.col(k) - found.col(0);
            EXPECT_NEAR(against.mean(), -1.5 * k, 0.15) << static_cast<int>(learner);
            EXPECT_LT((against.array() + 1.5 * k).abs().mean(), 0.3) << static_cast<int>(learner);
        }
    }
}

TEST(MetaLearner, OtherNumbersOfTheTreatmentsPermuteTheAnswer) {
    const std::vector<int> turn = {2, 0, 1};
    EffectStudy study = confounded(300, 3, 4, 0.3, step);
    EffectStudy turned = study;
    for (int& t : turned.treatment) t = turn[static_cast<std::size_t>(t)];
    for (int k = 0; k < 3; ++k) turned.scores.col(turn[static_cast<std::size_t>(k)]) = study.scores.col(k);
    for (const Learner learner : {Learner::x, Learner::r, Learner::dr}) {
        const Matrix before = learned(learner, study, study.features);
        const Matrix after = learned(learner, turned, study.features);
        for (int k = 0; k < 3; ++k)
            EXPECT_LT((after.col(turn[static_cast<std::size_t>(k)]) - before.col(k)).cwiseAbs().maxCoeff(), 1e-9)
                << static_cast<int>(learner);
    }
    // Sets of treatments are tried in another order there, and the first of equally good splits is made.
    const Matrix before = learned(Learner::s, study, study.features);
    const Matrix after = learned(Learner::s, turned, study.features);
    for (int k = 0; k < 3; ++k)
        EXPECT_LT((after.col(turn[static_cast<std::size_t>(k)]) - before.col(k)).cwiseAbs().mean(), 0.05);
}

TEST(MetaLearner, ThreadsChangeNoByteAndOutcomesThatAreTurnedTurnTheEffects) {
    EffectStudy study = confounded(300, 3, 5, 0.3, step);
    for (const Learner learner : all_learners) {
        MetaLearnerOptions threaded = few_trees;
        threaded.threads = 3;
        const Matrix found = learned(learner, study, study.features);
        EXPECT_EQ(found, learned(learner, study, study.features, threaded));
        EffectStudy turned = study;
        for (double& outcome : turned.outcome) outcome = -outcome;
        turned.scores = -study.scores;
        EXPECT_EQ(found, -learned(learner, turned, study.features));
    }
}

TEST(MetaLearner, WeightsCount) {
    // The two halves of the rows disagree; the light half hardly counts.
    EffectStudy study = confounded(1'000, 2, 6, 0.1, [](int k, const Eigen::RowVectorXd&) { return k; });
    for (std::size_t i = 0; i < study.outcome.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        study.weight.push_back(i % 2 == 0 ? 1 : 1e-6);
        if (i % 2 == 0) continue;
        study.outcome[i] -= 2 * study.treatment[i];
        study.scores(row, 1) -= 2;
    }
    // Not of the S-learner, which grows its trees until each row has a leaf of its own.
    for (const Learner learner : {Learner::x, Learner::r, Learner::dr}) {
        const Matrix found = learned(learner, study, study.features);
        EXPECT_NEAR((found.col(1) - found.col(0)).mean(), 1, 0.35) << static_cast<int>(learner);
    }
}

TEST(MetaLearner, FewRowsOrOnesThatAreAllAlikeHaveNumbersForAnswers) {
    for (const std::size_t rows : {4U, 30U}) {
        EffectStudy study = confounded(rows, 2, 7, 0, step);
        for (std::size_t i = 0; i < rows; ++i) study.treatment[i] = static_cast<int>(i % 2);
        study.features.values.setConstant(1);
        for (const Learner learner : all_learners) EXPECT_TRUE(learned(learner, study, study.features).allFinite());
        // Who gets which treatment is certain: nothing can be learned of the effect, but that is no disaster.
        for (std::size_t i = 0; i < rows; ++i)
            study.features.values(static_cast<Eigen::Index>(i), 0) = study.treatment[i];
        for (const Learner learner : all_learners) EXPECT_TRUE(learned(learner, study, study.features).allFinite());
    }
    const EffectStudy study = confounded(20, 2, 8, 0, step);
    EXPECT_THROW((void)fit_dr_learner(study.rows(), study.scores.topRows(3), {}), Error);
}

}  // namespace
}  // namespace polyrx
