// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/step/effect_shrinkage.hpp"

#include <span>

namespace polyrx {
namespace {

// Computes in float64, so that the mean of equal weights is exact and does not drift.
void pull_together(std::span<float> treatments, double keep) {
    double sum = 0;
    for (const float value : treatments) sum += value;
    const double mean = sum / static_cast<double>(treatments.size());
    for (float& value : treatments) value = static_cast<float>(mean + keep * (value - mean));
}

}  // namespace

void shrink_effects(const ParameterLayout& layout, AlignedFloats& parameters, double keep, ShrunkParts parts) {
    const std::size_t output = layout.layers() - 1;
    const LayerShape& shape = layout.shape(output);
    // Biases are the weights of one more input.
    const std::size_t rows = parts == ShrunkParts::weights ? shape.inputs : shape.inputs + 1;
    for (std::size_t row = 0; row < rows; ++row)
        pull_together(std::span(parameters).subspan(layout.offset(output) + row * padded(shape.neurons), shape.neurons),
                      keep);
}

}  // namespace polyrx
