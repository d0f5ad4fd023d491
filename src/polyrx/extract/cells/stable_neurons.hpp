// SPDX-License-Identifier: Apache-2.0
// Which neurons are always on or always off: proved for every row of a domain, or seen on some rows only.
#pragma once

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/network/prune.hpp"

namespace polyrx {

// On or off on the whole domain, by the bounds that back-substitution gives (network/relaxation.hpp). What is not
// proved is called `varies`, though it may never vary.
//
// Bounds are computed, and so is the network: a bound counts only if it is beyond 0 by 8 times forward_errors() of its
// neuron. Back-substitution takes the products of the forward pass in another order, and a chord
// high (z - low) / (high - low) of |z| <= m has no larger terms than m has; so its bounds are off by little more than
// what forward_errors() bounds the forward pass by, and the rest is room. Then the neuron is on or off both in real
// numbers and as the forward pass computes it.
[[nodiscard]] NeuronStates proved_states(const ReluNetwork& network, const Domain& domain,
                                         const Progress& progress = {});

// On or off on all of these rows, as the forward pass computes it: a claim about these rows only. There must be one.
[[nodiscard]] NeuronStates seen_states(const ReluNetwork& network, const Matrix& rows);

}  // namespace polyrx
