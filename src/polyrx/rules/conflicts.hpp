// SPDX-License-Identifier: Apache-2.0
// What is wrong with a set of rules before anybody obeys it: rows that they leave without a treatment, and rules that
// do nothing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/encode/encoder.hpp"
#include "polyrx/rules/find_row.hpp"
#include "polyrx/rules/language/rules.hpp"

namespace polyrx {

// A row of the user's table, and which of its cells are missing, that rules leave no treatment. An encoded row counts
// only if it stands for such a row: derived features, which the search takes for inputs of their own, must come out as
// it has them.
struct Conflict {
    FoundRow::Answer answer = FoundRow::Answer::none;
    Table row = {};                       // found: one row, of the columns that the encoder reads
    std::vector<std::size_t> rules = {};  // found: those that apply to it, without any that could be left out
};

// On the domain; and that there is none is said only if there is none beyond the bounds that were learned of derived
// features either (encode/input_domain.hpp).
[[nodiscard]] Conflict find_conflict(const BoundRules& rules, const Encoder& encoder, const Domain& domain,
                                     const Progress& progress = {});

// "rules 1 and 3 leave no treatment for a row such as age 81, creatinine missing": the columns that these rules ask
// for. Rules are numbered from 1; the first `of_model` of them are those of a model, and have numbers of their own.
[[nodiscard]] std::string describe(const Conflict& conflict, const Rules& rules, std::size_t of_model = 0);

struct RuleFindings {
    Conflict conflict;
    // By rule: it applies to no row of the domain.
    std::vector<bool> never_applies;
    // By rule: it applies to no row of the domain without missing cells, but to some with.
    std::vector<bool> only_if_missing;
    // By rule: it forbids nothing that the others do not. Of two that say the same, the later.
    std::vector<bool> implied;
};

[[nodiscard]] RuleFindings check_rules(const BoundRules& rules, const Encoder& encoder, const Domain& domain,
                                       const Progress& progress = {});

}  // namespace polyrx
