// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/explain.hpp"

#include <fmt/format.h>

#include "polyrx/rules/language/rules_text.hpp"

namespace polyrx {
namespace {

std::string_view words_of(Relation relation) {
    switch (relation) {
        case Relation::less:
            return "below";
        case Relation::less_equal:
            return "at most";
        case Relation::greater:
            return "above";
        case Relation::greater_equal:
            return "at least";
        case Relation::equal:
            return "equal to";
        case Relation::not_equal:
            return "other than";
    }
    return "";
}

// A quoted label needs no quotes outside of arithmetic.
std::string shown(const Formula& formula) {
    return formula.kind == Formula::Kind::name ? formula.name : to_text(formula);
}

std::string words_of(const Condition& condition, bool within) {
    if (tests_missing(condition)) return fmt::format("{} is missing", condition.left.name);
    if (condition.kind == Condition::Kind::negation && tests_missing(condition.operands.front()))
        return fmt::format("{} is not missing", condition.operands.front().left.name);
    if (condition.kind == Condition::Kind::comparison) {
        const bool label = condition.relation == Relation::equal && condition.right.kind == Formula::Kind::name;
        return fmt::format("{} is {}{}", shown(condition.left),
                           label ? "" : fmt::format("{} ", words_of(condition.relation)), shown(condition.right));
    }
    if (condition.kind == Condition::Kind::negation)
        return fmt::format("not ({})", words_of(condition.operands.front(), false));
    std::string words;
    for (const Condition& operand : condition.operands) {
        if (!words.empty()) words += condition.kind == Condition::Kind::all_of ? " and " : " or ";
        words += words_of(operand, true);
    }
    return within ? fmt::format("({})", words) : words;
}

std::string alternatives(const std::vector<std::string>& labels, std::string_view last) {
    std::string words;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (i > 0) words += i + 1 == labels.size() ? fmt::format(" {} ", last) : ", ";
        words += labels[i];
    }
    return words;
}

}  // namespace

std::string explain(const Rule& rule) {
    const std::string where = words_of(rule.condition, false);
    return rule.exclude
               ? fmt::format("Where {}, {} may not be prescribed.", where, alternatives(rule.treatments, "and"))
               : fmt::format("Where {}, only {} may be prescribed.", where, alternatives(rule.treatments, "or"));
}

std::string explain(WhenMissing when_missing) {
    return when_missing == WhenMissing::apply
               ? "If a missing value leaves open whether a rule applies, the rule applies."
               : "If a missing value leaves open whether a rule applies, the rule does not apply.";
}

}  // namespace polyrx
