// SPDX-License-Identifier: Apache-2.0
// What a policy may prescribe: the user's rules, support, and both in bound form.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/rules/bind.hpp"
#include "polyrx/rules/support.hpp"

namespace polyrx {

// Written in place of a treatment if rules leave none.
inline constexpr const char* none_label = "none";

struct RuleBook {
    Rules rules;
    WhenMissing when_missing = WhenMissing::apply;
    // The paper's form: each rule adds this to the outcomes of treatments that it forbids. Empty: forbidden treatments
    // are not compared.
    std::optional<double> big_m = {};
    // Empty: treatments are also prescribed where the data do not support them (extrapolation).
    std::optional<Support> support = {};
    BoundRules bound = {};  // derived from the rules, the support, the encoder and the treatments

    // The user gave no rules.
    [[nodiscard]] bool empty() const { return rules.rules.empty(); }
};

[[nodiscard]] inline RuleBook make_rule_book(Rules rules, WhenMissing when_missing, const Encoder& encoder,
                                             const std::vector<std::string>& treatments, std::string_view source,
                                             std::optional<Support> support = {}) {
    BoundRules by_rules = bind_rules(rules, encoder, treatments, when_missing, source);
    std::vector<SupportRule> by_support;
    if (support) by_support = bind_support(*support, encoder, treatments.size());
    BoundRules bound(by_rules.rules(), treatments.size(), std::move(by_support));
    return {.rules = std::move(rules),
            .when_missing = when_missing,
            .support = std::move(support),
            .bound = std::move(bound)};
}

}  // namespace polyrx
