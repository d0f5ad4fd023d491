// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/affine_piece.hpp"

#include <fmt/format.h>

#include "polyrx/core/error.hpp"

namespace polyrx {

Pattern activation_pattern(const ReluNetwork& network, const Eigen::Ref<const Vector>& row) {
    if (row.size() != network.inputs())
        throw usage_error(fmt::format("the network takes {} inputs, not {}", network.inputs(), row.size()));
    Pattern pattern;
    Vector values = row;
    for (std::size_t i = 0; i + 1 < network.layers().size(); ++i) {
        const Layer& layer = network.layers()[i];
        Vector next(layer.weights.rows());
        std::vector<char>& on = pattern.emplace_back(static_cast<std::size_t>(next.size()));
        for (Eigen::Index neuron = 0; neuron < next.size(); ++neuron) {
            // Same order of summation as forward(): from 0, in input order, bias last. An Eigen product uses another
            // order.
            double sum = 0;
            for (Eigen::Index input = 0; input < values.size(); ++input)
                sum += layer.weights(neuron, input) * values[input];
            sum += layer.bias[neuron];
            on[static_cast<std::size_t>(neuron)] = sum > 0;
            next[neuron] = sum > 0 ? sum : 0;
        }
        values = std::move(next);
    }
    return pattern;
}

std::vector<AffineFunction> affine_neurons(const ReluNetwork& network, const Pattern& pattern, std::size_t layer) {
    if (layer >= network.layers().size() || pattern.size() < layer)
        throw usage_error(fmt::format("there is no layer {} in the network or its pattern", layer));
    // Backward from the layer to the inputs: W, then W D W', where D is 1 for active neurons. Narrow layers such as the
    // outcomes then need no product of two wide layers.
    Matrix weights = network.layers()[layer].weights;
    Vector constants = network.layers()[layer].bias;
    for (std::size_t below = layer; below-- > 0;) {
        const Layer& before = network.layers()[below];
        Matrix next = Matrix::Zero(weights.rows(), before.weights.cols());
        for (Eigen::Index neuron = 0; neuron < weights.rows(); ++neuron)
            for (Eigen::Index from = 0; from < weights.cols(); ++from) {
                const double factor = weights(neuron, from);
                if (!pattern[below][static_cast<std::size_t>(from)] || factor == 0) continue;
                next.row(neuron) += factor * before.weights.row(from);
                constants[neuron] += factor * before.bias[from];
            }
        weights = std::move(next);
    }
    std::vector<AffineFunction> functions;
    for (Eigen::Index neuron = 0; neuron < weights.rows(); ++neuron)
        functions.push_back({weights.row(neuron), constants[neuron]});
    return functions;
}

std::vector<AffineFunction> affine_outcomes(const ReluNetwork& network, const Pattern& pattern) {
    return affine_neurons(network, pattern, network.layers().size() - 1);
}

}  // namespace polyrx
