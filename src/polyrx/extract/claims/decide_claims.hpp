// SPDX-License-Identifier: Apache-2.0
// Decides statements about a policy: each is proved, refuted by a row, or left undecided with a reason.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/tree/claim_proof.hpp"

namespace polyrx {

enum class Verdict { proved, refuted, undecided };

[[nodiscard]] std::string_view name_of(Verdict verdict);

struct ClaimAnswer {
    Verdict verdict = Verdict::undecided;
    std::optional<ClaimProof> proof;  // if proved
    Vector row;                       // if refuted: encoded, and what the encoder makes of a row of the user's table
    std::string why;                  // if undecided: "after 1,000 cases", to be put behind that word
    std::size_t cases = 0;            // that were looked at
    std::size_t linear_programs = 0;
};

struct ClaimOptions {
    std::size_t cases = 200'000;  // at most, for each claim and manner of searching
    double seconds =
        0;  // for each claim and the check of its proof; 0 is no limit, so that answers do not depend on the machine
    int threads = 0;  // claims side by side; 0: one for each core
};

// Whether a proof convinces somebody else: nothing is called proved that does not (verify/check_claim.hpp). Called from
// several threads at once. Who reports progress can be stopped when the time is over.
using ProofChecker = std::function<bool(const BoundRule& claim, const ClaimProof& proof, const Progress& progress)>;

// One answer for each claim, which are bound to the policy's inputs (rules/bind.hpp). The domain is finite.
[[nodiscard]] std::vector<ClaimAnswer> decide_claims(const Policy& policy, const Domain& domain,
                                                     const BoundRules& claims, const ProofChecker& is_proof,
                                                     const ClaimOptions& options = {}, const Progress& progress = {});

}  // namespace polyrx
