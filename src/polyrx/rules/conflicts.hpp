// SPDX-License-Identifier: Apache-2.0
// Checks a set of rules: finds rows without an allowed treatment, and rules without an effect.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/encode/encoder.hpp"
#include "polyrx/rules/find_row.hpp"
#include "polyrx/rules/language/rules.hpp"

namespace polyrx {

// A row of the user's table for which rules leave no treatment. An encoded row counts only if it encodes a row of a
// table: the search treats derived features as separate inputs, so they must agree with their columns.
struct Conflict {
    FoundRow::Answer answer = FoundRow::Answer::none;
    Table row = {};  // if found: one row, with the columns that the encoder reads
    // If found: a minimal set of rules that apply to the row and leave no treatment.
    std::vector<std::size_t> rules = {};
};

// Searches the domain. Reports that there is no conflict only if there is none outside the learned bounds of derived
// features either (encode/input_domain.hpp).
[[nodiscard]] Conflict find_conflict(const BoundRules& rules, const Encoder& encoder, const Domain& domain,
                                     const Progress& progress = {});

// For example "rules 1 and 3 leave no treatment for a row such as age 81, creatinine missing", with the columns that
// these rules use. Rules are numbered from 1. The first `of_model` rules belong to a model and are numbered separately.
[[nodiscard]] std::string describe(const Conflict& conflict, const Rules& rules, std::size_t of_model = 0);

struct RuleFindings {
    Conflict conflict;
    // Per rule: it applies to no row of the domain.
    std::vector<bool> never_applies;
    // Per rule: it applies only to rows with missing cells.
    std::vector<bool> only_if_missing;
    // Per rule: it forbids nothing that the others do not. Of two equal rules, the later one.
    std::vector<bool> implied;
};

[[nodiscard]] RuleFindings check_rules(const BoundRules& rules, const Encoder& encoder, const Domain& domain,
                                       const Progress& progress = {});

}  // namespace polyrx
