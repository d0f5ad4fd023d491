// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/only_unsupported.hpp"

#include <bit>

namespace polyrx {

std::size_t count_only_unsupported(const BoundRules& rules, const Matrix& rows) {
    return count_only_unsupported(rules, InputColumns(rules.asked_inputs(), rows));
}

std::size_t count_only_unsupported(const BoundRules& rules, const InputColumns& columns) {
    if (rules.rules().empty() || rules.support().empty()) return 0;
    const BoundRules without_rules({}, static_cast<std::size_t>(std::bit_width(rules.all())), rules.support());
    const std::vector<TreatmentSet> allowed = rules.allowed(columns);
    const std::vector<TreatmentSet> supported = without_rules.supported(columns);
    std::size_t count = 0;
    for (std::size_t i = 0; i < allowed.size(); ++i)
        count += allowed[i] != 0 && (allowed[i] & supported[i]) == 0 ? 1 : 0;
    return count;
}

}  // namespace polyrx
