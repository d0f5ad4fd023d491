// SPDX-License-Identifier: Apache-2.0
// What rules say, which rows they touch, and what is wrong with them, before anybody obeys them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "polyrx/core/json/json.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/rules/conflicts.hpp"
#include "polyrx/table/schema.hpp"

namespace polyrx {

struct RulesReportOptions {
    std::optional<WhenMissing> when_missing = {};  // not given: as the model's rules have it, or `apply`
    std::string name = "rules";                    // what messages call the rules
};

struct RulesReport {
    Rules rules;               // those of the model, and then those that are asked about
    std::size_t of_model = 0;  // how many
    WhenMissing when_missing = WhenMissing::apply;
    // If not, a conflict is one whatever the treatments are, and none that was not found is excluded.
    bool treatments_known = true;
    RuleFindings findings;
    std::vector<std::size_t> touched;  // rows, by rule; empty without rows
    std::size_t rows = 0;
    std::string failure;  // one sentence; empty if no conflict was found
};

// Rules beside those of a model. The rows are counted only; there may be none.
[[nodiscard]] RulesReport report_on_rules(const Policy& policy, const Table* rows, const Rules& rules,
                                          const RulesReportOptions& options = {}, const Progress& progress = {});

// Rules for data: every column but that of the treatment is a feature. If that is not named ("") the treatments are not
// known.
[[nodiscard]] RulesReport report_on_rules(const Table& table, const Schema& schema, const std::string& treatment,
                                          const Rules& rules, const RulesReportOptions& options = {},
                                          const Progress& progress = {});

[[nodiscard]] std::string text_of(const RulesReport& report);
[[nodiscard]] Json json_of(const RulesReport& report);

}  // namespace polyrx
