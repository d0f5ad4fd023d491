// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/choose.hpp"

namespace polyrx {
namespace {

std::vector<int> choose(const BoundRules& rules, const std::optional<double>& big_m, const Matrix& rows,
                        const Matrix& outputs) {
    std::vector<int> chosen = argmin_rows(outputs);
    if (rules.empty()) return chosen;
    const std::vector<TreatmentSet> allowed = rules.allowed(rows);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (has(allowed[i], chosen[i])) continue;
        const auto row = static_cast<Eigen::Index>(i);
        if (big_m && allowed[i] != 0) {
            chosen[i] = choose_by_big_m(rules, *big_m, rows.row(row).data(), outputs.row(row));
            // Outside of the domain that the number was made for it may be too small, and a rule is kept all the same.
            if (has(allowed[i], chosen[i])) continue;
        }
        chosen[i] = best_of(allowed[i], outputs.row(row));
    }
    return chosen;
}

}  // namespace

int best_of(TreatmentSet allowed, const Outputs& outputs) {
    int best = no_treatment;
    for (int k = 0; k < static_cast<int>(outputs.size()); ++k)
        if (has(allowed, k) && (best == no_treatment || outputs[k] < outputs[best])) best = k;
    return best;
}

int choose_by_big_m(const BoundRules& rules, double big_m, const double* row, const Outputs& outputs) {
    Eigen::RowVectorXd penalised = outputs;
    for (const BoundRule& rule : rules.rules()) {
        if (!rule.applies.holds(row)) continue;
        for (int k = 0; k < static_cast<int>(outputs.size()); ++k)
            if (!has(rule.allowed, k)) penalised[k] += big_m;
    }
    return best_of(rules.all(), penalised);
}

std::vector<int> choose(const RuleBook& rules, const Matrix& rows, const Matrix& outputs) {
    return choose(rules.bound, rules.big_m, rows, outputs);
}

std::vector<int> choose(const BoundRules& rules, const Matrix& rows, const Matrix& outputs) {
    return choose(rules, std::nullopt, rows, outputs);
}

}  // namespace polyrx
