// SPDX-License-Identifier: Apache-2.0
// Searches for the proof of a statement about a policy, or for a row that breaks it (branch and bound).
//
// A claim says of every row of a domain: where its condition holds, the policy prescribes nothing but what it allows.
// The search divides the domain into cases, on the comparisons of the condition and of the policy's rules, on neurons
// and on inputs, until in each a linear program shows that no forbidden treatment has the smallest outcome
// (tree/claim_proof.hpp). Where it shows the opposite, there may be a row that breaks the claim, and the policy is
// asked.
#pragma once

#include <cstddef>

#include "polyrx/extract/cells/cell.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/tree/claim_proof.hpp"

namespace polyrx {

// How to search. Another way is worth trying if the checker was not convinced by what the first found.
struct ClaimManner {
    double room = 4;           // times the rounding of the forward pass, which a proof keeps away from a tie
    bool inputs_only = false;  // no cases on neurons: on whole numbers it ends with single rows, if need be
};

struct ClaimSearch {
    enum class End {
        proof,
        row,   // that breaks the claim
        gaps,  // some cases could be neither proved nor divided
        cases_spent,
        time_spent,
    };
    End end = End::gaps;
    ClaimProof proof;  // not checked
    Vector row;        // encoded, and what the encoder makes of a row of the user's table
    std::size_t cases = 0;
    bool met_impossible_row = false;  // a row broke the claim that stands for none of the user's table
};

[[nodiscard]] ClaimSearch prove_claim(const Policy& policy, const Ground& ground, const BoundRule& claim,
                                      const ClaimManner& manner, std::size_t most_cases);

}  // namespace polyrx
