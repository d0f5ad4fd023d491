// SPDX-License-Identifier: Apache-2.0
// Replays the proof of a statement about a policy (tree/claim_proof.hpp), in arithmetic that rounds to the safe side.
//
// What is proved: every row of the domain, of finite doubles, for which the claim's condition holds as BoundCondition
// computes it, is prescribed by choose() a treatment that the claim allows, or none. Nothing is taken from whoever
// found the proof but the proof itself.
#pragma once

#include <cstddef>
#include <string>

#include "polyrx/core/progress.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/rules/rule_book.hpp"
#include "polyrx/tree/claim_proof.hpp"

namespace polyrx {

struct ClaimCheck {
    bool proved = false;
    std::size_t steps = 0;  // that were replayed
    std::string reason;     // one sentence, if not proved
};

// The claim says: where it applies, only what it allows is prescribed. Throws a data error if the network, the domain,
// the rules and the claim do not fit together, or if the proof is no proof at all: cases that form no tree, multipliers
// below 0, names of what there is not.
[[nodiscard]] ClaimCheck check_claim(const ReluNetwork& network, const Domain& domain, const RuleBook& rules,
                                     const BoundRule& claim, const ClaimProof& proof, const Progress& progress = {});

}  // namespace polyrx
