// SPDX-License-Identifier: Apache-2.0
// The enumeration of a network's activation patterns with COIN-OR Clp in place of polyrx's own simplex.
#pragma once

#include <cstddef>

#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx::bench {

struct ClpCount {
    std::size_t regions = 0;
    std::size_t questions = 0;  // "can this neuron change its sign on this polyhedron?"
};

// Of a network with one hidden layer: what count_patterns() counts, by the same search and so by the same questions.
//
// Clp is used as well as it is known to us: one model for the whole search, whose rows are all the neurons and get
// their bounds when a sign is chosen; each question goes on from the basis of the one before it or, after a return,
// from the basis that was kept there, always a feasible one; it stops as soon as the sign has changed; and it scales
// nothing, since that was done.
[[nodiscard]] ClpCount count_patterns_with_clp(const ReluNetwork& network, const Domain& domain);

}  // namespace polyrx::bench
