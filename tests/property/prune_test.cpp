// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/prune.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/extract/cells/stable_neurons.hpp"
#include "polyrx/network/affine_piece.hpp"
#include "polyrx/network/forward_error.hpp"
#include "tests/support/domains.hpp"
#include "tests/support/planted_network.hpp"
#include "tests/support/random_domain.hpp"

namespace polyrx {
namespace {

constexpr NeuronState varies = NeuronState::varies;
constexpr NeuronState on = NeuronState::on;
constexpr NeuronState off = NeuronState::off;

Matrix rows_of(Rng& rng, const Domain& domain, Eigen::Index count) {
    Matrix rows(count, domain.inputs());
    for (Eigen::Index row = 0; row < count; ++row) rows.row(row) = test::random_row(rng, domain);
    return rows;
}

std::vector<Eigen::Index> hidden_widths(const ReluNetwork& network) {
    std::vector<Eigen::Index> widths;
    for (std::size_t layer = 0; layer + 1 < network.layers().size(); ++layer)
        widths.push_back(network.layers()[layer].bias.size());
    return widths;
}

std::size_t neurons(const ReluNetwork& network) {
    Eigen::Index sum = 0;
    for (const Eigen::Index width : hidden_widths(network)) sum += width;
    return static_cast<std::size_t>(sum);
}

std::size_t count(const NeuronStates& states, NeuronState state) {
    std::size_t sum = 0;
    for (const auto& layer : states) sum += static_cast<std::size_t>(std::ranges::count(layer, state));
    return sum;
}

// How far outcomes may lie apart when both networks are the same function in real numbers.
double rounding_of(const ReluNetwork& a, const ReluNetwork& b, const Domain& domain) {
    const Vector largest = magnitudes(domain);
    // The weights of the new network are rounded sums themselves: as much again, and some more for products of layers.
    return 4 * (forward_errors(a, largest).back().maxCoeff() + forward_errors(b, largest).back().maxCoeff());
}

// A random case: one to four hidden layers, domains with whole numbers and groups.
struct PrunedCase {
    Rng rng;
    Domain domain;
    test::Planted planted;

    PrunedCase(std::uint64_t round, double stable)
        : rng(round, Draw::test),
          domain(round % 2 == 0 ? test::random_domain(rng, 1 + static_cast<Eigen::Index>(rng.below(7)))
                                : test::mixed_domain(static_cast<Eigen::Index>(rng.below(3)))) {
        std::vector<Eigen::Index> widths = test::random_widths(rng, 1 + round % 4, 12, 3);
        widths.front() = domain.inputs();
        planted = test::planted_network(rng, widths, domain, stable);
    }
};

TEST(Prune, KeepsEveryOutcomeUpToRounding) {
    for (std::uint64_t round = 0; round < 400; ++round) {
        PrunedCase random(round, round % 3 == 0 ? 0.9 : 0.5);
        const auto& [network, states] = random.planted;
        const ReluNetwork pruned = prune(network, states, random.domain);
        const Matrix rows = rows_of(random.rng, random.domain, 200);
        EXPECT_LE((forward(network, rows) - forward(pruned, rows)).cwiseAbs().maxCoeff(),
                  rounding_of(network, pruned, random.domain))
            << "round " << round;
    }
}

TEST(Prune, LeavesNoNeuronThatIsOffOrUnreadOrReadsNothing) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        PrunedCase random(round, 0.6);
        const auto& [network, states] = random.planted;
        const ReluNetwork pruned = prune(network, states, random.domain);
        EXPECT_LE(neurons(pruned), neurons(network) - count(states, off));
        for (std::size_t layer = 0; layer + 1 < pruned.layers().size(); ++layer) {
            const Matrix& in = pruned.layers()[layer].weights;
            const Matrix& out = pruned.layers()[layer + 1].weights;
            for (Eigen::Index i = 0; i < in.rows(); ++i) {
                EXPECT_TRUE((in.row(i).array() != 0).any());
                EXPECT_TRUE((out.col(i).array() != 0).any());
            }
        }
    }
}

