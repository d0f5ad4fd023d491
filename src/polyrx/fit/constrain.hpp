// SPDX-License-Identifier: Apache-2.0
// Adds rules to a policy that is already trained.
#pragma once

#include <optional>
#include <string_view>

#include "polyrx/policy/policy.hpp"

namespace polyrx {

struct ConstrainOptions {
    // If not given: the setting of the policy's rules, or `apply` if it has none. All rules of a policy share one
    // setting.
    std::optional<WhenMissing> when_missing = {};
    bool big_m = false;  // the paper's form, with a constant that is large enough on the policy's domain
    // Rows from which to learn bounds of derived features that do not follow from the bounds of their columns; may be
    // null.
    const Table* rows = nullptr;
};

struct Constrained {
    Policy policy;
    bool conflict_free = false;  // it is proved that the rules leave every row a treatment
};

// Returns the same model under its own rules and these. Derived features that the rules need become inputs that the
// model ignores. `source` names the rules in messages. Throws like needed_features(), bind_rules() and
// refuse_conflicts().
[[nodiscard]] Constrained constrain(const Policy& policy, const Rules& rules, std::string_view source,
                                    const ConstrainOptions& options = {}, const Progress& progress = {});

// What the policy's rules do if a value is missing, after `wanted` is added. Throws a usage error if the policy's own
// rules do something else than `wanted`.
[[nodiscard]] WhenMissing when_missing_for(const RuleBook& rules, const std::optional<WhenMissing>& wanted);

// Throws an error of the kind `proof`, with a witness row, if the policy's rules can leave no treatment on the domain
// of its encoder. Throws a data error if a treatment has the name reserved for "no treatment". The first `of_model`
// rules belong to the model, not to the source. Returns whether it is proved that there is no conflict.
bool refuse_conflicts(const RuleBook& rules, const Encoder& encoder, const std::vector<std::string>& treatments,
                      std::string_view source, std::size_t of_model = 0, const Progress& progress = {});

// The treatments that at least one rule of the policy can forbid.
[[nodiscard]] TreatmentSet ever_forbidden(const BoundRules& rules);

}  // namespace polyrx
