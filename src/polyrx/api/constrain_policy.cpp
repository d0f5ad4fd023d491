// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/constrain_policy.hpp"

#include <fmt/format.h>

#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

ChangedPrescriptions changed_prescriptions(const Policy& before, const Policy& after, const Table& rows, int threads,
                                           const Progress& progress) {
    const std::vector<int> was = prescribe(before, rows, {.threads = threads}, progress).treatment;
    const std::vector<int> is = prescribe(after, rows, {.threads = threads}, progress).treatment;
    ChangedPrescriptions change{rows.rows()};
    for (std::size_t i = 0; i < was.size(); ++i) {
        change.changed += was[i] != is[i] ? 1 : 0;
        change.none += is[i] == no_treatment ? 1 : 0;
    }
    change.only_unsupported = count_only_unsupported(after, rows, {.threads = threads}, progress);
    return change;
}

std::string change_words(const ChangedPrescriptions& change) {
    const double share = change.rows == 0 ? 0 : static_cast<double>(change.changed) / static_cast<double>(change.rows);
    return fmt::format("{} of {} changed by the rules ({:.1f} %)", grouped(change.changed),
                       counted(change.rows, "prescription"), 100 * share);
}

}  // namespace

ConstrainedPolicy constrain_policy(const Policy& policy, const Rules& rules, const std::string& source,
                                   const ConstrainPolicyOptions& options, const Progress& progress) {
    if (rules.rules.empty()) throw data_error(fmt::format("{}: there are no rules in it", source));
    auto [constrained, conflict_free] =
        constrain(policy, rules, source,
                  {.when_missing = options.when_missing, .big_m = options.big_m, .rows = options.rows}, progress);
    ConstrainedPolicy result{.policy = std::move(constrained)};
    if (options.rows) {
        result.change = changed_prescriptions(policy, result.policy, *options.rows, options.threads, progress);
        result.notes.push_back(change_words(*result.change));
        if (result.change->only_unsupported > 0)
            result.notes.push_back(only_unsupported_words(result.change->only_unsupported, result.change->rows,
                                                          *result.policy.rules.support));
    }
    if (result.policy.rules.big_m) result.notes.push_back(big_m_words(result.policy));
    if (!conflict_free) result.warnings.push_back(not_certain_words(source));
    return result;
}

Json json_of(const ConstrainedPolicy& constrained, const std::string& model) {
    const RuleBook& rules = constrained.policy.rules;
    Json json = {{"model", model}, {"rules", rules.rules.rules.size()}};
    if (const auto& change = constrained.change) {
        json["rows"] = change->rows;
        json["changed"] = change->changed;
        json["none"] = change->none;
        if (rules.support) json["only_unsupported_allowed"] = change->only_unsupported;
    }
    if (rules.big_m) json["big_m"] = *rules.big_m;
    return json;
}

}  // namespace polyrx
