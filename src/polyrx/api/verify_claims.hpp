// SPDX-License-Identifier: Apache-2.0
// Proves or refutes claims about a model, written like rules: "if age > 80 then not High".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "polyrx/core/json/json.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/extract/claims/decide_claims.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/rules/bind.hpp"
#include "polyrx/rules/language/rules.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

struct VerifyClaimsOptions {
    std::vector<std::string> domain = {};  // as parse_override() has it: "age=18:90"
    WhenMissing when_missing = WhenMissing::skip;
    ClaimOptions search = {};
    std::string name = "claims";  // name of the claims in messages
};

// A row that refutes a claim, and the model's prescription for it.
struct BreakingRow {
    Table row;
    std::string words;      // all cells as in a file, and the derived features
    std::string treatment;  // the label; "nothing" if rules leave none
    std::vector<double> outcomes;
};

// The observed range of a derived feature, assumed because its formula implies no bounds.
struct AssumedRange {
    std::string feature;
    double lower = 0;
    double upper = 0;
};

struct DecidedClaim {
    std::string claim;
    ClaimAnswer answer;
    std::optional<BreakingRow> broken_by = {};  // if refuted
    std::vector<AssumedRange> assumed = {};     // if proved
};

struct DecidedClaims {
    std::vector<DecidedClaim> claims;
    std::string outcome_name;
    std::vector<std::string> treatments;

    [[nodiscard]] std::size_t count(Verdict verdict) const;
};

// A claim counts as proved only if the checker (verify/check_claim.hpp) proves it. Throws a data error for claims that
// do not fit the model, and a usage error for an unknown domain.
[[nodiscard]] DecidedClaims verify_claims(const Policy& model, const Rules& claims,
                                          const VerifyClaimsOptions& options = {}, const Progress& progress = {});

[[nodiscard]] std::string text_of(const DecidedClaims& decided);
[[nodiscard]] Json json_of(const DecidedClaims& decided);

}  // namespace polyrx
