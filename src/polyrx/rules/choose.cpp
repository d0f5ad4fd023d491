// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/choose.hpp"

#include "polyrx/core/argmin_rows.hpp"

namespace polyrx {

int best_of(TreatmentSet allowed, const Outputs& outputs) {
    int best = no_treatment;
    for (int k = 0; k < static_cast<int>(outputs.size()); ++k)
        if (has(allowed, k) && (best == no_treatment || outputs[k] < outputs[best])) best = k;
    return best;
}

int choose_by_big_m(const BoundRules& rules, double big_m, const double* row, const Outputs& outputs) {
    Eigen::RowVectorXd penalized = outputs;
    for (const BoundRule& rule : rules.rules()) {
        if (!rule.applies.holds(row)) continue;
        for (int k = 0; k < static_cast<int>(outputs.size()); ++k)
            if (!has(rule.allowed, k)) penalized[k] += big_m;
    }
    return best_of(rules.all(), penalized);
}

std::vector<int> choose(const RuleBook& rules, const Matrix& rows, const Matrix& outputs) {
    if (!rules.big_m) return choose(rules.bound, rows, outputs);
    const std::vector<TreatmentSet> allowed = rules.bound.supported(rows);
    std::vector<int> chosen = choose(allowed, outputs);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        const int by_penalty = choose_by_big_m(rules.bound, *rules.big_m, rows.row(row).data(), outputs.row(row));
        // Outside the domain for which big M was computed, it may be too small; the rules hold nevertheless.
        if (by_penalty != no_treatment && has(allowed[i], by_penalty)) chosen[i] = by_penalty;
    }
    return chosen;
}

std::string_view name_of(Reason reason) {
    if (reason == Reason::outcome) return "outcome";
    return reason == Reason::rule ? "rule" : "support";
}

std::vector<Reason> reasons_of(const BoundRules& rules, const Matrix& rows, const Matrix& outputs,
                               std::span<const int> chosen) {
    std::vector<Reason> reasons(chosen.size(), Reason::outcome);
    if (rules.empty()) return reasons;
    const std::vector<TreatmentSet> allowed = rules.allowed(rows);
    const std::vector<TreatmentSet> supported = rules.supported(rows);
    const std::vector<int> without_rules = choose(rules.without_rules(), rows, outputs);
    const auto no_worse = [&](std::size_t row, TreatmentSet set) {
        const auto of = outputs.row(static_cast<Eigen::Index>(row));
        for (int k = 0; k < outputs.cols(); ++k)
            if (has(set, k) && of[k] <= of[chosen[row]]) return true;
        return false;
    };
    for (std::size_t i = 0; i < reasons.size(); ++i)
        if (chosen[i] != no_treatment && no_worse(i, allowed[i] & ~supported[i]))
            reasons[i] = Reason::support;
        else if (chosen[i] != without_rules[i])
            reasons[i] = Reason::rule;
    return reasons;
}

std::vector<int> choose(const BoundRules& rules, const Matrix& rows, const Matrix& outputs) {
    return rules.empty() ? argmin_rows(outputs) : choose(rules.supported(rows), outputs);
}

std::vector<int> choose(std::span<const TreatmentSet> allowed, const Matrix& outputs) {
    std::vector<int> chosen = argmin_rows(outputs);
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (!has(allowed[i], chosen[i])) chosen[i] = best_of(allowed[i], outputs.row(static_cast<Eigen::Index>(i)));
    return chosen;
}

}  // namespace polyrx
