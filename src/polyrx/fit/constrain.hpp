// SPDX-License-Identifier: Apache-2.0
// Rules for a policy that is trained already.
#pragma once

#include <optional>
#include <string_view>

#include "polyrx/policy/policy.hpp"

namespace polyrx {

struct ConstrainOptions {
    // Not given: as the policy's rules have it, or `apply` if it has none. All rules of a policy have it alike.
    std::optional<WhenMissing> when_missing = {};
    bool big_m = false;  // the paper's form, with a number that suffices on the policy's domain
    // Rows to learn the bounds of derived features from where they do not follow from those of their columns; may be
    // null.
    const Table* rows = nullptr;
};

struct Constrained {
    Policy policy;
    bool conflict_free = false;  // it is certain that the rules leave every row a treatment
};

// The same model under the rules that the policy has and these. Derived features that they need become inputs that it
// ignores. `source` names the rules in messages. Throws like needed_features(), bind_rules() and
// refuse_conflicts().
[[nodiscard]] Constrained constrain(const Policy& policy, const Rules& rules, std::string_view source,
                                    const ConstrainOptions& options = {}, const Progress& progress = {});

// What rules of a policy do where a value is missing, if these are added to them. Throws a usage error if the policy's
// own rules do something else than is wanted.
[[nodiscard]] WhenMissing when_missing_for(const RuleBook& rules, const std::optional<WhenMissing>& wanted);

// Throws an error of the kind `proof`, with a row as witness, if the policy's rules can leave no treatment on the
// domain of its encoder, and a data error if a treatment is called what stands for "no treatment". The first `of_model`
// of the rules are not those of the source. Returns whether it is certain that there is no conflict.
bool refuse_conflicts(const RuleBook& rules, const Encoder& encoder, const std::vector<std::string>& treatments,
                      std::string_view source, std::size_t of_model = 0, const Progress& progress = {});

// The treatments that some rule of the policy forbids somewhere.
[[nodiscard]] TreatmentSet ever_forbidden(const BoundRules& rules);

}  // namespace polyrx
