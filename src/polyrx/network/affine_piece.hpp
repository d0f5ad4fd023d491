// SPDX-License-Identifier: Apache-2.0
// The affine piece of a network around a row: which neurons are on there, and what neurons and outcomes are as
// functions of the inputs wherever the same neurons are on.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/geometry/affine.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// For each hidden layer, 1 for each neuron that is on.
using Pattern = std::vector<std::vector<char>>;

// A neuron is on when the value that forward() computes for it, in the same order, is above 0.
[[nodiscard]] Pattern activation_pattern(const ReluNetwork& network, const Eigen::Ref<const Vector>& row);

// The neurons of a layer before their ReLU, 0 being the first, as functions of the inputs, given which neurons of the
// layers before are on. Later layers of the pattern are not looked at. Rounded: on rows of the pattern they equal what
// forward() computes up to rounding errors. The sums have one order, so the bits are the same on every machine.
[[nodiscard]] std::vector<AffineFunction> affine_neurons(const ReluNetwork& network, const Pattern& pattern,
                                                         std::size_t layer);

// The outcome of every treatment: the neurons of the last layer.
[[nodiscard]] std::vector<AffineFunction> affine_outcomes(const ReluNetwork& network, const Pattern& pattern);

}  // namespace polyrx
