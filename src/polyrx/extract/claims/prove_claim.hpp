// SPDX-License-Identifier: Apache-2.0
// Searches for the proof of a statement about a policy, or for a row that breaks it (branch and bound).
//
// A claim is about every row of a domain: where its condition holds, the policy prescribes only treatments that it
// allows. The search divides the domain into cases, by the comparisons of the condition and of the policy's rules, by
// neurons and by inputs. In each case, a linear program must show that no forbidden treatment has the smallest outcome
// (tree/claim_proof.hpp). If it shows the opposite, a row may break the claim, and the search evaluates the policy.
#pragma once

#include <cstddef>

#include "polyrx/extract/cells/cell.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/tree/claim_proof.hpp"

namespace polyrx {

// Search settings. If the checker rejects a proof, other settings may find one that it accepts.
struct ClaimManner {
    double room = 4;  // distance from a tie that a proof keeps, as a multiple of the rounding error of the forward pass
    bool inputs_only = false;  // no cases on neurons; on whole numbers, the search ends at single rows at the latest
};

struct ClaimSearch {
    enum class End {
        proof,
        row,   // a row that breaks the claim
        gaps,  // some cases could be neither proved nor divided
        cases_spent,
        time_spent,
    };
    End end = End::gaps;
    ClaimProof proof;  // not checked
    Vector row;        // an encoded row of the user's table
    std::size_t cases = 0;
    bool met_impossible_row = false;  // a row broke the claim that no table can contain
};

[[nodiscard]] ClaimSearch prove_claim(const Policy& policy, const Ground& ground, const BoundRule& claim,
                                      const ClaimManner& manner, std::size_t most_cases);

}  // namespace polyrx