TEST(Prune, LeavesNoMoreAlwaysOnNeuronsThanTheNextLayerOrTheLayerBeforeHas) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        PrunedCase random(round, 0.8);
        const auto& [network, states] = random.planted;
        const ReluNetwork pruned = prune(network, states, random.domain);
        // Neurons that were not known to be on are at most those that vary; the rest of a layer carries.
        const Eigen::Index varying = static_cast<Eigen::Index>(count(states, varies));
        for (std::size_t layer = 0; layer + 1 < pruned.layers().size(); ++layer)
            EXPECT_LE(pruned.layers()[layer].bias.size(), varying + std::min(pruned.layers()[layer].weights.cols(),
                                                                             pruned.layers()[layer + 1].bias.size()));
    }
}

TEST(Prune, DoneAgainRemovesMoreOrNothingAndIsStillTheSameFunction) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        PrunedCase random(round, 0.6);
        const ReluNetwork& network = random.planted.network;
        const ReluNetwork once = prune(network, proved_states(network, random.domain), random.domain);
        // Where layers have gone, bounds are tighter, and may prove what they did not before.
        const ReluNetwork twice = prune(once, proved_states(once, random.domain), random.domain);
        EXPECT_LE(neurons(twice), neurons(once)) << "round " << round;
        const Matrix rows = rows_of(random.rng, random.domain, 50);
        EXPECT_LE((forward(network, rows) - forward(twice, rows)).cwiseAbs().maxCoeff(),
                  rounding_of(network, once, random.domain) + rounding_of(once, twice, random.domain))
            << "round " << round;
    }
}

TEST(Prune, OfANetworkWhoseNeuronsAllAreStableIsAffine) {
    for (std::uint64_t round = 0; round < 100; ++round) {
        PrunedCase random(round, 1);
        const auto& [network, states] = random.planted;
        const ReluNetwork pruned = prune(network, states, random.domain);
        ASSERT_EQ(pruned.layers().size(), 1U);
        const Matrix rows = rows_of(random.rng, random.domain, 50);
        EXPECT_LE((forward(network, rows) - forward(pruned, rows)).cwiseAbs().maxCoeff(),
                  rounding_of(network, pruned, random.domain));
    }
}

TEST(Prune, ChangesNothingWhereNothingIsKnown) {
    Rng rng(3, Draw::test);
    const ReluNetwork network = test::random_network(rng, {4, 6, 5, 3});
    const NeuronStates nothing = {std::vector(6, varies), std::vector(5, varies)};
    EXPECT_EQ(prune(network, nothing, test::box_domain(4, -1, 1)), network);
    const ReluNetwork affine = test::random_network(rng, {4, 3});
    EXPECT_EQ(prune(affine, {}, test::box_domain(4, -1, 1)), affine);
}

TEST(Prune, OfANetworkThatIsOffThroughoutAnswersWithItsBias) {
    Rng rng(4, Draw::test);
    const ReluNetwork network = test::random_network(rng, {4, 6, 5, 3});
    const NeuronStates last_off = {std::vector(6, varies), std::vector(5, off)};
    const ReluNetwork constant({Layer{Matrix::Zero(3, 4), network.layers().back().bias}});
    EXPECT_EQ(prune(network, last_off, test::box_domain(4, -1, 1)), constant);
    // A first layer that is off leaves the second with its biases alone.
    const NeuronStates first_off = {std::vector(6, off), std::vector(5, varies)};
    const ReluNetwork biases = prune(network, first_off, test::box_domain(4, -1, 1));
    EXPECT_EQ(hidden_widths(biases), std::vector<Eigen::Index>());
    const Layer& output = network.layers().back();
    const Vector expected = output.weights * network.layers()[1].bias.cwiseMax(0) + output.bias;
    EXPECT_LT((biases.layers().front().bias - expected).cwiseAbs().maxCoeff(), 1e-14);
}

