// SPDX-License-Identifier: Apache-2.0
// Bounds the rounding error of the float64 forward pass.
#pragma once

#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// For each layer including the output layer, a bound on |computed - exact| of each pre-activation, for inputs up to
// `magnitudes` in absolute value.
//
// A sum of n products in any order has an error of at most gamma_(n+1) times the sum of their absolute values, with
// gamma_n = n u / (1 - n u), u = 2^-53 (Higham 2002, section 3.1). ReLU is 1-Lipschitz and exact, so it does not
// increase errors.
[[nodiscard]] std::vector<Vector> forward_errors(const ReluNetwork& network, const Vector& magnitudes);

}  // namespace polyrx
