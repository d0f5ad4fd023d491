// SPDX-License-Identifier: Apache-2.0
// Replays the proof of a claim about a policy (tree/claim_proof.hpp) in conservatively rounded arithmetic.
//
// It proves: for every row of the domain, of finite doubles, for which BoundCondition computes that the claim's
// condition holds, choose() prescribes a treatment that the claim allows, or none. The check uses nothing else from
// the code that found the proof.
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
    std::size_t steps = 0;  // number of replayed steps
    std::string reason;     // one sentence if not proved
};

// The claim: where its condition holds, only treatments that it allows are prescribed. Throws a data error if network,
// domain, rules and claim do not match, or if the proof is malformed: cases that form no tree, negative multipliers,
// references to things that do not exist.
[[nodiscard]] ClaimCheck check_claim(const ReluNetwork& network, const Domain& domain, const RuleBook& rules,
                                     const BoundRule& claim, const ClaimProof& proof, const Progress& progress = {});

}  // namespace polyrx
