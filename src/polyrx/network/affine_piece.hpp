// SPDX-License-Identifier: Apache-2.0
// The affine piece of a network around a row: its activation pattern, and its neurons and outcomes as affine functions
// of the inputs where that pattern holds.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/geometry/affine.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// By hidden layer and neuron: 1 if the neuron is active.
using Pattern = std::vector<std::vector<char>>;

// A neuron is active if the value that forward() computes for it, in the same order, is above 0.
[[nodiscard]] Pattern activation_pattern(const ReluNetwork& network, const Eigen::Ref<const Vector>& row);

// The pre-activations of a layer (0 is the first) as functions of the inputs, given the pattern of the layers before
// it. Later layers of the pattern are ignored. On rows with this pattern, the functions equal the values of forward()
// up to rounding. The order of summation is fixed, so the bits are the same on every machine.
[[nodiscard]] std::vector<AffineFunction> affine_neurons(const ReluNetwork& network, const Pattern& pattern,
                                                         std::size_t layer);

// The outcomes of all treatments: the neurons of the last layer.
[[nodiscard]] std::vector<AffineFunction> affine_outcomes(const ReluNetwork& network, const Pattern& pattern);

}  // namespace polyrx
