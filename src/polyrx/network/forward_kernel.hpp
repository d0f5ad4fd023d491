// SPDX-License-Identifier: Apache-2.0
// One layer of the forward pass that defines a policy, in vectors as wide as the machine has them, chosen when the
// program runs. Every target gives the bits of the plain loop: sums from 0 in the order of the inputs, multiply then
// add, the bias last.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// Rows are computed side by side, one per lane: values lie neuron by neuron, `forward_lanes` doubles each.
inline constexpr std::size_t forward_lanes = 32;

// Neurons of a layer that follow each other, and the inputs outside of which none of them has a weight other than 0.
struct LayerBlock {
    std::size_t first_neuron = 0;
    std::size_t neurons = 0;
    std::size_t first_input = 0;
    std::size_t inputs = 0;
};

// The layer in blocks whose inputs do not overlap, where it falls into such: the layers of an ensemble do.
[[nodiscard]] std::vector<LayerBlock> blocks_of(const Layer& layer);

// The first `rows` lanes are computed, and some of those behind them. A neuron whose sum is not above 0 has the value 0
// when `relu`. Inputs outside of the block are left out, which changes no bit: sums begin at 0, and to add 0 to what is
// not -0 leaves it.
void apply_layer(const Layer& layer, const LayerBlock& block, bool relu, std::size_t rows, const double* in,
                 double* out);

}  // namespace polyrx
