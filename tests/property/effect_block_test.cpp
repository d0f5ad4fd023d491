// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/step/effect_block.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "polyrx/core/error.hpp"
#include "polyrx/train/gradient/batch_gradient.hpp"
#include "polyrx/train/train.hpp"
#include "tests/support/easy_rows.hpp"
#include "tests/support/kernel_targets.hpp"

namespace polyrx {
namespace {

AlignedFloats random_floats(Rng& rng, std::size_t size) {
    AlignedFloats values(size);
    for (float& value : values) value = static_cast<float>(rng.normal());
    return values;
}

double product(const AlignedFloats& a, const AlignedFloats& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// With the weights from neurons [first, end) of the last hidden layer to treatments left out.
ReluNetwork without(const ReluNetwork& network, Eigen::Index first, Eigen::Index count) {
    std::vector<Layer> layers = network.layers();
    layers.back().weights.middleCols(first, count).setZero();
    return ReluNetwork(std::move(layers));
}

TrainOptions parted_options(double share, double decay) {
    TrainOptions options = test::small_options(5);
    options.effects = {share, decay};
    return options;
}

TEST(PartBlocks, FindsTheNearestWeightsOfANetworkInTwoBlocks) {
    for (std::uint64_t round = 0; round < 50; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        std::vector<int> hidden;
        for (std::uint64_t layers = 1 + rng.below(3); layers > 0; --layers)
            hidden.push_back(static_cast<int>(2 + rng.below(20)));
        const ParameterLayout layout(3, hidden, static_cast<int>(1 + rng.below(4)));
        const EffectBlock block{rng.uniform(0.01, 0.99), 0};
        const AlignedFloats any = random_floats(rng, layout.size());
        AlignedFloats nearest = any;
        part_blocks(layout, block, nearest);

        AlignedFloats again = nearest;
        part_blocks(layout, block, again);
        for (std::size_t i = 0; i < again.size(); ++i) EXPECT_NEAR(again[i], nearest[i], 1e-6);

        // What is nearest is left by a way that is at right angles to every other network in two blocks.
        AlignedFloats left(any.size());
        for (std::size_t i = 0; i < any.size(); ++i) left[i] = any[i] - nearest[i];
        AlignedFloats other = random_floats(rng, layout.size());
        part_blocks(layout, block, other);
        EXPECT_NEAR(product(left, other), 0, 1e-4 * std::sqrt(1 + product(left, left) * product(other, other)));
    }
}

// With weights between hidden neurons of different blocks that nobody can compute with.
AlignedFloats poisoned_between(const ParameterLayout& layout, const EffectBlock& block, AlignedFloats parameters) {
    for (std::size_t layer = 1; layer + 1 < layout.layers(); ++layer) {
        auto weights = layout.weights(parameters, layer);
        const auto inputs = static_cast<Eigen::Index>(outcome_neurons(block, layout.shape(layer).inputs));
        const auto neurons = static_cast<Eigen::Index>(outcome_neurons(block, layout.shape(layer).neurons));
        weights.topRightCorner(inputs, weights.cols() - neurons).setConstant(std::numeric_limits<float>::quiet_NaN());
        weights.bottomLeftCorner(weights.rows() - inputs, neurons).setConstant(std::numeric_limits<float>::quiet_NaN());
    }
    return parameters;
}

void expect_the_bits_of_the_whole(std::uint64_t round) {
    Rng rng(round, Draw::test);
    std::vector<int> hidden;
    for (std::uint64_t layers = 1 + rng.below(4); layers > 0; --layers)
        hidden.push_back(static_cast<int>(2 + rng.below(40)));
    const int treatments = static_cast<int>(1 + rng.below(3));
    TrainingRows rows = test::easy_rows(static_cast<Eigen::Index>(1 + rng.below(200)), round);
    for (int& given : rows.treatment) given = static_cast<int>(rng.below(static_cast<std::uint64_t>(treatments)));
    const ParameterLayout layout(rows.inputs.cols(), hidden, treatments);
    const EffectBlock block{rng.uniform(0.01, 0.99), 0};
    AlignedFloats parameters = initial_parameters(layout, round);
    part_blocks(layout, block, parameters);

    Backprop by_blocks(layout, 0, block);
    Backprop whole(layout);
    const RowRange all{0, static_cast<std::size_t>(rows.size())};
    AlignedFloats of_blocks(layout.size());
    AlignedFloats of_whole(layout.size());
    for (int step = 0; step < 3; ++step) {
        const AlignedFloats poisoned = poisoned_between(layout, block, parameters);
        const BatchLoss loss = batch_gradient(by_blocks, poisoned, rows, all, 0.5, of_blocks);
        EXPECT_EQ(loss.objective, batch_gradient(whole, parameters, rows, all, 0.5, of_whole).objective);
        EXPECT_EQ(loss.objective, batch_loss(by_blocks, poisoned, rows, all, 0.5).objective);
        part_blocks(layout, block, of_blocks);
        part_blocks(layout, block, of_whole);
        ASSERT_EQ(of_blocks, of_whole);
        for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] -= 0.1F * of_whole[i];
        part_blocks(layout, block, parameters);
    }
}

TEST(Backprop, OfANetworkInTwoBlocksHasTheBitsOfTheWholeAndReadsNothingBetweenThem) {
    test::for_each_target([] {
        for (std::uint64_t round = 0; round < 40; ++round) {
            SCOPED_TRACE(testing::Message() << "round " << round);
            expect_the_bits_of_the_whole(round);
        }
    });
}

TEST(EffectBlock, MakesANetworkOfASharedOutcomeAndOfEffectsThatAddUpToAConstant) {
    for (const int treatments : {2, 3}) {
        TrainingRows rows = test::easy_rows(300, 1);
        if (treatments == 3)
            for (std::size_t i = 0; i < rows.treatment.size(); i += 3) rows.treatment[i] = 2;
        TrainOptions options = parted_options(0.25, 0.1);
        options.treatments = treatments;
        const ReluNetwork network = train(rows, nullptr, options).network;
        ASSERT_EQ(network.layers().size(), 3U);
        // 16 and 8 neurons: the last 4 and 2 are for effects.
        EXPECT_TRUE(network.layers()[1].weights.topRightCorner(6, 4).isZero(0));
        EXPECT_TRUE(network.layers()[1].weights.bottomLeftCorner(2, 12).isZero(0));
        EXPECT_FALSE(network.layers()[1].weights.bottomRightCorner(2, 4).isZero(0));

        const Matrix inputs = rows.inputs.cast<double>();
        Matrix shared = forward(without(network, 6, 2), inputs);
        Matrix effects = forward(without(network, 0, 6), inputs);
        shared.colwise() -= Eigen::VectorXd(shared.col(0));
        for (Eigen::Index k = 1; k < treatments; ++k)
            EXPECT_NEAR(shared.col(k).maxCoeff(), shared.col(k).minCoeff(), 1e-5) << "differ by constants";
        const Eigen::VectorXd sums = effects.rowwise().sum();
        EXPECT_NEAR(sums.maxCoeff(), sums.minCoeff(), 1e-5);
        EXPECT_GT(effects.col(0).maxCoeff() - effects.col(0).minCoeff(), 0.1) << "and there are effects";
    }
}

TEST(EffectBlock, OfNoNeuronsChangesNothing) {
    const TrainingRows rows = test::easy_rows(100, 1);
    const ReluNetwork plain = train(rows, nullptr, test::small_options(3)).network;
    TrainOptions options = test::small_options(3);
    options.effects = {0, 5};
    EXPECT_EQ(train(rows, nullptr, options).network, plain);
    options.effects = {0.5, 0};
    EXPECT_NE(train(rows, nullptr, options).network, plain);
}

TEST(EffectBlock, OfDecayWithoutEndLeavesOutcomesThatDifferByConstants) {
    const TrainingRows rows = test::easy_rows(200, 1);
    const Matrix outcomes = forward(train(rows, nullptr, parted_options(0.5, 1e9)).network, rows.inputs.cast<double>());
    const Eigen::VectorXd effect = outcomes.col(1) - outcomes.col(0);
    EXPECT_NEAR(effect.maxCoeff(), effect.minCoeff(), 1e-5);
}

TEST(DecayEffects, IsOfTheWeightsOfEffectNeuronsAndOfNothingElse) {
    Rng rng(1, Draw::test);
    const ParameterLayout layout(3, std::vector<int>{4, 6}, 2);
    const EffectBlock block{0.5, 0};
    const AlignedFloats before = random_floats(rng, layout.size());
    AlignedFloats after = before;
    decay_effects(layout, block, after, 0.25);
    // The slow twin: a weight is of effects if it leads to one of the last half of a hidden layer's neurons from an
    // input of the network or from such a neuron, or from such a neuron to a treatment.
    for (std::size_t layer = 0; layer < 3; ++layer) {
        const LayerShape& shape = layout.shape(layer);
        for (std::size_t input = 0; input <= shape.inputs; ++input)
            for (std::size_t neuron = 0; neuron < shape.neurons; ++neuron) {
                const bool from = layer == 0 || 2 * input >= shape.inputs;
                const bool to = layer == 2 || 2 * neuron >= shape.neurons;
                const bool decays = from && to && input < shape.inputs;  // the last are biases
                const std::size_t at = layout.offset(layer) + input * padded(shape.neurons) + neuron;
                EXPECT_EQ(after[at], decays ? 0.25F * before[at] : before[at])
                    << "layer " << layer << ", " << input << " to " << neuron;
            }
    }
}

TEST(EffectBlock, LearnsWhereBothTreatmentsWereGiven) {
    const TrainingRows rows = test::easy_rows(400, 1);
    TrainOptions options = parted_options(0.5, 0.1);
    options.epochs = 40;
    EXPECT_GT(test::accuracy(train(rows, nullptr, options).network, rows), 0.95);
}

// Rows of the second kind all received treatment 1, and their outcomes are far from those of the first kind, where
// treatment 1 does good or harm by the sign of another input. Nothing says that it does otherwise here.
TEST(EffectBlock, CarriesWhatWasLearnedOfEffectsToRowsThatNeverReceivedATreatment) {
    TrainingRows rows;
    constexpr Eigen::Index count = 1000;
    rows.inputs = MatrixF(count, 2);
    Rng rng(3, Draw::test);
    const auto effect_at = [](double x) { return x > 0 ? -1.0 : 1.0; };
    for (Eigen::Index i = 0; i < count; ++i) {
        const bool unusual = rng.bernoulli(0.5);
        rows.inputs(i, 0) = unusual ? 1 : -1;
        rows.inputs(i, 1) = static_cast<float>(rng.normal());
        rows.treatment.push_back(unusual || rng.bernoulli(0.5) ? 1 : 0);
        const double effect = rows.treatment.back() == 1 ? effect_at(rows.inputs(i, 1)) : 0;
        rows.outcome.push_back(static_cast<float>((unusual ? 3.0 : -3.0) + effect + 0.3 * rng.normal()));
        rows.weight.push_back(1);
    }
    const auto error = [&](EffectBlock block) {
        TrainOptions options;
        options.hidden = {30, 30};
        options.epochs = 60;
        options.learning_rate = 3e-3;
        options.schedule = Schedule::cosine;
        options.weight_decay = 0.3;
        options.effects = block;
        const ReluNetwork network = train(rows, nullptr, options).network;
        double worst = 0;
        for (const double x : {-1.5, -1.0, -0.5, 0.5, 1.0, 1.5}) {
            const Matrix outcomes = forward(network, Matrix{{1.0, x}});
            worst = std::max(worst, std::abs(outcomes(0, 1) - outcomes(0, 0) - effect_at(x)));
        }
        return worst;
    };
    const double in_one = error({});
    const double in_two = error({0.5, 0.5});
    EXPECT_GT(in_one, 1) << "as wrong as to prescribe the other treatment";
    EXPECT_LT(in_two, 0.5 * in_one);
}

TEST(EffectBlock, IsRefusedWhereItMakesNoSense) {
    const TrainingRows rows = test::easy_rows(50, 1);
    for (const double bad : {-0.1, 1.0, std::nan(""), std::numeric_limits<double>::infinity()})
        EXPECT_THROW((void)train(rows, nullptr, parted_options(bad, 0)), Error) << bad;
    for (const double bad : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()})
        EXPECT_THROW((void)train(rows, nullptr, parted_options(0.5, bad)), Error) << bad;
    for (const std::vector<int>& hidden : {std::vector<int>{}, std::vector<int>{5, 1}}) {
        TrainOptions options = parted_options(0.5, 0);
        options.hidden = hidden;
        EXPECT_THROW((void)train(rows, nullptr, options), Error);
    }
}

}  // namespace
}  // namespace polyrx
