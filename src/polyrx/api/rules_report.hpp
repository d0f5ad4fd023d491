// SPDX-License-Identifier: Apache-2.0
// Reports what rules say, which rows they affect, and their conflicts, before they are applied.
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
    std::optional<WhenMissing> when_missing = {};  // default: as the model's rules, or `apply`
    std::string name = "rules";                    // name of the rules in messages
};

struct RulesReport {
    Rules rules;               // the model's rules, followed by the new ones
    std::size_t of_model = 0;  // number of the model's rules
    WhenMissing when_missing = WhenMissing::apply;
    // If false, reported conflicts hold for any treatments, but others may exist.
    bool treatments_known = true;
    RuleFindings findings;
    std::vector<std::size_t> touched;  // rows affected by each rule; empty without rows
    std::size_t rows = 0;
    std::string failure;  // one sentence; empty if no conflict is found
};

// Reports on rules added to those of a model. The rows are only counted and may be null.
[[nodiscard]] RulesReport report_on_rules(const Policy& policy, const Table* rows, const Rules& rules,
                                          const RulesReportOptions& options = {}, const Progress& progress = {});

// Reports on rules for data: all columns except the treatment are features. If `treatment` is empty, the treatments are
// unknown.
[[nodiscard]] RulesReport report_on_rules(const Table& table, const Schema& schema, const std::string& treatment,
                                          const Rules& rules, const RulesReportOptions& options = {},
                                          const Progress& progress = {});

[[nodiscard]] std::string text_of(const RulesReport& report);
[[nodiscard]] Json json_of(const RulesReport& report);

}  // namespace polyrx
