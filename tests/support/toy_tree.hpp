// SPDX-License-Identifier: Apache-2.0
// Example 1 of the paper as a network, and as a tree with certificates made by hand.
#pragma once

#include <utility>
#include <vector>

#include "polyrx/network/relu_network.hpp"
#include "polyrx/tree/tree.hpp"
#include "tests/support/domains.hpp"

namespace polyrx::test {

inline Vector vector_of(const std::vector<double>& values) {
    return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

inline Layer layer_of(const std::vector<std::vector<double>>& weights, const std::vector<double>& bias) {
    Layer layer{Matrix(static_cast<Eigen::Index>(weights.size()), static_cast<Eigen::Index>(weights[0].size())),
                vector_of(bias)};
    for (std::size_t i = 0; i < weights.size(); ++i)
        layer.weights.row(static_cast<Eigen::Index>(i)) = vector_of(weights[i]).transpose();
    return layer;
}

inline BoundProof neuron_bound(int layer, int index, bool upper, std::vector<Multiplier> multipliers) {
    return {BoundProof::Of::neuron, layer, index, upper, std::move(multipliers)};
}
inline BoundProof input_bound(int index, bool upper, std::vector<Multiplier> multipliers) {
    return {BoundProof::Of::input, 0, index, upper, std::move(multipliers)};
}
inline Node split_node(const std::vector<double>& weights, double constant, int yes, int no) {
    return {Split{{vector_of(weights), constant}, 1e-12, {}, yes, no}};
}
inline Node leaf_node(int treatment, std::vector<ProofStep> steps, const std::vector<double>& inside = {}) {
    return {Leaf{treatment, Certificate{std::move(steps)}, vector_of(inside)}};
}

// A tree of one leaf.
inline Tree lone_leaf(Domain domain, int treatment, std::vector<ProofStep> steps = {ProofStep{}}) {
    Tree tree;
    tree.domain = std::move(domain);
    tree.nodes = {leaf_node(treatment, std::move(steps))};
    return tree;
}

// f_0 - f_1 = -relu(x1 - x2) + 3 relu(x1 + x2 - 0.5)
inline ReluNetwork toy_network() {
    return ReluNetwork({layer_of({{1, -1}, {1, 1}}, {0, -0.5}), layer_of({{-0.5, 2}, {0.5, -1}}, {0, 0})});
}

// Nodes: 0 is neuron 0; 1 and 2 are neuron 1, where neuron 0 is on and off; 3 compares the outcomes where both are on.
inline Tree toy_tree() {
    const auto on = [](int neuron) { return neuron_bound(0, neuron, false, {{neuron, 1}}); };
    const auto off = [](int neuron) { return neuron_bound(0, neuron, true, {{neuron, 1}}); };
    Tree tree;
    tree.domain = box_domain(2, 0, 1);
    tree.nodes = {
        split_node({1, -1}, 0, 1, 2),
        split_node({1, 1}, -0.5, 3, 4),
        split_node({1, 1}, -0.5, 5, 6),
        split_node({2, 4}, -1.5, 7, 8),
        // f_0 - f_1 = -z_0, and z_0 is above the guard.
        leaf_node(0, {{{on(0), off(1)}, {{1, {{0, 1}}}}, {}}}, {0.3, 0.1}),
        // f_1 - f_0 = -3 z_1
        leaf_node(1, {{{off(0), on(1)}, {{0, {{1, 3}}}}, {}}}, {0.2, 0.5}),
        // Both are 0: a tie.
        leaf_node(0, {{{off(0), off(1)}, {}, {}}}, {0.1, 0.2}),
        leaf_node(1, {{{on(0), on(1)}, {{0, {{2, 1}}}}, {}}}, {0.5, 0.2}),
        leaf_node(0, {{{on(0), on(1)}, {{1, {{2, 1}}}}, {}}}, {0.5, 0.1}),
    };
    return tree;
}

}  // namespace polyrx::test
