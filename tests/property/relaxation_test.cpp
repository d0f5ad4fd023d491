// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/relaxation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "polyrx/network/affine_piece.hpp"
#include "polyrx/network/forward_error.hpp"
#include "tests/support/domains.hpp"
#include "tests/support/random_domain.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/wide_forward.hpp"

namespace polyrx {
namespace {

// Of all layers but the last, from the first on.
std::vector<NeuronBounds> all_interval_bounds(const ReluNetwork& network, const Domain& domain) {
    std::vector<NeuronBounds> bounds;
    for (std::size_t layer = 0; layer + 1 < network.layers().size(); ++layer)
        bounds.push_back(interval_bounds(network, domain, layer, bounds));
    return bounds;
}

ReluNetwork some_network(Rng& rng, std::uint64_t round, Eigen::Index inputs) {
    std::vector<Eigen::Index> widths = test::random_widths(rng, round % 6, 12, 3);
    widths.front() = inputs;
    return test::random_network(rng, widths);
}

// Every value of a network may be off by this share of the largest one when it is added up in another order.
constexpr double rounding = 1e-12;

TEST(IntervalBounds, ContainEveryNeuronOfEveryRow) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        const Domain domain = test::random_domain(rng, 1 + static_cast<Eigen::Index>(rng.below(6)));
        const ReluNetwork network = some_network(rng, round, domain.inputs());
        const std::vector<NeuronBounds> bounds = all_interval_bounds(network, domain);
        for (int i = 0; i < 50; ++i) {
            const auto values = test::wide_forward(network, test::random_row(rng, domain));
            for (std::size_t layer = 0; layer < bounds.size(); ++layer) {
                for (std::size_t neuron = 0; neuron < values[layer].size(); ++neuron) {
                    const auto value = static_cast<double>(values[layer][neuron]);
                    const auto index = static_cast<Eigen::Index>(neuron);
                    const double low = bounds[layer].lower[index];
                    const double high = bounds[layer].upper[index];
                    const double slack = rounding * (std::abs(low) + std::abs(high));
                    EXPECT_GE(value, low - slack);
                    EXPECT_LE(value, high + slack);
                }
            }
        }
    }
}

// The relaxation takes any bounds that are true: also those that hold only on the rows at hand.
TEST(Relaxation, IsAboveEveryNeuronAndOutcomeDifferenceOfEveryRow) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test, 1);
        const Domain domain = test::random_domain(rng, 1 + static_cast<Eigen::Index>(rng.below(6)));
        const ReluNetwork network = some_network(rng, round, domain.inputs());
        const Relaxation relaxation(network, domain);
        std::vector<NeuronBounds> bounds = all_interval_bounds(network, domain);
        std::vector<Vector> rows;
        for (int i = 0; i < 30; ++i) rows.push_back(test::random_row(rng, domain));
        if (round % 2 == 0) {
            for (std::size_t layer = 0; layer < bounds.size(); ++layer) {
                for (Eigen::Index neuron = 0; neuron < bounds[layer].lower.size(); ++neuron) {
                    double low = 1e300;
                    double high = -1e300;
                    for (const Vector& row : rows) {
                        const auto value = static_cast<double>(
                            test::wide_forward(network, row)[layer][static_cast<std::size_t>(neuron)]);
                        low = std::min(low, value);
                        high = std::max(high, value);
                    }
                    bounds[layer].lower[neuron] = low;
                    bounds[layer].upper[neuron] = high;
                }
            }
        }
        for (const Vector& row : rows) {
            const auto values = test::wide_forward(network, row);
            const auto expect_above = [&](const LayerFunction& function, test::Wide wide) {
                const auto value = static_cast<double>(wide);
                const AffineFunction above = relaxation.above(function, bounds);
                const AffineFunction below = -relaxation.above(-function, bounds);
                const double size = test::size_of(domain, above) + test::size_of(domain, below);
                EXPECT_GE(above(row), value - rounding * size);
                EXPECT_LE(below(row), value + rounding * size);
            };
            for (std::size_t layer = 0; layer < bounds.size(); ++layer)
                for (std::size_t neuron = 0; neuron < values[layer].size(); ++neuron)
                    expect_above(relaxation.neuron(layer, static_cast<Eigen::Index>(neuron)), values[layer][neuron]);
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b)
                    expect_above(relaxation.outcome_difference(a, b), values.back()[static_cast<std::size_t>(a)] -
                                                                          values.back()[static_cast<std::size_t>(b)]);
        }
    }
}

