// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "polyrx/core/infinity.hpp"
#include "polyrx/verify/check_tree.hpp"
#include "polyrx/verify/linear_bounds.hpp"
#include "polyrx/verify/rounding.hpp"
#include "tests/support/random_domain.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/toy_tree.hpp"
#include "tests/support/wide_forward.hpp"

namespace polyrx {
namespace {

using checking::Interval;
using checking::Known;
using checking::LinearBounds;
using checking::LinearForm;
using test::Wide;

Wide wide_value(const AffineFunction& function, const Vector& row) {
    Wide sum = function.constant;
    for (Eigen::Index j = 0; j < row.size(); ++j) sum += Wide(function.weights[j]) * Wide(row[j]);
    return sum;
}

Wide distance(Wide a, Wide b) {
    return a < b ? b - a : a - b;
}

TEST(LinearBounds, HoldTheValueOfEveryNeuron) {
    for (std::uint64_t round = 0; round < 60; ++round) {
        Rng rng(round, Draw::test);
        const ReluNetwork network = test::random_network(rng, test::random_widths(rng, 1 + round % 5, 9, 3));
        const Domain domain = test::random_domain(rng, network.inputs());
        const LinearBounds bounds(network, domain);
        const Known known = bounds.of_domain();
        ASSERT_FALSE(known.is_empty());
        for (int i = 0; i < 200; ++i) {
            const Vector row = test::random_row(rng, domain);
            ASSERT_TRUE(contains(domain, row));
            const auto values = test::wide_forward(network, row);
            for (std::size_t layer = 0; layer < known.neurons.size(); ++layer)
                for (std::size_t j = 0; j < values[layer].size(); ++j) {
                    EXPECT_LE(Wide(known.neurons[layer][j].lower), values[layer][j]);
                    EXPECT_GE(Wide(known.neurons[layer][j].upper), values[layer][j]);
                }
        }
    }
}

TEST(LinearBounds, StillHoldOfTheRowsThatRememberedBoundsLeave) {
    // Narrow one input and one neuron by decree; rows that keep to the decree keep to what follows from it.
    int kept = 0;
    for (std::uint64_t round = 0; round < 60; ++round) {
        Rng rng(round, Draw::test, 1);
        const ReluNetwork network = test::random_network(rng, test::random_widths(rng, 2 + round % 3, 7, 3));
        const Domain domain = test::random_domain(rng, network.inputs());
        const LinearBounds bounds(network, domain);
        Known known = bounds.of_domain();
        const Vector inside = test::random_row(rng, domain);
        const auto there = test::wide_forward(network, inside);
        const auto input = static_cast<Eigen::Index>(rng.below(static_cast<std::uint64_t>(network.inputs())));
        known.box.narrow_upper(input, inside[input]);
        const std::size_t neuron = rng.below(there[0].size());
        known.neurons[0][neuron].lower =
            std::max(known.neurons[0][neuron].lower, static_cast<double>(there[0][neuron]) - 0.1);
        const Interval decree = known.neurons[0][neuron];
        for (std::size_t layer = 0; layer < known.neurons.size(); ++layer) bounds.narrow_layer(known, layer);
        for (int i = 0; i < 300; ++i) {
            Vector row = i == 0 ? inside : test::random_row(rng, domain);
            const auto values = test::wide_forward(network, row);
            if (row[input] > inside[input] || values[0][neuron] < Wide(decree.lower)) continue;
            ++kept;
            for (std::size_t layer = 0; layer < known.neurons.size(); ++layer)
                for (std::size_t j = 0; j < values[layer].size(); ++j) {
                    EXPECT_LE(Wide(known.neurons[layer][j].lower), values[layer][j]);
                    EXPECT_GE(Wide(known.neurons[layer][j].upper), values[layer][j]);
                }
        }
    }
    EXPECT_GT(kept, 1000);
}

TEST(LinearBounds, AreNowhereBelowTheForm) {
    for (std::uint64_t round = 0; round < 60; ++round) {
        Rng rng(round, Draw::test, 2);
        const ReluNetwork network = test::random_network(rng, test::random_widths(rng, 1 + round % 4, 9, 3));
        const Domain domain = test::random_domain(rng, network.inputs());
        const LinearBounds bounds(network, domain);
        const Known known = bounds.of_domain();
        const std::size_t hidden = network.layers().size() - 1;
        const LinearForm form = bounds.over_inputs(bounds.neuron(hidden, 0), hidden, known);
        const double most = greatest(form, known.box);
        for (int i = 0; i < 200; ++i) {
            const Vector row = test::random_row(rng, domain);
            Wide bound = form.constant.upper;
            for (Eigen::Index j = 0; j < row.size(); ++j) {
                const Interval r = form.weights[static_cast<std::size_t>(j)];
                bound += Wide(row[j] > 0 ? r.upper : r.lower) * Wide(row[j]);
            }
            EXPECT_GE(bound, test::wide_forward(network, row).back()[0]);
            EXPECT_GE(Wide(most), bound);
        }
    }
}

TEST(SplitError, IsNeverExceededInWhateverOrder) {
    for (std::uint64_t round = 0; round < 300; ++round) {
        Rng rng(round, Draw::test);
        const auto inputs = 1 + static_cast<Eigen::Index>(rng.below(60));
        const Domain domain = test::random_domain(rng, inputs);
        AffineFunction function{test::random_matrix(rng, inputs, 1).col(0), rng.normal()};
        if (round % 5 == 0) function.weights *= 1e-320;  // products underflow
        if (round % 5 == 0) function.constant = 0;
        const double error = split_error(function, checking::Box(domain));
        for (int i = 0; i < 20; ++i) {
            const Vector row = test::random_row(rng, domain);
            const Wide exact = wide_value(function, row);
            double backwards = function.constant;
            double fused = 0;
            for (Eigen::Index j = 0; j < inputs; ++j) {
                backwards = function.weights[inputs - 1 - j] * row[inputs - 1 - j] + backwards;
                fused = std::fma(function.weights[j], row[j], fused);
            }
            for (const double computed : {function(row), backwards, fused + function.constant})
                EXPECT_LE(distance(computed, exact), Wide(error));
        }
    }
}

TEST(ForwardError, IsNeverExceededFromOneNeuronToFiveLayersOfAHundred) {
    const std::vector<std::vector<Eigen::Index>> shapes = {
        {3, 5, 2}, {8, 20, 3}, {4, 3}, {20, 20, 20, 3}, {6, 7, 7, 7, 4}, {40, 100, 100, 100, 100, 100, 3}};
    for (std::uint64_t round = 0; round < 30; ++round) {
        Rng rng(round, Draw::test);
        const auto& shape = shapes[round % shapes.size()];
        ReluNetwork network = test::random_network(rng, shape);
        // Weights of a trained network's size, and biases that cancel what comes in.
        std::vector<Layer> layers = network.layers();
        for (Layer& layer : layers) {
            layer.weights /= std::sqrt(static_cast<double>(layer.weights.cols()));
            layer.bias *= round % 2 ? 100 : 0.1;
        }
        network = ReluNetwork(layers);
        const Domain domain = test::random_domain(rng, network.inputs());
        // Back-substitution in the large network is slow, and its bounds make little difference here.
        Known known = shape.size() > 5 ? Known{checking::Box(domain), {}} : LinearBounds(network, domain).of_domain();
        if (known.neurons.empty())
            for (std::size_t layer = 0; layer + 1 < layers.size(); ++layer)
                known.neurons.emplace_back(static_cast<std::size_t>(layers[layer].weights.rows()),
                                           Interval(-infinity, infinity));
        const checking::ForwardError error = forward_error(network, known);
        const ReluNetwork body = layers.size() < 2 ? network : ReluNetwork({layers.begin(), layers.end() - 1});
        for (int i = 0; i < 20; ++i) {
            const Vector row = test::random_row(rng, domain);
            const Matrix computed = forward(network, row.transpose());
            const auto exact = test::wide_forward(network, row).back();
            for (std::size_t k = 0; k < exact.size(); ++k)
                EXPECT_LE(distance(computed(0, static_cast<Eigen::Index>(k)), exact[k]), Wide(error.outcomes[k]));
            if (layers.size() < 2) continue;
            const Matrix last = forward(body, row.transpose());
            for (std::size_t j = 0; j < error.live.size(); ++j) {
                if (!error.live[j]) {
                    EXPECT_LE(last(0, static_cast<Eigen::Index>(j)), 0);
                }
            }
        }
    }
}

std::vector<Multiplier> random_multipliers(Rng& rng, int constraints) {
    std::vector<Multiplier> multipliers;
    for (int i = 0; i < constraints; ++i)
        if (rng.bernoulli(0.6)) multipliers.push_back({i, rng.bernoulli(0.5) ? 1.0 : rng.uniform(0, 3)});
    return multipliers;
}

ProofStep random_step(Rng& rng, const ReluNetwork& network, int treatment, int constraints) {
    ProofStep step;
    for (int input = 0; input < static_cast<int>(network.inputs()); ++input)
        for (const bool upper : {false, true})
            if (rng.bernoulli(0.3))
                step.bounds.push_back(test::input_bound(input, upper, random_multipliers(rng, constraints)));
    for (int layer = 0; layer + 1 < static_cast<int>(network.layers().size()); ++layer)
        for (int neuron = 0;
             neuron < static_cast<int>(network.layers()[static_cast<std::size_t>(layer)].weights.rows()); ++neuron)
            for (const bool upper : {false, true}) {
                if (rng.bernoulli(0.5)) continue;
                std::vector<Multiplier> multipliers = random_multipliers(rng, constraints);
                if (rng.bernoulli(0.5) && constraints > 0)  // what proves a neuron that was split on
                    multipliers = {{static_cast<int>(rng.below(static_cast<std::uint64_t>(constraints))), 1}};
                step.bounds.push_back(test::neuron_bound(layer, neuron, upper, multipliers));
            }
    for (int rival = 0; rival < static_cast<int>(network.outputs()); ++rival)
        if (rival != treatment && rng.bernoulli(0.8))
            step.comparisons.push_back({rival, random_multipliers(rng, constraints)});
    return step;
}

// A first-layer neuron, or anything.
AffineFunction random_split(Rng& rng, const ReluNetwork& network) {
    const Layer& first = network.layers().front();
    const auto neuron = static_cast<Eigen::Index>(rng.below(static_cast<std::uint64_t>(first.weights.rows())));
    if (rng.bernoulli(0.6)) return {first.weights.row(neuron).transpose(), first.bias[neuron]};
    return {test::random_matrix(rng, network.inputs(), 1).col(0), rng.normal()};
}

Certificate random_certificate(Rng& rng, const ReluNetwork& network, int treatment, int constraints) {
    Certificate certificate{{random_step(rng, network, treatment, constraints)}};
    if (rng.bernoulli(0.4)) {
        certificate.steps[0].cases = Cases{random_split(rng, network), 1, 2};
        for (int i = 0; i < 2; ++i) certificate.steps.push_back(random_step(rng, network, treatment, constraints + 1));
    }
    return certificate;
}

// A full tree of the depth, each leaf with the treatment that the network prescribes to most of the rows there, or now
// and then another. All leaves are certified, most of them wrongly.
Tree random_tree(Rng& rng, const ReluNetwork& network, const Domain& domain, int depth,
                 const std::vector<Vector>& rows) {
    Tree tree;
    tree.domain = domain;
    const int splits = (1 << depth) - 1;
    for (int i = 0; i < splits; ++i)
        tree.nodes.push_back({Split{random_split(rng, network), 1e-10, {}, 2 * i + 1, 2 * i + 2}});
    for (int i = 0; i <= splits; ++i) tree.nodes.push_back({Leaf{}});
    std::vector<std::vector<int>> votes(tree.nodes.size(),
                                        std::vector<int>(static_cast<std::size_t>(network.outputs())));
    for (const Vector& row : rows)
        ++votes[static_cast<std::size_t>(leaf_of(tree, row))]
               [static_cast<std::size_t>(argmin_rows(forward(network, row.transpose())).front())];
    for (std::size_t node = static_cast<std::size_t>(splits); node < tree.nodes.size(); ++node) {
        auto& leaf = std::get<Leaf>(tree.nodes[node].what);
        leaf.treatment =
            static_cast<int>(std::max_element(votes[node].begin(), votes[node].end()) - votes[node].begin());
        if (rng.bernoulli(0.1))
            leaf.treatment = static_cast<int>(rng.below(static_cast<std::uint64_t>(network.outputs())));
        leaf.certificate = random_certificate(rng, network, leaf.treatment, depth);
    }
    return tree;
}

// A sampled row that a certified leaf answers wrongly.
std::optional<Vector> counterexample(const ReluNetwork& network, const Tree& tree, const std::vector<Vector>& rows) {
    for (const Vector& row : rows) {
        const Arrival arrival = descend(tree, row);
        if (!arrival.answered) continue;
        const int treatment = std::get<Leaf>(tree.nodes[static_cast<std::size_t>(arrival.node)].what).treatment;
        if (argmin_rows(forward(network, row.transpose())).front() != treatment) return row;
    }
    return {};
}

TEST(CheckTree, ProvesNothingThatSamplingRefutes) {
    int proved = 0;
    int refuted = 0;
    for (std::uint64_t round = 0; round < 400; ++round) {
        Rng rng(round, Draw::test, 3);
        auto widths = test::random_widths(rng, 1 + round % 2, 3, 2 + static_cast<Eigen::Index>(round % 2));
        const ReluNetwork network = test::random_network(rng, widths);
        const Domain domain = test::random_domain(rng, network.inputs());
        std::vector<Vector> rows;
        for (int i = 0; i < 1500; ++i) rows.push_back(test::random_row(rng, domain));
        const Tree all = random_tree(rng, network, domain, static_cast<int>(round % 4), rows);
        for (std::size_t node = 0; node < all.nodes.size(); ++node) {
            if (!std::holds_alternative<Leaf>(all.nodes[node].what)) continue;
            Tree tree = all;  // one claim at a time
            tree.mode = TreeMode::supported;
            for (std::size_t other = 0; other < all.nodes.size(); ++other)
                if (auto* leaf = std::get_if<Leaf>(&tree.nodes[other].what); leaf && other != node)
                    leaf->certificate.reset();
            const TreeCheck check = check_tree(network, tree);
            const auto wrong = counterexample(network, tree, rows);
            if (check.proved) {
                EXPECT_FALSE(wrong) << "round " << round << ", leaf " << node << " at " << wrong->transpose();
                proved += std::any_of(rows.begin(), rows.end(),
                                      [&](const Vector& row) { return descend(tree, row).answered; });
            }
            if (!check.refuted) continue;
            ++refuted;
            EXPECT_TRUE(counterexample(network, tree, {check.point}));
        }
    }
    // Neither is vacuous: so many claims about leaves with rows were proved, and so many refuted.
    EXPECT_GT(proved, 100);
    EXPECT_GT(refuted, 100);
}

// Whatever is done to a good tree, either it is still right or the checker says that it is not.
TEST(CheckTree, ProvesNoTamperedTreeThatSamplingRefutes) {
    int rejected = 0;
    for (std::uint64_t round = 0; round < 2000; ++round) {
        Rng rng(round, Draw::test, 4);
        Tree tree = test::toy_tree();
        for (Node& node : tree.nodes) {
            if (rng.bernoulli(0.7)) continue;
            const double factor = rng.bernoulli(0.5) ? 1 + 0.1 * rng.normal() : -1;
            if (auto* split = std::get_if<Split>(&node.what)) {
                (rng.bernoulli(0.5) ? split->function.constant : split->function.weights[0]) *= factor;
            } else {
                auto& leaf = std::get<Leaf>(node.what);
                ProofStep& step = leaf.certificate->steps.front();
                if (rng.bernoulli(0.2)) leaf.treatment = 1 - leaf.treatment, step.comparisons.clear();
                if (rng.bernoulli(0.2)) step.bounds.pop_back();
                for (BoundProof& bound : step.bounds)
                    if (rng.bernoulli(0.3)) bound.multipliers[0].value *= std::abs(factor);
            }
        }
        std::vector<Vector> rows;
        for (int i = 0; i < 300; ++i) rows.push_back(test::random_row(rng, tree.domain));
        const bool proved = check_tree(test::toy_network(), tree).proved;
        const auto wrong = counterexample(test::toy_network(), tree, rows);
        EXPECT_FALSE(proved && wrong) << "round " << round;
        rejected += !proved;
    }
    EXPECT_GT(rejected, 500);
}

}  // namespace
}  // namespace polyrx
