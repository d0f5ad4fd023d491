// SPDX-License-Identifier: Apache-2.0
// Decides statements about a policy: proves each, refutes it by a row, or gives a reason why it is undecided.
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
    Vector row;                       // if refuted: an encoded row of the user's table
    std::string why;                  // if undecided: a phrase that follows "undecided", such as "after 1,000 cases"
    std::size_t cases = 0;            // searched
    std::size_t linear_programs = 0;
};

struct ClaimOptions {
    std::size_t cases = 200'000;  // maximum per claim and search setting
    // For each claim, including the check of its proof. 0 = no limit: answers then do not depend on the machine.
    double seconds = 0;
    int threads = 0;  // claims run in parallel; 0 = all cores
};

// Checks a proof independently; only claims that pass count as proved (verify/check_claim.hpp). Called from several
// threads at once. Its progress callback can stop it when time is up.
using ProofChecker = std::function<bool(const BoundRule& claim, const ClaimProof& proof, const Progress& progress)>;

// One answer per claim. Claims are bound to the policy's inputs (rules/bind.hpp); the domain must be finite.
[[nodiscard]] std::vector<ClaimAnswer> decide_claims(const Policy& policy, const Domain& domain,
                                                     const BoundRules& claims, const ProofChecker& is_proof,
                                                     const ClaimOptions& options = {}, const Progress& progress = {});

}  // namespace polyrx
