// SPDX-License-Identifier: Apache-2.0
// The weights of a network in training: float32, in one flat array, so that the optimiser is one loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// Where each layer's numbers lie in the flat array: weights (one row per *input*, so that a layer is rows x weights),
// then biases.
class ParameterLayout {
public:
    // Widths of input, hidden layers and output.
    explicit ParameterLayout(std::vector<Eigen::Index> widths);

    [[nodiscard]] std::size_t layers() const { return widths_.size() - 1; }
    [[nodiscard]] Eigen::Index inputs(std::size_t layer) const { return widths_[layer]; }
    [[nodiscard]] Eigen::Index neurons(std::size_t layer) const { return widths_[layer + 1]; }
    [[nodiscard]] std::size_t size() const { return offsets_.back(); }

    using Weights = Eigen::Map<MatrixF>;
    using Biases = Eigen::Map<Eigen::RowVectorXf>;
    [[nodiscard]] Weights weights(std::vector<float>& flat, std::size_t layer) const;
    [[nodiscard]] Biases biases(std::vector<float>& flat, std::size_t layer) const;

private:
    std::vector<Eigen::Index> widths_;
    std::vector<std::size_t> offsets_;  // of each layer's weights, and the end
};

// Weights and biases U(-1/sqrt(fan_in), 1/sqrt(fan_in)), each layer from a stream of its own.
[[nodiscard]] std::vector<float> initial_parameters(const ParameterLayout& layout, std::uint64_t seed);

[[nodiscard]] ReluNetwork to_network(const ParameterLayout& layout, std::vector<float> parameters);

}  // namespace polyrx
