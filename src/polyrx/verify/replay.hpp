// SPDX-License-Identifier: Apache-2.0
// Replays the certificate of one leaf (tree/certificate.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/network/relu_network.hpp"
#include "polyrx/tree/certificate.hpp"
#include "polyrx/verify/linear_bounds.hpp"
#include "polyrx/verify/proof_parts.hpp"
#include "polyrx/verify/rule_claims.hpp"

namespace polyrx::checking {

// What a certificate must prove about the rows of the domain that satisfy the constraints: they are prescribed the
// treatment, or none; these rules apply to all of them; and these treatments are supported for none of them.
struct Claim {
    int treatment = 0;
    std::vector<int> rules;
    std::vector<int> unsupported;
    Constraints constraints;
};

enum class Failure {
    none,
    comparison,  // a comparison with a rival
    rules,       // rules or support may disagree
    listed,      // a listed rule may not apply, or a treatment listed as unsupported may be supported
};

struct Replay {
    bool holds = true;
    Failure failure = Failure::none;
    std::size_t steps = 0;
    // The worst comparison: an upper bound of the outcome of the claim's treatment minus the rival's, including
    // rounding. Minus infinity if there was nothing to compare.
    double gap = -infinity;
    int rival = -1;
    Vector corner;  // where the failed bound is attained in the box; empty if all hold
};

// `known` is what holds on the domain. Throws a data error if the certificate names an input, neuron, half-space or
// rival that does not exist.
[[nodiscard]] Replay replay(const ReluNetwork& network, const RuleClaims& rules, const LinearBounds& bounds,
                            const Known& known, const Claim& claim, const Certificate& certificate);

}  // namespace polyrx::checking