// Many neurons of one layer are on; as few carry them as there are outcomes, or inputs.
TEST(Prune, CarriesManyAlwaysOnNeuronsWithAFew) {
    Rng rng(5, Draw::test);
    for (const auto& [inputs, outputs] : {std::pair{8, 2}, {2, 8}}) {
        const Domain domain = test::box_domain(inputs, -1, 2);
        std::vector<Layer> layers = test::random_network(rng, {inputs, 20, outputs}).layers();
        NeuronStates states = {std::vector(20, varies)};
        for (Eigen::Index i = 3; i < 20; ++i) {
            layers[0].bias[i] = 0.5 + 2 * layers[0].weights.row(i).cwiseAbs().sum();
            states[0][static_cast<std::size_t>(i)] = on;
        }
        const ReluNetwork network(layers);
        const ReluNetwork pruned = prune(network, states, domain);
        EXPECT_EQ(hidden_widths(pruned), (std::vector<Eigen::Index>{3 + 2}));
        const NeuronStates again = proved_states(pruned, domain);
        EXPECT_EQ(std::vector(again.front().end() - 2, again.front().end()), std::vector(2, on));
        const Matrix rows = rows_of(rng, domain, 300);
        EXPECT_LT((forward(network, rows) - forward(pruned, rows)).cwiseAbs().maxCoeff(), 1e-12);
    }
}

TEST(Prune, RefusesStatesOfAnotherNetwork) {
    Rng rng(6, Draw::test);
    const ReluNetwork network = test::random_network(rng, {4, 6, 3});
    EXPECT_THROW((void)prune(network, {}, test::box_domain(4, 0, 1)), Error);
    EXPECT_THROW((void)prune(network, {std::vector(5, off)}, test::box_domain(4, 0, 1)), Error);
    EXPECT_THROW((void)prune(network, {std::vector(6, off)}, test::box_domain(3, 0, 1)), Error);
}

// Rows where a neuron of the first layer is largest and smallest: the vertices that a linear program would find.
Matrix vertices_of(const ReluNetwork& network, const Domain& domain) {
    const Matrix& weights = network.layers().front().weights;
    Matrix rows(2 * weights.rows(), weights.cols());
    for (Eigen::Index row = 0; row < rows.rows(); ++row) {
        const Vector towards = (row % 2 == 0 ? 1.0 : -1.0) * weights.row(row / 2);
        Vector x = (towards.array() > 0).select(domain.upper, domain.lower);
        for (const auto& group : domain.groups) {
            Eigen::Index best = group.front();
            for (const Eigen::Index member : group) {
                x[member] = 0;
                if (towards[member] > towards[best]) best = member;
            }
            x[best] = 1;
        }
        rows.row(row) = x;
    }
    return rows;
}

TEST(ProvedStates, AreNeverContradictedByARow) {
    for (std::uint64_t round = 0; round < 300; ++round) {
        PrunedCase random(round, 0.4);
        const ReluNetwork& network = random.planted.network;
        const NeuronStates proved = proved_states(network, random.domain);
        ASSERT_EQ(proved.size() + 1, network.layers().size());
        for (const Matrix& rows : {vertices_of(network, random.domain), rows_of(random.rng, random.domain, 100)})
            for (Eigen::Index row = 0; row < rows.rows(); ++row) {
                const Pattern pattern = activation_pattern(network, rows.row(row).transpose());
                for (std::size_t layer = 0; layer < proved.size(); ++layer)
                    for (std::size_t i = 0; i < proved[layer].size(); ++i)
                        ASSERT_TRUE(proved[layer][i] == varies || (proved[layer][i] == on) == (pattern[layer][i] != 0))
                            << "round " << round;
            }
    }
}

