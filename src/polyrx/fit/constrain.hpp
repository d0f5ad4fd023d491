// SPDX-License-Identifier: Apache-2.0
// Rules for a policy that is trained already.
#pragma once

#include <string_view>

#include "polyrx/policy/policy.hpp"

namespace polyrx {

struct ConstrainOptions {
    WhenMissing when_missing = WhenMissing::apply;
    bool big_m = false;  // the paper's form, with a number that suffices on the policy's domain
    // Rows to learn the bounds of derived features from where they do not follow from those of their columns; may be
    // null.
    const Table* rows = nullptr;
};

// The same network under the rules that the policy has and these. Derived features that they need become inputs that
// the network ignores. `source` names the rules in messages. Throws like needed_features(), bind_rules() and
// refuse_conflicts().
[[nodiscard]] Policy constrain(const Policy& policy, const Rules& rules, std::string_view source,
                               const ConstrainOptions& options = {});

// Throws an error of the kind `proof`, with a row as witness, if the policy's rules can leave no treatment on the
// domain of its encoder.
void refuse_conflicts(const RuleBook& rules, const Encoder& encoder, std::string_view source);

// The treatments that some rule of the policy forbids somewhere.
[[nodiscard]] TreatmentSet ever_forbidden(const BoundRules& rules);

}  // namespace polyrx
