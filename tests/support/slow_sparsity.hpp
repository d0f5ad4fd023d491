// SPDX-License-Identifier: Apache-2.0
// The slow, obvious twin of pruning by magnitude, and how sparse a network is.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "polyrx/network/relu_network.hpp"

namespace polyrx::test {

// The `count` largest, ties to the lowest index.
inline std::set<std::size_t> slow_largest(const std::vector<double>& sizes, std::size_t count) {
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
    order.resize(std::min(count, order.size()));
    return {order.begin(), order.end()};
}

inline Vector slow_deviations(const MatrixF& inputs) {
    const Matrix values = inputs.cast<double>();
    const Matrix off = values.rowwise() - values.colwise().mean();
    return (off.colwise().squaredNorm() / static_cast<double>(inputs.rows())).cwiseSqrt();
}

// Limits of 0 are none. Weights of the first layer count `spread` times, by input.
inline ReluNetwork slow_prune(const ReluNetwork& network, std::size_t weights_per_neuron, std::size_t max_features,
                              const Vector& spread) {
    std::vector<Layer> layers = network.layers();
    if (max_features > 0) {
        Matrix& weights = layers.front().weights;
        std::vector<double> strengths;
        for (Eigen::Index i = 0; i < weights.cols(); ++i)
            strengths.push_back((spread[i] * weights.col(i)).squaredNorm());
        const std::set<std::size_t> kept = slow_largest(strengths, max_features);
        for (Eigen::Index i = 0; i < weights.cols(); ++i)
            if (!kept.contains(static_cast<std::size_t>(i))) weights.col(i).setZero();
    }
    if (weights_per_neuron > 0)
        for (std::size_t layer = 0; layer + 1 < layers.size(); ++layer)
            for (Eigen::Index neuron = 0; neuron < layers[layer].bias.size(); ++neuron) {
                auto row = layers[layer].weights.row(neuron);
                std::vector<double> sizes;
                for (Eigen::Index i = 0; i < row.size(); ++i)
                    sizes.push_back(std::abs(row[i]) * (layer == 0 ? spread[i] : 1));
                const std::set<std::size_t> kept = slow_largest(sizes, weights_per_neuron);
                for (Eigen::Index i = 0; i < row.size(); ++i)
                    if (!kept.contains(static_cast<std::size_t>(i))) row[i] = 0;
            }
    return ReluNetwork(std::move(layers));
}

// The fewest and the most weights other than 0 that a neuron of the layer has.
inline std::pair<Eigen::Index, Eigen::Index> weights_per_neuron(const Layer& layer) {
    const auto counts = (layer.weights.array() != 0).rowwise().count().eval();
    return {counts.minCoeff(), counts.maxCoeff()};
}

inline Eigen::Index features_read(const ReluNetwork& network) {
    return (network.layers().front().weights.array() != 0).colwise().any().count();
}

}  // namespace polyrx::test
