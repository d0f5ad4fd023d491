// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/affine_piece.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/core/error.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/slow_forward.hpp"

namespace polyrx {
namespace {

ReluNetwork some_network(Rng& rng, std::uint64_t round) {
    return test::random_network(rng, test::random_widths(rng, round % 5, 20, 1 + static_cast<Eigen::Index>(round % 4)));
}

// The network up to a layer, whose neurons become its outputs, in the slow forward pass.
Matrix slow_neurons(const ReluNetwork& network, std::size_t layer, const Matrix& rows) {
    const auto end = network.layers().begin() + static_cast<std::ptrdiff_t>(layer) + 1;
    return test::slow_forward(ReluNetwork({network.layers().begin(), end}), rows);
}

TEST(ActivationPattern, HasANeuronOnWhereTheSlowForwardPassHasItAboveZero) {
    for (std::uint64_t round = 0; round < 100; ++round) {
        Rng rng(round, Draw::test);
        const ReluNetwork network = some_network(rng, round);
        const Matrix rows = test::random_matrix(rng, 5, network.inputs());
        for (Eigen::Index row = 0; row < rows.rows(); ++row) {
            const Pattern pattern = activation_pattern(network, rows.row(row).transpose());
            ASSERT_EQ(pattern.size(), network.layers().size() - 1);
            for (std::size_t layer = 0; layer < pattern.size(); ++layer) {
                const Matrix values = slow_neurons(network, layer, rows.row(row));
                ASSERT_EQ(static_cast<Eigen::Index>(pattern[layer].size()), values.cols());
                for (Eigen::Index neuron = 0; neuron < values.cols(); ++neuron)
                    EXPECT_EQ(pattern[layer][static_cast<std::size_t>(neuron)] != 0, values(0, neuron) > 0);
            }
        }
    }
}

TEST(ActivationPattern, HasANeuronOffWhereItsValueIsExactlyZero) {
    const ReluNetwork network({Layer{Matrix::Ones(1, 1), Vector::Zero(1)}, Layer{Matrix::Ones(1, 1), Vector::Zero(1)}});
    EXPECT_EQ(activation_pattern(network, Vector::Zero(1)), (Pattern{{0}}));
    EXPECT_EQ(activation_pattern(network, Vector::Constant(1, 5e-324)), (Pattern{{1}}));
}

TEST(AffineNeurons, OfEveryLayerAreTheValuesOfTheSlowForwardPassUpToRounding) {
    for (std::uint64_t round = 0; round < 100; ++round) {
        Rng rng(round, Draw::test);
        const ReluNetwork network = some_network(rng, round);
        const Matrix rows = test::random_matrix(rng, 5, network.inputs());
        for (Eigen::Index row = 0; row < rows.rows(); ++row) {
            const Vector x = rows.row(row);
            const Pattern pattern = activation_pattern(network, x);
            for (std::size_t layer = 0; layer < network.layers().size(); ++layer) {
                const Matrix values = slow_neurons(network, layer, rows.row(row));
                const std::vector<AffineFunction> neurons = affine_neurons(network, pattern, layer);
                ASSERT_EQ(static_cast<Eigen::Index>(neurons.size()), values.cols());
                for (Eigen::Index neuron = 0; neuron < values.cols(); ++neuron) {
                    const AffineFunction& function = neurons[static_cast<std::size_t>(neuron)];
                    const double size = function.weights.cwiseAbs().dot(x.cwiseAbs()) + std::abs(function.constant);
                    EXPECT_NEAR(function(x), values(0, neuron), 1e-11 * (size + 1)) << "round " << round;
                }
            }
        }
    }
}

TEST(AffineOutcomes, AreTheNetworkWhereverTheSameNeuronsAreOn) {
    int met = 0;
    for (std::uint64_t round = 0; round < 100; ++round) {
        Rng rng(round, Draw::test);
        const ReluNetwork network = some_network(rng, round);
        const Vector x = test::random_matrix(rng, network.inputs(), 1).col(0);
        const Pattern pattern = activation_pattern(network, x);
        const std::vector<AffineFunction> outcomes = affine_outcomes(network, pattern);
        EXPECT_EQ(outcomes, affine_neurons(network, pattern, network.layers().size() - 1));
        for (int step = 0; step < 20; ++step) {
            const Vector near = x + 0.05 * test::random_matrix(rng, network.inputs(), 1).col(0);
            if (activation_pattern(network, near) != pattern) continue;
            ++met;
            const Matrix values = test::slow_forward(network, near.transpose());
            for (Eigen::Index k = 0; k < network.outputs(); ++k) {
                const AffineFunction& outcome = outcomes[static_cast<std::size_t>(k)];
                const double size = outcome.weights.cwiseAbs().dot(near.cwiseAbs()) + std::abs(outcome.constant);
                EXPECT_NEAR(outcome(near), values(0, k), 1e-11 * (size + 1)) << "round " << round;
            }
        }
    }
    EXPECT_GT(met, 100);
}

TEST(AffineNeurons, OfTheFirstLayerAreItsWeightsAsTheyStand) {
    Rng rng(1, Draw::test);
    const ReluNetwork network = test::random_network(rng, {4, 3, 2});
    const std::vector<AffineFunction> neurons = affine_neurons(network, {}, 0);
    for (Eigen::Index neuron = 0; neuron < 3; ++neuron) {
        EXPECT_EQ(neurons[static_cast<std::size_t>(neuron)].weights,
                  Vector(network.layers()[0].weights.row(neuron).transpose()));
        EXPECT_EQ(neurons[static_cast<std::size_t>(neuron)].constant, network.layers()[0].bias[neuron]);
    }
    EXPECT_THROW((void)affine_neurons(network, {}, 1), Error);
    EXPECT_THROW((void)affine_neurons(network, {{1, 1, 1}}, 2), Error);
    EXPECT_THROW((void)activation_pattern(network, Vector::Zero(3)), Error);
}

}  // namespace
}  // namespace polyrx
