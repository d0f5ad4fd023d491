// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/big_m.hpp"

#include <algorithm>
#include <cmath>

#include "polyrx/network/forward_error.hpp"
#include "polyrx/network/relaxation.hpp"

namespace polyrx {
namespace {

std::vector<NeuronBounds> neuron_bounds(const Relaxation& relaxation, const Domain& domain) {
    std::vector<NeuronBounds> bounds;
    for (std::size_t layer = 0; layer < relaxation.hidden_layers(); ++layer) {
        NeuronBounds found = interval_bounds(relaxation.network(), domain, layer, bounds);
        for (Eigen::Index neuron = 0; layer > 0 && neuron < found.lower.size(); ++neuron) {
            const LayerFunction value = relaxation.neuron(layer, neuron);
            found.upper[neuron] = std::min(found.upper[neuron], maximum(domain, relaxation.above(value, bounds)));
            found.lower[neuron] = std::max(found.lower[neuron], -maximum(domain, relaxation.above(-value, bounds)));
        }
        bounds.push_back(std::move(found));
    }
    return bounds;
}

}  // namespace

double sufficient_big_m(const ReluNetwork& network, const Domain& domain, std::uint64_t forbidden) {
    const Relaxation relaxation(network, domain);
    const std::vector<NeuronBounds> bounds = neuron_bounds(relaxation, domain);
    double largest = 0;
    for (Eigen::Index i = 0; i < network.outputs(); ++i) {
        if ((forbidden >> i & 1) == 0) continue;
        for (Eigen::Index j = 0; j < network.outputs(); ++j)
            if (j != i)
                largest =
                    std::max(largest, maximum(domain, relaxation.above(relaxation.outcome_difference(j, i), bounds)));
    }
    // A margin for rounding of the outcomes and of their sums with big-M.
    const double rounding = forward_errors(network, magnitudes(domain)).back().maxCoeff();
    return largest + 4 * rounding + 1e-9 * std::max(largest, 1.0);
}

double crude_big_m(const ReluNetwork& network, const Domain& domain) {
    double weight = 0;
    double bias = 0;
    for (const Layer& layer : network.layers()) {
        weight = std::max(weight, layer.weights.cwiseAbs().maxCoeff());
        bias = std::max(bias, layer.bias.cwiseAbs().maxCoeff());
    }
    double inputs = magnitudes(domain).sum();  // sum over the layer
    double value = 0;
    for (const Layer& layer : network.layers()) {
        value = weight * inputs + bias;
        inputs = value * static_cast<double>(layer.weights.rows());
    }
    return 2 * value;
}

}  // namespace polyrx
