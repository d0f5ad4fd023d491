// SPDX-License-Identifier: Apache-2.0
// The rules of a policy: as their author wrote them, and as prescribing obeys them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/rules/bind.hpp"

namespace polyrx {

// What is written in place of a treatment where rules leave none.
inline constexpr const char* none_label = "none";

struct RuleBook {
    Rules rules;
    WhenMissing when_missing = WhenMissing::apply;
    // The paper's form: this is added to the outcome of a treatment for each rule that forbids it. Without it, what is
    // not allowed is not compared.
    std::optional<double> big_m = {};
    BoundRules bound = {};  // follows from the rules, the encoder and the treatments

    [[nodiscard]] bool empty() const { return rules.rules.empty(); }
};

[[nodiscard]] inline RuleBook make_rule_book(Rules rules, WhenMissing when_missing, const Encoder& encoder,
                                             const std::vector<std::string>& treatments, std::string_view source) {
    BoundRules bound = bind_rules(rules, encoder, treatments, when_missing, source);
    return {.rules = std::move(rules), .when_missing = when_missing, .bound = std::move(bound)};
}

}  // namespace polyrx
