// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/parameters.hpp"

#include <cmath>

#include "polyrx/core/rng.hpp"

namespace polyrx {

ParameterLayout::ParameterLayout(std::vector<Eigen::Index> widths) : widths_(std::move(widths)), offsets_{0} {
    for (std::size_t layer = 0; layer < layers(); ++layer)
        offsets_.push_back(offsets_.back() + static_cast<std::size_t>((inputs(layer) + 1) * neurons(layer)));
}

ParameterLayout::Weights ParameterLayout::weights(std::vector<float>& flat, std::size_t layer) const {
    return {flat.data() + offsets_[layer], inputs(layer), neurons(layer)};
}

ParameterLayout::Biases ParameterLayout::biases(std::vector<float>& flat, std::size_t layer) const {
    return {flat.data() + offsets_[layer] + inputs(layer) * neurons(layer), neurons(layer)};
}

std::vector<float> initial_parameters(const ParameterLayout& layout, std::uint64_t seed) {
    std::vector<float> flat(layout.size());
    for (std::size_t layer = 0; layer < layout.layers(); ++layer) {
        Rng rng(seed, Draw::weights, layer);
        const double reach = 1 / std::sqrt(static_cast<double>(layout.inputs(layer)));
        auto weights = layout.weights(flat, layer);
        for (Eigen::Index i = 0; i < weights.size(); ++i)
            weights.data()[i] = static_cast<float>(rng.uniform(-reach, reach));
        for (float& bias : layout.biases(flat, layer)) bias = static_cast<float>(rng.uniform(-reach, reach));
    }
    return flat;
}

ReluNetwork to_network(const ParameterLayout& layout, std::vector<float> parameters) {
    std::vector<Layer> layers;
    for (std::size_t layer = 0; layer < layout.layers(); ++layer)
        layers.push_back({layout.weights(parameters, layer).transpose().cast<double>(),
                          layout.biases(parameters, layer).transpose().cast<double>()});
    return ReluNetwork(std::move(layers));
}

}  // namespace polyrx
