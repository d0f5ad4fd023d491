// SPDX-License-Identifier: Apache-2.0
// How far the float64 forward pass can be from the network in real numbers.
#pragma once

#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// For each layer, the output layer last, a bound on |computed - real| of every neuron before its ReLU, for inputs no
// larger than `magnitudes`.
//
// A sum of n products computed in any order has an error of at most gamma_(n+1) times the sum of their absolute values,
// gamma_n = n u / (1 - n u), u = 2^-53 (Higham 2002, section 3.1). A ReLU passes errors on but makes none, and brings
// computed and real values no further apart, whichever side of 0 each is on.
[[nodiscard]] std::vector<Vector> forward_errors(const ReluNetwork& network, const Vector& magnitudes);

}  // namespace polyrx
