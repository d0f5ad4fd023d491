// SPDX-License-Identifier: Apache-2.0
// Finds neurons that are always on or always off: proved for every row of a domain, or observed on some rows.
#pragma once

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/network/prune.hpp"

namespace polyrx {

// On or off on the whole domain, by bounds from back-substitution (network/relaxation.hpp). Neurons without a proof are
// reported as `varies`, even if they never vary.
//
// Both bounds and network have rounding errors: a bound counts only if it is beyond 0 by 8 times forward_errors() of
// its neuron. Back-substitution takes the products of the forward pass in another order, and a chord high (z - low) /
// (high - low) of |z| <= m has no larger terms than m. Its errors are thus little more than forward_errors(), and the
// rest is margin. The neuron is then on or off both in real numbers and as the forward pass computes it.
[[nodiscard]] NeuronStates proved_states(const ReluNetwork& network, const Domain& domain,
                                         const Progress& progress = {});

// On or off on all of these rows, of which there is at least one, as the forward pass computes it.
[[nodiscard]] NeuronStates seen_states(const ReluNetwork& network, const Matrix& rows);

}  // namespace polyrx
