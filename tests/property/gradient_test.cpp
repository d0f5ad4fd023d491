// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "polyrx/train/gradient/batch_gradient.hpp"
#include "polyrx/train/gradient/objective.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/slow_forward.hpp"
#include "tests/support/slow_objective.hpp"

namespace polyrx {
namespace {

// A random batch, and the network in training it is for.
struct Scene {
    Backprop backprop;
    AlignedFloats parameters;
    TrainingRows rows;

    [[nodiscard]] RowRange all() const { return {0, static_cast<std::size_t>(rows.size())}; }

    [[nodiscard]] AlignedFloats gradient(double mu) {
        AlignedFloats slopes(parameters.size());
        (void)batch_gradient(backprop, parameters, rows, all(), mu, slopes);
        return slopes;
    }

    [[nodiscard]] std::vector<test::SlowRow> slow_rows() const {
        std::vector<test::SlowRow> slow;
        for (std::size_t i = 0; i < rows.treatment.size(); ++i)
            slow.push_back({rows.treatment[i], rows.outcome[i], rows.weight[i]});
        return slow;
    }
};

TrainingRows random_rows(Rng& rng, Eigen::Index count, Eigen::Index inputs, Eigen::Index treatments) {
    TrainingRows rows;
    rows.inputs = test::random_matrix_f(rng, count, inputs);
    for (Eigen::Index i = 0; i < count; ++i) {
        rows.treatment.push_back(static_cast<int>(rng.below(static_cast<std::uint64_t>(treatments))));
        rows.outcome.push_back(static_cast<float>(rng.normal()));
        rows.weight.push_back(static_cast<float>(rng.uniform(0, 3)));
    }
    return rows;
}

// Every fifth batch needs more than one pass of batch_lanes rows.
Scene random_scene(std::uint64_t round) {
    Rng rng(round, Draw::test);
    const auto treatments = static_cast<Eigen::Index>(2 + rng.below(3));
    const std::vector<Eigen::Index> widths = test::random_widths(rng, round % 4, 6, treatments);
    const ParameterLayout layout(widths);
    const auto count = static_cast<Eigen::Index>(1 + rng.below(round % 5 == 0 ? 150 : 12));
    return {Backprop(layout), initial_parameters(layout, round), random_rows(rng, count, widths.front(), treatments)};
}

std::vector<int> slow_prescriptions(const Matrix& predicted) {
    std::vector<int> prescribed;
    for (Eigen::Index i = 0; i < predicted.rows(); ++i) prescribed.push_back(test::slow_argmin(predicted, i));
    return prescribed;
}

TEST(BatchLoss, EqualsTheSlowObjectiveOfTheSameOutputs) {
    for (std::uint64_t round = 0; round < 50; ++round) {
        Rng rng(round, Draw::test);
        const auto treatments = static_cast<Eigen::Index>(1 + rng.below(5));
        const auto count = static_cast<Eigen::Index>(1 + rng.below(batch_lanes));
        const TrainingRows rows = random_rows(rng, count, 1, treatments);
        const MatrixF outputs = test::random_matrix_f(rng, count, treatments);
        AlignedFloats lanes(static_cast<std::size_t>(treatments) * batch_lanes);
        for (Eigen::Index k = 0; k < treatments; ++k)
            for (Eigen::Index i = 0; i < count; ++i)
                lanes[static_cast<std::size_t>(k) * batch_lanes + static_cast<std::size_t>(i)] = outputs(i, k);
        std::vector<test::SlowRow> slow_rows;
        for (std::size_t i = 0; i < rows.treatment.size(); ++i)
            slow_rows.push_back({rows.treatment[i], rows.outcome[i], rows.weight[i]});
        const Matrix predicted = outputs.cast<double>();
        for (const double mu : {0.0, 1e-4, 0.3, 1.0}) {
            AlignedFloats slopes(lanes.size());
            const auto size = static_cast<std::size_t>(count);
            const BatchLoss loss = loss_and_slopes(lanes.data(), static_cast<std::size_t>(treatments), rows, {0, size},
                                                   mu, size, slopes.data());
            const double expected = test::slow_objective(predicted, slow_prescriptions(predicted), slow_rows, mu);
            EXPECT_NEAR(loss.objective / static_cast<double>(count), expected, 1e-12 * (1 + std::abs(expected)));
            EXPECT_NEAR(loss.prescribed, predicted.rowwise().minCoeff().sum(), 1e-12 * static_cast<double>(count));
        }
    }
}

TEST(BatchLoss, OfTheWholeNetworkEqualsTheSlowObjective) {
    for (std::uint64_t round = 0; round < 50; ++round) {
        Scene scene = random_scene(round);
        const ReluNetwork network = to_network(scene.backprop.layout(), scene.parameters);
        const Matrix predicted = test::slow_forward(network, scene.rows.inputs.cast<double>());
        const double expected = test::slow_objective(predicted, slow_prescriptions(predicted), scene.slow_rows(), 0.3);
        const BatchLoss loss = batch_loss(scene.backprop, scene.parameters, scene.rows, scene.all(), 0.3);
        EXPECT_NEAR(loss.objective / static_cast<double>(scene.rows.size()), expected, 1e-5 * (1 + std::abs(expected)));
        AlignedFloats unused(scene.parameters.size());
        EXPECT_EQ(batch_gradient(scene.backprop, scene.parameters, scene.rows, scene.all(), 0.3, unused).objective,
                  loss.objective);
    }
}

TEST(Gradient, AgreesWithFiniteDifferencesOfTheObjectiveWithThePrescriptionFrozen) {
    for (std::uint64_t round = 0; round < 40; ++round) {
        Scene scene = random_scene(round);
        const ParameterLayout& layout = scene.backprop.layout();
        const double mu = round % 3 == 0 ? 0.0 : round % 3 == 1 ? 0.25 : 1.0;
        AlignedFloats gradient = scene.gradient(mu);

        const Matrix inputs = scene.rows.inputs.cast<double>();
        const ReluNetwork network = to_network(layout, scene.parameters);
        const Matrix predicted = test::slow_forward(network, inputs);
        const std::vector<int> frozen = slow_prescriptions(predicted);
        const auto loss_of = [&](const std::vector<Layer>& layers) {
            return test::slow_objective(test::slow_forward(ReluNetwork(layers), inputs), frozen, scene.slow_rows(), mu);
        };

        std::vector<Layer> layers = network.layers();
        constexpr double h = 1e-6;
        const auto slope_in = [&](double& parameter) {
            const double before = parameter;
            parameter = before + h;
            const double above = loss_of(layers);
            parameter = before - h;
            const double below = loss_of(layers);
            parameter = before;
            return (above - below) / (2 * h);
        };
        for (std::size_t layer = 0; layer < layers.size(); ++layer) {
            const auto weight_gradient = layout.weights(gradient, layer);
            const auto bias_gradient = layout.biases(gradient, layer);
            for (Eigen::Index neuron = 0; neuron < layers[layer].weights.rows(); ++neuron) {
                for (Eigen::Index input = 0; input < layers[layer].weights.cols(); ++input)
                    EXPECT_NEAR(weight_gradient(input, neuron), slope_in(layers[layer].weights(neuron, input)), 1e-4)
                        << "round " << round << " layer " << layer;
                EXPECT_NEAR(bias_gradient(neuron), slope_in(layers[layer].bias[neuron]), 1e-4)
                    << "round " << round << " layer " << layer;
            }
        }
    }
}

TEST(Gradient, DoesNotDependOnWhatTheBuffersHeldBefore) {
    Rng rng(1, Draw::test);
    const ParameterLayout layout({5, 33, 7, 3});
    const AlignedFloats parameters = initial_parameters(layout, 1);
    const TrainingRows rows = random_rows(rng, 200, 5, 3);
    Backprop used(layout);
    for (const RowRange range : {RowRange{0, 200}, {3, 64}, {10, 1}, {17, 5}, {100, 66}, {199, 1}}) {
        Backprop fresh(layout);
        AlignedFloats expected(layout.size());
        AlignedFloats gradient(layout.size(), 777);
        const BatchLoss loss = batch_gradient(fresh, parameters, rows, range, 0.2, expected);
        EXPECT_EQ(batch_gradient(used, parameters, rows, range, 0.2, gradient).objective, loss.objective);
        EXPECT_EQ(gradient, expected) << range.count << " rows";
    }
}

TEST(Gradient, IsTheSumOfThoseOfItsBlocksInTheirOrder) {
    // Each block by itself, as if by a thread of its own: the sum has the same bits.
    for (const std::size_t count : {std::size_t{1}, batch_lanes, batch_lanes + 1, 3 * batch_lanes, std::size_t{230}}) {
        Rng rng(count, Draw::test);
        const ParameterLayout layout({5, 33, 7, 3});
        const AlignedFloats parameters = initial_parameters(layout, 1);
        const TrainingRows rows = random_rows(rng, 240, 5, 3);
        const RowRange batch{7, count};
        AlignedFloats expected(layout.size());
        BatchLoss sum;
        for (std::size_t done = 0; done < count; done += batch_lanes) {
            Backprop own(layout);
            const RowRange block{batch.first + done, std::min(batch_lanes, count - done)};
            own.take(rows, block);
            own.forward(parameters, block.count);
            sum += own.judge(rows, block, 0.2, count);
            AlignedFloats of_block(layout.size(), 777);
            own.backward(parameters, block.count, false, of_block);
            for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += of_block[i];
        }
        Backprop backprop(layout);
        AlignedFloats gradient(layout.size());
        EXPECT_EQ(batch_gradient(backprop, parameters, rows, batch, 0.2, gradient).objective, sum.objective);
        EXPECT_EQ(gradient, expected) << count << " rows";
    }
}

TEST(Gradient, OfARowWithWeightTwoIsThatOfTheRowTwice) {
    Scene scene = random_scene(5);
    const std::size_t count = scene.all().count;
    std::fill(scene.rows.weight.begin(), scene.rows.weight.end(), 2.0F);
    const AlignedFloats weighted = scene.gradient(0.2);

    Scene doubled = scene;
    doubled.rows.inputs.resize(2 * scene.rows.inputs.rows(), scene.rows.inputs.cols());
    doubled.rows.inputs << scene.rows.inputs, scene.rows.inputs;
    for (std::size_t i = 0; i < count; ++i) {
        doubled.rows.treatment.push_back(scene.rows.treatment[i]);
        doubled.rows.outcome.push_back(scene.rows.outcome[i]);
    }
    doubled.rows.weight.assign(2 * count, 1.0F);
    const AlignedFloats repeated = doubled.gradient(0.2);
    // The mean is over twice as many rows.
    for (std::size_t i = 0; i < weighted.size(); ++i) EXPECT_NEAR(weighted[i], 2 * repeated[i], 1e-5F);
}

TEST(MuForScaledOutcome, MakesTheObjectiveOnTheScaledOutcomeAMultipleOfTheRawOne) {
    Rng rng(3, Draw::test);
    for (int round = 0; round < 100; ++round) {
        const double mean = 10 * rng.normal();
        const double sd = std::exp(rng.normal());
        const double mu = rng.uniform();
        const Matrix scaled = test::random_matrix(rng, 8, 3);
        const Matrix raw = (scaled.array() * sd + mean).matrix();
        std::vector<test::SlowRow> scaled_rows;
        std::vector<test::SlowRow> raw_rows;
        std::vector<int> prescribed;
        for (Eigen::Index i = 0; i < 8; ++i) {
            const double outcome = rng.normal();
            const int treatment = static_cast<int>(rng.below(3));
            scaled_rows.push_back({treatment, outcome, 1});
            raw_rows.push_back({treatment, sd * outcome + mean, 1});
            prescribed.push_back(test::slow_argmin(scaled, i));
        }
        const double ours = test::slow_objective(scaled, prescribed, scaled_rows, mu_for_scaled_outcome(mu, sd));
        const double users = test::slow_objective(raw, prescribed, raw_rows, mu);
        EXPECT_NEAR(users, mu * mean + sd * (mu + (1 - mu) * sd) * ours, 1e-9 * (1 + std::abs(users)));
    }
}

}  // namespace
}  // namespace polyrx
