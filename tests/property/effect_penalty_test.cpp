// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/effect_penalty.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/train/backprop.hpp"
#include "polyrx/train/train.hpp"
#include "tests/support/easy_rows.hpp"

namespace polyrx {
namespace {

// A teacher who says that no treatment differs from any other, listened to with a share of l, is a penalty of l / (1 -
// l) on the scale of what is left to the data; and the slopes of teachers are held against finite differences.
TEST(EffectPenalty, IsATeacherWhoSaysThatTreatmentsAreAlike) {
    for (std::uint64_t round = 0; round < 20; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        const auto treatments = static_cast<Eigen::Index>(1 + rng.below(4));
        TrainingRows rows;
        const auto count = static_cast<Eigen::Index>(1 + rng.below(150));
        rows.inputs = test::random_matrix_f(rng, count, 4);
        for (Eigen::Index i = 0; i < count; ++i) {
            rows.treatment.push_back(static_cast<int>(rng.below(static_cast<std::uint64_t>(treatments))));
            rows.outcome.push_back(static_cast<float>(rng.normal()));
            rows.weight.push_back(static_cast<float>(rng.uniform(0, 3)));
        }
        TrainingRows taught = rows;
        taught.teacher.assign(static_cast<std::size_t>(count * treatments), 0);
        taught.teacher_weight = rows.weight;
        const double share = rng.uniform(0.05, 0.9);

        const ParameterLayout layout(4, std::vector<int>{5, 3}, static_cast<int>(treatments));
        const AlignedFloats parameters = initial_parameters(layout, round);
        const RowRange all{0, static_cast<std::size_t>(count)};
        AlignedFloats of_teacher(layout.size());
        AlignedFloats of_penalty(layout.size());
        const double taught_loss = Backprop(layout, share).gradient(parameters, taught, all, 0, of_teacher).objective;
        Backprop penalised(layout, 0, share / (1 - share));
        const double loss = penalised.gradient(parameters, rows, all, 0, of_penalty).objective;
        EXPECT_NEAR((1 - share) * loss, taught_loss, 1e-5 * (1 + std::abs(taught_loss)));
        for (std::size_t i = 0; i < of_penalty.size(); ++i)
            EXPECT_NEAR((1 - share) * of_penalty[i], of_teacher[i], 1e-5 * (1 + std::abs(of_teacher[i])));
        EXPECT_EQ(penalised.loss(parameters, rows, all, 0).objective,
                  Backprop(layout).loss(parameters, rows, all, 0).objective)
            << "what rows lose is without it";
    }
}

TEST(EffectPenalty, MakesTreatmentsAlikeWhenItIsLarge) {
    const TrainingRows rows = test::easy_rows(400, 1);
    TrainOptions options;
    options.hidden = {12};
    options.epochs = 40;
    options.learning_rate = 1e-2;
    options.schedule = Schedule::cosine;
    const auto largest_effect = [&](double penalty) {
        options.effect_penalty = penalty;
        const Matrix outcomes = forward(train(rows, nullptr, options).network, rows.inputs.cast<double>());
        return (outcomes.col(1) - outcomes.col(0)).cwiseAbs().maxCoeff();
    };
    const double free = largest_effect(0);
    EXPECT_GT(free, 0.5);
    EXPECT_LT(largest_effect(100), 0.1 * free);
}

// Rows of the second kind all received treatment 1, and their outcomes are far from those of the first kind, where
// both treatments do the same. Nothing says that they do otherwise here.
TEST(EffectPenalty, KeepsANetworkFromGuessingWildlyWhereATreatmentWasNeverGiven) {
    TrainingRows rows;
    constexpr Eigen::Index count = 1000;
    rows.inputs = MatrixF(count, 2);
    Rng rng(3, Draw::test);
    for (Eigen::Index i = 0; i < count; ++i) {
        const bool unusual = rng.bernoulli(0.5);
        rows.inputs(i, 0) = unusual ? 1 : -1;
        rows.inputs(i, 1) = static_cast<float>(rng.normal());
        rows.treatment.push_back(unusual || rng.bernoulli(0.5) ? 1 : 0);
        rows.outcome.push_back((unusual ? 3.0F : -3.0F) + static_cast<float>(0.3 * rng.normal()));
        rows.weight.push_back(1);
    }
    TrainOptions options;
    options.hidden = {30, 30};
    options.epochs = 60;
    options.learning_rate = 3e-3;
    options.schedule = Schedule::cosine;
    options.weight_decay = 0.3;
    const auto effect = [&](double penalty) {
        options.effect_penalty = penalty;
        const Matrix outcomes = forward(train(rows, nullptr, options).network, Matrix{{1.0, 0.0}});
        return outcomes(0, 1) - outcomes(0, 0);
    };
    const double wild = effect(0);
    EXPECT_GT(wild, 1);
    EXPECT_LT(std::abs(effect(0.01)), 0.3 * wild);
}

TEST(EffectPenalty, OfNothingChangesNothingAndOfNonsenseIsRefused) {
    const TrainingRows rows = test::easy_rows(100, 1);
    TrainOptions options;
    options.hidden = {5};
    for (const double penalty : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
        options.effect_penalty = penalty;
        EXPECT_THROW((void)train(rows, nullptr, options), Error);
    }
    options.effect_penalty = 0;
    const ReluNetwork plain = train(rows, nullptr, options).network;
    options.effect_penalty = 1e-3;
    EXPECT_NE(train(rows, nullptr, options).network, plain);
}

}  // namespace
}  // namespace polyrx
