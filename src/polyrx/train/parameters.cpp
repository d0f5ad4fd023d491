// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "polyrx/core/rng.hpp"

namespace polyrx {

ParameterLayout::ParameterLayout(const std::vector<Eigen::Index>& widths) : offsets_{0} {
    for (std::size_t layer = 0; layer + 1 < widths.size(); ++layer) {
        const LayerShape shape{static_cast<std::size_t>(widths[layer]), static_cast<std::size_t>(widths[layer + 1])};
        shapes_.push_back(shape);
        offsets_.push_back(offsets_.back() + (shape.inputs + 1) * padded(shape.neurons));
    }
}

ParameterLayout::ParameterLayout(Eigen::Index inputs, const std::vector<int>& hidden, int outputs)
    : ParameterLayout([&] {
          std::vector<Eigen::Index> widths = {inputs};
          widths.insert(widths.end(), hidden.begin(), hidden.end());
          widths.push_back(outputs);
          return widths;
      }()) {}

std::size_t ParameterLayout::bias_offset(std::size_t layer) const {
    return offsets_[layer] + shapes_[layer].inputs * padded(shapes_[layer].neurons);
}

ParameterLayout::Weights ParameterLayout::weights(AlignedFloats& flat, std::size_t layer) const {
    const LayerShape& shape = shapes_[layer];
    return {flat.data() + offset(layer), static_cast<Eigen::Index>(shape.inputs),
            static_cast<Eigen::Index>(shape.neurons),
            Eigen::OuterStride<>(static_cast<Eigen::Index>(padded(shape.neurons)))};
}

ParameterLayout::Biases ParameterLayout::biases(AlignedFloats& flat, std::size_t layer) const {
    return {flat.data() + bias_offset(layer), static_cast<Eigen::Index>(shapes_[layer].neurons)};
}

AlignedFloats initial_parameters(const ParameterLayout& layout, std::uint64_t seed) {
    AlignedFloats flat(layout.size());
    for (std::size_t layer = 0; layer < layout.layers(); ++layer) {
        Rng rng(seed, Draw::weights, layer);
        const std::size_t fan_in = std::max(layout.shape(layer).inputs, std::size_t{1});  // biases need no inputs
        const double reach = 1 / std::sqrt(static_cast<double>(fan_in));
        const auto draw = [&] { return static_cast<float>(rng.uniform(-reach, reach)); };
        auto weights = layout.weights(flat, layer);
        for (Eigen::Index input = 0; input < weights.rows(); ++input)
            for (Eigen::Index neuron = 0; neuron < weights.cols(); ++neuron) weights(input, neuron) = draw();
        for (float& bias : layout.biases(flat, layer)) bias = draw();
    }
    return flat;
}

ReluNetwork to_network(const ParameterLayout& layout, AlignedFloats parameters) {
    std::vector<Layer> layers;
    for (std::size_t layer = 0; layer < layout.layers(); ++layer)
        layers.push_back({layout.weights(parameters, layer).transpose().cast<double>(),
                          layout.biases(parameters, layer).transpose().cast<double>()});
    return ReluNetwork(std::move(layers));
}

}  // namespace polyrx
