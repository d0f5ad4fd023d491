// SPDX-License-Identifier: Apache-2.0
// One layer of the forward pass that defines a policy, in SIMD with run-time dispatch. Every target gives the same bits
// as a scalar loop: sums start at 0, follow input order, multiply then add, and add the bias last.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// One row per lane: each neuron has `forward_lanes` consecutive doubles.
inline constexpr std::size_t forward_lanes = 32;

// Consecutive neurons of a layer, and the range of inputs that contains all of their nonzero weights.
struct LayerBlock {
    std::size_t first_neuron = 0;
    std::size_t neurons = 0;
    std::size_t first_input = 0;
    std::size_t inputs = 0;
};

// Splits the layer into blocks with disjoint inputs, if possible. This applies to the layers of ensembles.
[[nodiscard]] std::vector<LayerBlock> blocks_of(const Layer& layer);

// Computes the first `rows` lanes, and possibly some more. Applies ReLU if `relu`. Skips inputs outside the block. This
// changes no bits, because sums start at 0 and adding 0 only changes -0.
void apply_layer(const Layer& layer, const LayerBlock& block, bool relu, std::size_t rows, const double* in,
                 double* out);

}  // namespace polyrx