TEST(Relaxation, IsTheFunctionItselfWhereEveryNeuronIsDecided) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test, 2);
        const auto inputs = 1 + static_cast<Eigen::Index>(rng.below(6));
        const ReluNetwork network = some_network(rng, round, inputs);
        const Domain whole = test::box_domain(inputs, -1, 1);
        const Vector row = test::uniform_row(rng, whole);
        Domain around = whole;
        around.lower = row.array() - 1e-7;
        around.upper = row.array() + 1e-7;
        const std::vector<NeuronBounds> bounds = all_interval_bounds(network, around);
        if (!std::all_of(bounds.begin(), bounds.end(), [](const NeuronBounds& layer) {
                return ((layer.lower.array() > 0) || (layer.upper.array() <= 0)).all();
            }))
            continue;
        const Relaxation relaxation(network, around);
        const std::vector<AffineFunction> outcomes = affine_outcomes(network, activation_pattern(network, row));
        const AffineFunction difference = relaxation.above(relaxation.outcome_difference(0, 2), bounds);
        const double size = test::size_of(whole, outcomes[0]) + test::size_of(whole, outcomes[2]);
        EXPECT_LE((difference.weights - (outcomes[0].weights - outcomes[2].weights)).cwiseAbs().maxCoeff(),
                  rounding * size);
        EXPECT_NEAR(difference.constant, outcomes[0].constant - outcomes[2].constant, rounding * size);
    }
}

TEST(Relaxation, KnowsTheNeuronsThatAreAffineOnEveryRow) {
    int linear = 0;
    for (std::uint64_t round = 0; round < 200; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test, 3);
        const Domain domain = test::domain_of_kinds({.real = 1, .whole = 1, .binary = 2, .groups = {3, 2}});
        // One neuron for each output, which passes it on.
        std::vector<Layer> layers = test::random_network(rng, {domain.inputs(), 8, 8}).layers();
        for (Eigen::Index i = 0; i < layers[0].weights.size(); ++i)
            if (rng.bernoulli(0.75)) layers[0].weights.data()[i] = 0;
        layers[1].weights.setIdentity();
        const ReluNetwork network(std::move(layers));
        const Relaxation relaxation(network, domain);
        const std::vector<NeuronBounds> bounds = all_interval_bounds(network, domain);
        for (Eigen::Index neuron = 0; neuron < 8; ++neuron) {
            const auto weights = network.layers()[0].weights.row(neuron);
            const auto only = [&](Eigen::Index first, Eigen::Index count) {
                return (weights.segment(first, count).array() != 0).any() &&
                       (weights.array() != 0).count() == (weights.segment(first, count).array() != 0).count();
            };
            // Columns: real, whole, two binary ones, a group of three, a group of two.
            EXPECT_EQ(relaxation.is_linear(0, neuron), only(2, 1) || only(3, 1) || only(4, 3) || only(7, 2));
            if (!relaxation.is_linear(0, neuron)) continue;
            ++linear;
            const AffineFunction above = relaxation.above({0, Vector::Unit(8, neuron), 0}, bounds);
            EXPECT_EQ(-above, relaxation.above({0, -Vector::Unit(8, neuron), 0}, bounds));
            for (int i = 0; i < 20; ++i) {
                const Vector row = test::uniform_row(rng, domain);
                const auto value =
                    static_cast<double>(test::wide_forward(network, row)[0][static_cast<std::size_t>(neuron)]);
                EXPECT_NEAR(above(row), std::max(value, 0.0), 1e-14);
            }
        }
    }
    EXPECT_GT(linear, 200);
}

TEST(ForwardErrors, AreNeverExceededInAnyLayer) {
    for (std::uint64_t round = 0; round < 150; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test, 4);
        std::vector<Layer> layers =
            test::random_network(rng, test::random_widths(rng, round % 6, round % 10 == 0 ? 100 : 12, 3)).layers();
        const double spread = round % 3 == 0 ? 6 : 0;  // weights of very different sizes
        for (Layer& layer : layers) {
            for (double& weight : layer.weights.reshaped()) weight *= std::pow(10, spread * rng.normal() / 2);
            if (round % 2 == 0) layer.bias -= layer.weights.rowwise().sum() * rng.uniform();  // cancels
        }
        const ReluNetwork network(std::move(layers));
        Domain domain = test::box_domain(network.inputs(), 0, 0);
        for (Eigen::Index i = 0; i < domain.inputs(); ++i) {
            domain.lower[i] = -std::exp(3 * rng.normal());
            domain.upper[i] = std::exp(3 * rng.normal());
        }
        const std::vector<Vector> errors = forward_errors(network, magnitudes(domain));
        ASSERT_EQ(errors.size(), network.layers().size());
        for (int i = 0; i < 20; ++i) {
            const Vector row = test::random_row(rng, domain);
            const auto values = test::wide_forward(network, row);
            for (std::size_t layer = 0; layer < errors.size(); ++layer) {
                // The network up to this layer, whose neurons become its outputs.
                const auto end = network.layers().begin() + static_cast<std::ptrdiff_t>(layer) + 1;
                const Matrix computed = forward(ReluNetwork({network.layers().begin(), end}), row.transpose());
                for (Eigen::Index neuron = 0; neuron < computed.cols(); ++neuron) {
                    const test::Wide error = values[layer][static_cast<std::size_t>(neuron)] - computed(0, neuron);
                    EXPECT_LE(std::abs(static_cast<double>(error)), errors[layer][neuron]);
                }
            }
        }
    }
}

}  // namespace
}  // namespace polyrx