TEST(ProvedStates, FindWhatIntervalsFind) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        const PrunedCase random(round, 0.5);
        const NeuronStates proved = proved_states(random.planted.network, random.domain);
        for (std::size_t layer = 0; layer < proved.size(); ++layer)
            for (std::size_t i = 0; i < proved[layer].size(); ++i)
                EXPECT_TRUE(random.planted.states[layer][i] == varies ||
                            random.planted.states[layer][i] == proved[layer][i])
                    << "round " << round;
    }
}

TEST(ProvedStates, DecideTheFirstLayerExactly) {
    for (std::uint64_t round = 0; round < 100; ++round) {
        const PrunedCase random(round, 0.3);
        const ReluNetwork& network = random.planted.network;
        const Layer& first = network.layers().front();
        const NeuronStates proved = proved_states(network, random.domain);
        const Matrix corners = vertices_of(network, random.domain);
        for (Eigen::Index i = 0; i < first.bias.size(); ++i) {
            const AffineFunction neuron{first.weights.row(i), first.bias[i]};
            const double high = neuron(corners.row(2 * i).transpose());
            const double low = neuron(corners.row(2 * i + 1).transpose());
            const NeuronState state = high < -1e-9 ? off : low > 1e-9 ? on : varies;
            if (std::abs(high) < 1e-9 || std::abs(low) < 1e-9) continue;
            EXPECT_EQ(proved.front()[static_cast<std::size_t>(i)], state) << "round " << round;
        }
    }
}

TEST(ProvedStates, LeaveANeuronThatOnlyTouchesZero) {
    // relu(x) on 0..1 is 0 at one end; rounding decides what a neuron that ends at 0.1 + 0.2 - 0.3 is.
    const ReluNetwork network({Layer{Matrix{{1.0, 0.0}, {0.1, 0.2}}, Vector{{0.0, -0.3}}},
                               Layer{Matrix{{1.0, 2.0}, {3.0, -1.0}}, Vector::Zero(2)}});
    EXPECT_EQ(proved_states(network, test::box_domain(2, 0, 1)), (NeuronStates{{varies, varies}}));
}

TEST(SeenStates, AreThoseOfTheActivationPatterns) {
    for (std::uint64_t round = 0; round < 50; ++round) {
        PrunedCase random(round, 0.4);
        const ReluNetwork& network = random.planted.network;
        const Matrix rows = rows_of(random.rng, random.domain, round == 0 ? 5000 : 6);
        const NeuronStates seen = seen_states(network, rows);
        std::vector<Pattern> patterns;
        for (Eigen::Index row = 0; row < rows.rows(); ++row)
            patterns.push_back(activation_pattern(network, rows.row(row).transpose()));
        for (std::size_t layer = 0; layer < seen.size(); ++layer)
            for (std::size_t i = 0; i < seen[layer].size(); ++i) {
                const auto is_on = [&](const Pattern& pattern) { return pattern[layer][i] != 0; };
                EXPECT_EQ(seen[layer][i], std::ranges::all_of(patterns, is_on)    ? on
                                          : std::ranges::none_of(patterns, is_on) ? off
                                                                                  : varies);
            }
    }
}

TEST(SeenStates, GiveANetworkThatIsExactOnTheRowsSeen) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        PrunedCase random(round, 0.2);
        const ReluNetwork& network = random.planted.network;
        const Matrix rows = rows_of(random.rng, random.domain, 5);
        const ReluNetwork pruned = prune(network, seen_states(network, rows), random.domain);
        EXPECT_LE((forward(network, rows) - forward(pruned, rows)).cwiseAbs().maxCoeff(),
                  rounding_of(network, pruned, random.domain))
            << "round " << round;
    }
}

TEST(SeenStates, NeedARow) {
    Rng rng(8, Draw::test);
    EXPECT_THROW((void)seen_states(test::random_network(rng, {4, 6, 3}), Matrix(0, 4)), Error);
}

}  // namespace
}  // namespace polyrx
