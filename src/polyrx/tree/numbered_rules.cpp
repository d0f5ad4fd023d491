// SPDX-License-Identifier: Apache-2.0
#include "polyrx/tree/numbered_rules.hpp"

#include <algorithm>

namespace polyrx {
namespace {

std::size_t number_of(const HalfSpace& half_space, std::vector<HalfSpace>& known) {
    const auto found = std::find(known.begin(), known.end(), half_space);
    const auto number = static_cast<std::size_t>(found - known.begin());
    if (found == known.end()) known.push_back(half_space);
    return number;
}

NumberedCondition numbered(const BoundCondition& condition, std::vector<HalfSpace>& known) {
    NumberedCondition result{condition.kind};
    if (condition.kind == BoundCondition::Kind::half_space) result.half_space = number_of(condition.half_space, known);
    for (const BoundCondition& operand : condition.operands) result.operands.push_back(numbered(operand, known));
    return result;
}

}  // namespace

NumberedRules::NumberedRules(const BoundRules& bound, std::size_t treatments)
    : all(bound.all() & all_treatments(treatments)) {
    for (const BoundRule& rule : bound.rules())
        rules.push_back({numbered(rule.applies, half_spaces), rule.allowed & all});
    for (const SupportRule& rule : bound.support())
        support.push_back({rule.treatment, rule.instead, numbered(rule.applies, half_spaces)});
}

}  // namespace polyrx
