// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/step/effect_block.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace polyrx {
namespace {

// The weights from one input to the neurons of a layer, or to treatments.
std::span<float> weights_from(const ParameterLayout& layout, AlignedFloats& values, std::size_t layer,
                              std::size_t input) {
    const LayerShape& shape = layout.shape(layer);
    return std::span(values).subspan(layout.offset(layer) + input * padded(shape.neurons), shape.neurons);
}

float mean_of(std::span<const float> treatments) {
    double sum = 0;  // in float64, so that the mean of equal weights is exact
    for (const float value : treatments) sum += value;
    return static_cast<float>(sum / static_cast<double>(treatments.size()));
}

}  // namespace

std::size_t outcome_neurons(const EffectBlock& block, std::size_t width) {
    const auto effects = static_cast<std::size_t>(std::lround(block.share * static_cast<double>(width)));
    return width - std::clamp(effects, std::size_t{1}, width - 1);
}

void part_blocks(const ParameterLayout& layout, const EffectBlock& block, AlignedFloats& values) {
    const std::size_t output = layout.layers() - 1;
    for (std::size_t layer = 1; layer <= output; ++layer) {
        const LayerShape& shape = layout.shape(layer);
        const std::size_t of_outcome = outcome_neurons(block, shape.inputs);
        for (std::size_t input = 0; input < shape.inputs; ++input) {
            const std::span<float> weights = weights_from(layout, values, layer, input);
            if (layer == output) {
                const float mean = mean_of(weights);
                for (float& weight : weights) weight = input < of_outcome ? mean : weight - mean;
                continue;
            }
            const std::size_t outcome = outcome_neurons(block, shape.neurons);
            std::ranges::fill(input < of_outcome ? weights.subspan(outcome) : weights.first(outcome), 0.0F);
        }
    }
}

void decay_effects(const ParameterLayout& layout, const EffectBlock& block, AlignedFloats& parameters, double keep) {
    const std::size_t output = layout.layers() - 1;
    for (std::size_t layer = 0; layer <= output; ++layer) {
        const LayerShape& shape = layout.shape(layer);
        const std::size_t of_outcome = layer == output ? 0 : outcome_neurons(block, shape.neurons);
        // After the first layer, only inputs from effect neurons.
        const std::size_t first = layer == 0 ? 0 : outcome_neurons(block, shape.inputs);
        for (std::size_t input = first; input < shape.inputs; ++input)
            for (float& weight : weights_from(layout, parameters, layer, input).subspan(of_outcome))
                weight *= static_cast<float>(keep);
    }
}

}  // namespace polyrx
