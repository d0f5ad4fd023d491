// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/constrain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"
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

WhenMissing when_missing_for(const RuleBook& rules, const std::optional<WhenMissing>& wanted) {
    if (rules.empty()) return wanted.value_or(WhenMissing::apply);
    if (wanted && *wanted != rules.when_missing)
        throw usage_error(fmt::format(
            "where a missing value leaves a rule open, the model's rules {}, and new ones must do the same: "
            "expected --when-missing {}",
            rules.when_missing == WhenMissing::apply ? "apply" : "are skipped", name_of(rules.when_missing)));
    return rules.when_missing;
}

bool refuse_conflicts(const RuleBook& rules, const Encoder& encoder, const std::vector<std::string>& treatments,
                      std::string_view source, std::size_t of_model, const Progress& progress) {
    if (std::ranges::find(treatments, none_label) != treatments.end())
        throw data_error(
            fmt::format("a treatment is called {}, which is what is written where rules leave no treatment: with rules "
                        "it needs another label",
                        in_quotes(none_label)));
    const Conflict conflict = find_conflict(rules.bound, encoder, domain_of(encoder), progress);
    if (conflict.answer == FoundRow::Answer::found)
        throw Error(ErrorKind::proof, fmt::format("{}: {}", source, describe(conflict, rules.rules, of_model)));
    return conflict.answer == FoundRow::Answer::none;
}

Constrained constrain(const Policy& policy, const Rules& rules, std::string_view source,
                      const ConstrainOptions& options, const Progress& progress) {
    if (options.big_m) require_network(policy, "--big-m");
    Constrained result{policy};
    Policy& constrained = result.policy;
    Rules all = joined(policy.rules.rules, rules);
    constrained.encoder = with_derived(constrained.encoder, needed_features(all, policy.encoder, source), options.rows);
    const auto more = static_cast<Eigen::Index>(constrained.encoder.columns().size() - policy.encoder.columns().size());
    if (policy.baseline)
        constrained.baseline = add_ignored_inputs(*policy.baseline, more);
    else
        constrained.network = add_ignored_inputs(policy.network, more);
    constrained.rules = make_rule_book(std::move(all), when_missing_for(policy.rules, options.when_missing),
                                       constrained.encoder, constrained.treatments, source, policy.rules.support);
    // The policy has not been compared with practice under the new rules.
    if (constrained.recommendation && constrained.recommendation->recommended)
        constrained.recommendation = {false,
                                      "NOT recommended: rules were added after the policy was compared with current "
                                      "practice (fit --rules compares it with them)."};
    result.conflict_free = refuse_conflicts(constrained.rules, constrained.encoder, constrained.treatments, source,
                                            policy.rules.rules.rules.size(), progress);
    if (options.big_m)
        constrained.rules.big_m =
            sufficient_big_m(constrained.network, policy_domain(constrained), ever_forbidden(constrained.rules.bound));
    return result;
}

}  // namespace polyrx
