// SPDX-License-Identifier: Apache-2.0
// One layer of the forward pass that defines a policy, in vectors as wide as the machine has them, chosen when the
// program runs. Every target gives the bits of the plain loop: sums from 0 in the order of the inputs, multiply then
// add, the bias last.
#pragma once

#include <cstddef>

#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// Rows are computed side by side, one per lane: values lie neuron by neuron, `forward_lanes` doubles each.
inline constexpr std::size_t forward_lanes = 32;

// The first `rows` lanes are computed, and some of those behind them. A neuron whose sum is not above 0 has the value 0
// when `relu`.
void apply_layer(const Layer& layer, bool relu, std::size_t rows, const double* in, double* out);

}  // namespace polyrx
