// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/constrain.hpp"

#include <fmt/format.h>

#include "polyrx/core/error.hpp"
#include "polyrx/network/big_m.hpp"
#include "polyrx/network/fold.hpp"
#include "polyrx/policy/policy_domain.hpp"
#include "polyrx/rules/conflicts.hpp"

namespace polyrx {

TreatmentSet ever_forbidden(const BoundRules& rules) {
    TreatmentSet forbidden = 0;
    for (const BoundRule& rule : rules.rules()) forbidden |= rules.all() & ~rule.allowed;
    return forbidden;
}

void refuse_conflicts(const RuleBook& rules, const Encoder& encoder, std::string_view source) {
    const Conflict conflict = find_conflict(rules.bound, encoder, domain_of(encoder));
    if (conflict.answer != FoundRow::Answer::found) return;
    throw Error(Trouble::proof, fmt::format("{}: {}", source, describe(conflict, rules.rules)));
}

Policy constrain(const Policy& policy, const Rules& rules, std::string_view source, const ConstrainOptions& options) {
    Policy constrained = policy;
    Rules all = policy.rules.rules;
    all.lets.insert(all.lets.end(), rules.lets.begin(), rules.lets.end());
    all.rules.insert(all.rules.end(), rules.rules.begin(), rules.rules.end());
    all.lines = rules.lines;
    for (const DerivedFeature& derived : needed_features(all, policy.encoder, source))
        constrained.encoder = with_derived(constrained.encoder, derived, options.rows);
    constrained.network = add_ignored_inputs(
        policy.network, static_cast<Eigen::Index>(constrained.encoder.columns().size()) - policy.network.inputs());
    constrained.rules =
        make_rule_book(std::move(all), options.when_missing, constrained.encoder, constrained.treatments, source);
    refuse_conflicts(constrained.rules, constrained.encoder, source);
    if (options.big_m)
        constrained.rules.big_m =
            sufficient_big_m(constrained.network, policy_domain(constrained), ever_forbidden(constrained.rules.bound));
    return constrained;
}

}  // namespace polyrx
