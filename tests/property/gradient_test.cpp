// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "polyrx/train/backprop.hpp"
#include "polyrx/train/objective.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/slow_forward.hpp"
#include "tests/support/slow_objective.hpp"

namespace polyrx {
namespace {

// A random batch, and the network in training it is for.
struct Scene {
    Backprop backprop;
    std::vector<float> parameters;
    MatrixF inputs;
    std::vector<int> treatment;
    std::vector<float> outcome;
    std::vector<float> weight;

    [[nodiscard]] Lessons lessons() const { return {treatment, outcome, weight}; }

    [[nodiscard]] std::vector<test::SlowRow> slow_rows() const {
        std::vector<test::SlowRow> rows;
        for (std::size_t i = 0; i < treatment.size(); ++i) rows.push_back({treatment[i], outcome[i], weight[i]});
        return rows;
    }
};

Scene random_scene(std::uint64_t round) {
    Rng rng(round, Draw::test);
    const auto treatments = static_cast<Eigen::Index>(2 + rng.below(3));
    const ParameterLayout layout(test::random_widths(rng, round % 4, 6, treatments));
    Scene scene{Backprop(layout), initial_parameters(layout, round), {}, {}, {}, {}};
    const auto rows = static_cast<Eigen::Index>(1 + rng.below(12));
    scene.inputs = test::random_matrix_f(rng, rows, layout.inputs(0));
    for (Eigen::Index i = 0; i < rows; ++i) {
        scene.treatment.push_back(static_cast<int>(rng.below(static_cast<std::uint64_t>(treatments))));
        scene.outcome.push_back(static_cast<float>(rng.normal()));
        scene.weight.push_back(static_cast<float>(rng.uniform(0, 3)));
    }
    return scene;
}

TEST(BatchLoss, EqualsTheSlowObjective) {
    for (std::uint64_t round = 0; round < 50; ++round) {
        Scene scene = random_scene(round);
        const Matrix predicted = scene.backprop.forward(scene.parameters, scene.inputs).cast<double>();
        std::vector<int> prescribed;
        for (Eigen::Index i = 0; i < predicted.rows(); ++i) prescribed.push_back(test::slow_argmin(predicted, i));
        for (const double mu : {0.0, 1e-4, 0.3, 1.0}) {
            const double expected = test::slow_objective(predicted, prescribed, scene.slow_rows(), mu);
            const BatchLoss loss = batch_loss(predicted.cast<float>(), scene.lessons(), mu);
            EXPECT_NEAR(loss.objective / static_cast<double>(predicted.rows()), expected,
                        1e-12 * (1 + std::abs(expected)));
        }
    }
}

TEST(Gradient, AgreesWithFiniteDifferencesOfTheObjectiveWithThePrescriptionFrozen) {
    for (std::uint64_t round = 0; round < 40; ++round) {
        Scene scene = random_scene(round);
        const ParameterLayout& layout = scene.backprop.layout();
        const double mu = round % 3 == 0 ? 0.0 : round % 3 == 1 ? 0.25 : 1.0;
        std::vector<float> gradient(layout.size());
        (void)scene.backprop.gradient(scene.parameters, scene.inputs, scene.lessons(), mu, gradient);

        const Matrix inputs = scene.inputs.cast<double>();
        const ReluNetwork network = to_network(layout, scene.parameters);
        const Matrix predicted = test::slow_forward(network, inputs);
        std::vector<int> frozen;
        for (Eigen::Index i = 0; i < predicted.rows(); ++i) frozen.push_back(test::slow_argmin(predicted, i));
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

TEST(Gradient, OfARowWithWeightTwoIsThatOfTheRowTwice) {
    Scene scene = random_scene(5);
    const auto rows = static_cast<std::size_t>(scene.inputs.rows());
    std::fill(scene.weight.begin(), scene.weight.end(), 2.0F);
    std::vector<float> weighted(scene.parameters.size());
    (void)scene.backprop.gradient(scene.parameters, scene.inputs, scene.lessons(), 0.2, weighted);

    Scene doubled = scene;
    doubled.inputs.resize(2 * scene.inputs.rows(), scene.inputs.cols());
    doubled.inputs << scene.inputs, scene.inputs;
    for (std::size_t i = 0; i < rows; ++i) {
        doubled.treatment.push_back(scene.treatment[i]);
        doubled.outcome.push_back(scene.outcome[i]);
    }
    doubled.weight.assign(2 * rows, 1.0F);
    std::vector<float> repeated(scene.parameters.size());
    (void)doubled.backprop.gradient(doubled.parameters, doubled.inputs, doubled.lessons(), 0.2, repeated);
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
