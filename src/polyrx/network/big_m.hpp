// SPDX-License-Identifier: Apache-2.0
// Computes big-M: a number that, added to a treatment's outcome, keeps that treatment from being the best.
#pragma once

#include <cstdint>

#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// Exceeds the difference between the outcomes of any treatment and of one in the set `forbidden` (bit k: treatment k),
// anywhere on the domain. Computed by back-substitution through the network, so it is an upper bound of the smallest
// big-M, and equal to it if every neuron is decided.
[[nodiscard]] double sufficient_big_m(const ReluNetwork& network, const Domain& domain, std::uint64_t forbidden);

// The big-M of the paper (Remark F.1): propagates the largest inputs through a network whose weights and biases all
// equal the largest one, and doubles the result.
[[nodiscard]] double crude_big_m(const ReluNetwork& network, const Domain& domain);

}  // namespace polyrx
