// SPDX-License-Identifier: Apache-2.0
// Replays the certificate of one leaf, step by step, as tree/certificate.hpp says.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/network/relu_network.hpp"
#include "polyrx/tree/certificate.hpp"
#include "polyrx/verify/linear_bounds.hpp"
#include "polyrx/verify/proof_parts.hpp"

namespace polyrx::checking {

// What a certificate is to prove: rows of the domain that satisfy the constraints are prescribed the treatment.
struct Claim {
    int treatment = 0;
    Constraints constraints;
};

struct Replay {
    bool holds = true;
    std::size_t steps = 0;
    // The comparison that failed most clearly or, if all hold, the closest: an upper bound of the outcome of the
    // claim's treatment minus the rival's, plus all rounding. Minus infinity if there was nothing to compare.
    double gap = -infinity;
    int rival = -1;
    Vector corner;  // of the box, where the bound that failed is reached; empty if all hold
};

// `known` is what follows from the domain. Throws a data error if the certificate names an input, a neuron or a rival
// that the network does not have.
[[nodiscard]] Replay replay(const ReluNetwork& network, const LinearBounds& bounds, const Known& known,
                            const Claim& claim, const Certificate& certificate);

}  // namespace polyrx::checking
