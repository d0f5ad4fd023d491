// SPDX-License-Identifier: Apache-2.0
// How large a number must be to keep a treatment from being the best, when it is added to its outcome.
#pragma once

#include <cstdint>

#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// More than any outcome is above any of those of the treatments in the set `forbidden` (bit k: treatment k), anywhere
// on the domain: by back-substitution through the network, so it is an upper bound of the smallest such number, and
// equal to it where every neuron is decided.
[[nodiscard]] double sufficient_big_m(const ReluNetwork& network, const Domain& domain, std::uint64_t forbidden);

// The paper's (Remark F.1): every weight and bias as large as the largest, every input as large as it can be, through
// the network; twice the result.
[[nodiscard]] double crude_big_m(const ReluNetwork& network, const Domain& domain);

}  // namespace polyrx
