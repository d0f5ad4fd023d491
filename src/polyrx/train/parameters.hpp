// SPDX-License-Identifier: Apache-2.0
// The weights of a network in training: one flat float32 array, so that the optimizer is one loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/train/train_kernel.hpp"

namespace polyrx {

// Positions of each layer's parameters in the flat array: one row per input with its weights to all neurons, then a row
// of biases. Rows are padded with zeros to whole vectors. The padding stays 0, because its gradient is 0.
class ParameterLayout {
public:
    // Widths of input, hidden layers and output.
    explicit ParameterLayout(const std::vector<Eigen::Index>& widths);
    ParameterLayout(Eigen::Index inputs, const std::vector<int>& hidden, int outputs);

    [[nodiscard]] std::size_t layers() const { return shapes_.size(); }
    [[nodiscard]] const LayerShape& shape(std::size_t layer) const { return shapes_[layer]; }
    [[nodiscard]] std::size_t offset(std::size_t layer) const { return offsets_[layer]; }
    [[nodiscard]] std::size_t bias_offset(std::size_t layer) const;
    [[nodiscard]] std::size_t size() const { return offsets_.back(); }

    // One row per input.
    using Weights = Eigen::Map<MatrixF, Eigen::Unaligned, Eigen::OuterStride<>>;
    using Biases = Eigen::Map<Eigen::RowVectorXf>;
    [[nodiscard]] Weights weights(AlignedFloats& flat, std::size_t layer) const;
    [[nodiscard]] Biases biases(AlignedFloats& flat, std::size_t layer) const;

private:
    std::vector<LayerShape> shapes_;
    std::vector<std::size_t> offsets_;  // start of each layer's weights, and the end
};

// Draws weights and biases from U(-1/sqrt(fan_in), 1/sqrt(fan_in)), with a separate random stream per layer.
[[nodiscard]] AlignedFloats initial_parameters(const ParameterLayout& layout, std::uint64_t seed);

[[nodiscard]] ReluNetwork to_network(const ParameterLayout& layout, AlignedFloats parameters);

}  // namespace polyrx
