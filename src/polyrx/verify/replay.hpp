// SPDX-License-Identifier: Apache-2.0
// Replays the certificate of one leaf, step by step, as tree/certificate.hpp says.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/network/relu_network.hpp"
#include "polyrx/tree/certificate.hpp"
#include "polyrx/verify/linear_bounds.hpp"
#include "polyrx/verify/proof_parts.hpp"
#include "polyrx/verify/rule_claims.hpp"

namespace polyrx::checking {

// What a certificate is to prove: rows of the domain that satisfy the constraints are prescribed the treatment, or
// none; these rules apply to all of them, and these treatments are not supported for any of them.
struct Claim {
    int treatment = 0;
    std::vector<int> rules;
    std::vector<int> unsupported;
    Constraints constraints;
};

enum class Failure {
    none,
    comparison,  // with a rival
    rules,       // rules or support may say something else
    listed,      // a rule that is said to apply may not, or a treatment that is said to be unsupported
};

struct Replay {
    bool holds = true;
    Failure failure = Failure::none;
    std::size_t steps = 0;
    // The comparison that failed most clearly or, if all hold, the closest: an upper bound of the outcome of the
    // claim's treatment minus the rival's, plus all rounding. Minus infinity if there was nothing to compare.
    double gap = -infinity;
    int rival = -1;
    Vector corner;  // of the box, where the bound that failed is reached; empty if all hold
};

// `known` is what follows from the domain. Throws a data error if the certificate names an input, a neuron, a
// half-space or a rival that there is not.
[[nodiscard]] Replay replay(const ReluNetwork& network, const RuleClaims& rules, const LinearBounds& bounds,
                            const Known& known, const Claim& claim, const Certificate& certificate);

}  // namespace polyrx::checking
