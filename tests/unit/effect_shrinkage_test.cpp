// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/step/effect_shrinkage.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/train/train.hpp"
#include "tests/support/easy_rows.hpp"

namespace polyrx {
namespace {

using test::easy_rows;

TrainOptions shrinkage_options() {
    return test::small_options(10);
}

// By how much the effect of treatment 1 over 0 varies from row to row.
double spread_of_effects(const ReluNetwork& network, const TrainingRows& rows) {
    const Matrix outcomes = forward(network, rows.inputs.cast<double>());
    const Vector effects = outcomes.col(1) - outcomes.col(0);
    return effects.maxCoeff() - effects.minCoeff();
}

TEST(ShrinkEffects, KeepsTheMeanOverTreatmentsAndAShareOfWhatDiffersFromIt) {
    for (std::uint64_t round = 0; round < 30; ++round) {
        Rng rng(round, Draw::test);
        const auto treatments = static_cast<Eigen::Index>(1 + rng.below(20));
        const ParameterLayout layout(test::random_widths(rng, round % 3, 9, treatments));
        const double keep = rng.uniform();
        const auto parts = round % 2 == 0 ? ShrunkParts::weights : ShrunkParts::weights_and_biases;
        const AlignedFloats before = initial_parameters(layout, round);
        AlignedFloats after = before;
        shrink_effects(layout, after, keep, parts);

        AlignedFloats expected = before;  // hidden layers stay as they are, and the zeros behind each row
        const auto shrunk = [&](auto row) {
            const float mean = row.sum() / static_cast<float>(treatments);
            row = (mean + static_cast<float>(keep) * (row.array() - mean)).matrix().eval();
        };
        auto weights = layout.weights(expected, layout.layers() - 1);
        for (Eigen::Index input = 0; input < weights.rows(); ++input) shrunk(weights.row(input));
        if (parts == ShrunkParts::weights_and_biases) shrunk(layout.biases(expected, layout.layers() - 1).row(0));
        for (std::size_t i = 0; i < after.size(); ++i) EXPECT_NEAR(after[i], expected[i], 1e-6F);
    }
}

TEST(EffectShrinkage, OfZeroChangesNothing) {
    const TrainingRows rows = easy_rows(300, 1);
    TrainOptions options = shrinkage_options();
    const Trained before = train(rows, nullptr, options);
    for (const ShrunkParts parts : {ShrunkParts::weights, ShrunkParts::weights_and_biases}) {
        options.effect_shrinkage = 0;
        options.shrunk = parts;
        EXPECT_EQ(train(rows, nullptr, options).network, before.network);
    }
}

TEST(EffectShrinkage, WithoutEndOfWeightsLeavesOutcomesThatDifferByConstants) {
    TrainOptions options = shrinkage_options();
    options.effect_shrinkage = 1e9;
    options.shrunk = ShrunkParts::weights;
    const TrainingRows rows = easy_rows(300, 1);
    for (const std::vector<int>& hidden : {std::vector<int>{16, 8}, {}}) {
        options.hidden = hidden;
        const ReluNetwork network = train(rows, nullptr, options).network;
        const Layer& output = network.layers().back();
        EXPECT_EQ(output.weights.row(0), output.weights.row(1));
        EXPECT_NE(output.bias[0], output.bias[1]);
        EXPECT_LT(spread_of_effects(network, rows), 1e-12);
    }
}

TEST(EffectShrinkage, WithoutEndOfWeightsAndBiasesMakesAllOutcomesEqual) {
    TrainOptions options = shrinkage_options();
    options.effect_shrinkage = 1e9;
    const TrainingRows rows = easy_rows(300, 1);
    const ReluNetwork network = train(rows, nullptr, options).network;
    const Matrix outcomes = forward(network, rows.inputs.cast<double>());
    EXPECT_EQ(outcomes.col(0), outcomes.col(1));
    EXPECT_GT(outcomes.cwiseAbs().maxCoeff(), 0);
}

TEST(EffectShrinkage, LeavesLessOfTheEffectsTheStrongerItIs) {
    const TrainingRows rows = easy_rows(500, 1);
    TrainOptions options = shrinkage_options();
    double before = spread_of_effects(train(rows, nullptr, options).network, rows);
    for (const double strength : {2.0, 20.0, 90.0}) {
        options.effect_shrinkage = strength;
        const double spread = spread_of_effects(train(rows, nullptr, options).network, rows);
        EXPECT_LT(spread, before) << strength;
        before = spread;
    }
}

TEST(EffectShrinkage, IsRefusedBelowZero) {
    TrainOptions options = shrinkage_options();
    for (const double strength : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
        options.effect_shrinkage = strength;
        EXPECT_THROW((void)train(easy_rows(10, 1), nullptr, options), Error);
    }
}

TEST(ShrunkParts, AreNamedAsTheyAreWritten) {
    EXPECT_EQ(name_of(ShrunkParts::weights), "weights");
    EXPECT_EQ(name_of(ShrunkParts::weights_and_biases), "weights+biases");
}

}  // namespace
}  // namespace polyrx
