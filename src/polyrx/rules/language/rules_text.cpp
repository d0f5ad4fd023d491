// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/language/rules_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/rules/language/expression.hpp"
#include "polyrx/rules/language/words.hpp"

namespace polyrx {
namespace {

using Kind = Formula::Kind;

// Precedence levels of formulas. A formula needs parentheses where a higher level is required.
enum class Hold { sum, product, sign, power, primary };

Hold hold_of(const Formula& formula) {
    switch (formula.kind) {
        case Kind::add:
        case Kind::subtract:
            return Hold::sum;
        case Kind::multiply:
        case Kind::divide:
            return Hold::product;
        case Kind::negate:
            return Hold::sign;
        case Kind::power:
            return Hold::power;
        case Kind::number:
            return std::signbit(formula.number) ? Hold::sign : Hold::primary;
        default:
            return Hold::primary;
    }
}

// Appends to the caller's text. A separate text per operand would be copied once per level.
void write(std::string& text, const Formula& formula);

void write(std::string& text, const Formula& formula, Hold needed) {
    const bool bare = hold_of(formula) >= needed;
    if (!bare) text += '(';
    write(text, formula);
    if (!bare) text += ')';
}

void write_call(std::string& text, const Formula& formula) {
    text += name_of_function(formula.kind);
    const char* before = "(";
    for (const Formula& operand : formula.operands) {
        text += before;
        write(text, operand);
        before = ", ";
    }
    text += ')';
}

// Whether a sum needs parentheses to read back the same. Without them, the parser would halve a sum of more than
// `longest_sum` terms.
bool would_be_halved(const Formula& left) {
    const std::size_t terms = terms_of(left);
    return terms > 1 && (terms - 1) % (longest_sum - 1) == 0;
}

void write_sum(std::string& text, const Formula& formula, std::string_view sign) {
    const Formula& left = formula.operands[0];
    write(text, left, would_be_halved(left) ? Hold::product : Hold::sum);
    text += sign;
    write(text, formula.operands[1], Hold::product);
}

void write_operator(std::string& text, const Formula& formula, Hold left, std::string_view sign, Hold right) {
    write(text, formula.operands[0], left);
    text += sign;
    write(text, formula.operands[1], right);
}

void write(std::string& text, const Formula& formula) {
    switch (formula.kind) {
        case Kind::number:
            if (!std::isfinite(formula.number))
                throw data_error(fmt::format("the number {} cannot be written in rules", formula.number));
            text += fmt::format("{}", formula.number);
            return;
        case Kind::name:
            text += name_text(formula.name);
            return;
        case Kind::missing:
            text += fmt::format("missing({})", name_text(formula.name));
            return;
        case Kind::negate:
            text += '-';
            return write(text, formula.operands[0], Hold::sign);
        // These operators associate to the left, so only a right operand of the same level needs parentheses.
        case Kind::add:
            return write_sum(text, formula, " + ");
        case Kind::subtract:
            return write_sum(text, formula, " - ");
        case Kind::multiply:
            return write_operator(text, formula, Hold::product, " * ", Hold::sign);
        case Kind::divide:
            return write_operator(text, formula, Hold::product, " / ", Hold::sign);
        case Kind::power:  // associates to the right
            return write_operator(text, formula, Hold::primary, "^", Hold::sign);
        default:
            return write_call(text, formula);
    }
}

// ---- conditions

bool is_less(Relation relation) {
    return relation == Relation::less || relation == Relation::less_equal;
}

// 18 <= age < 65
bool is_chain(const Condition& condition) {
    if (condition.kind != Condition::Kind::all_of || condition.operands.size() < 2) return false;
    const Relation first = condition.operands.front().relation;
    for (std::size_t i = 0; i < condition.operands.size(); ++i) {
        const Condition& here = condition.operands[i];
        if (here.kind != Condition::Kind::comparison || here.relation == Relation::equal ||
            here.relation == Relation::not_equal || is_less(here.relation) != is_less(first))
            return false;
        if (i > 0 && condition.operands[i - 1].right != here.left) return false;
    }
    return true;
}

void write(std::string& text, const Condition& condition);

void write_operand(std::string& text, const Condition& operand, bool bare) {
    if (!bare) text += '(';
    write(text, operand);
    if (!bare) text += ')';
}

void write(std::string& text, const Condition& condition) {
    using Of = Condition::Kind;
    const auto is_single = [](const Condition& operand) {
        return operand.kind == Of::comparison || operand.kind == Of::negation || is_chain(operand);
    };
    if (tests_missing(condition)) {
        write(text, condition.left);
    } else if (condition.kind == Of::comparison || is_chain(condition)) {
        const bool single = condition.kind == Of::comparison;
        write(text, single ? condition.left : condition.operands.front().left);
        for (std::size_t i = 0; i < (single ? 1 : condition.operands.size()); ++i) {
            const Condition& comparison = single ? condition : condition.operands[i];
            text += fmt::format(" {} ", sign_of(comparison.relation));
            write(text, comparison.right);
        }
    } else if (condition.kind == Of::negation) {
        text += "not ";
        write_operand(text, condition.operands.front(), is_single(condition.operands.front()));
    } else {
        const bool all = condition.kind == Of::all_of;
        std::string_view word;
        for (const Condition& operand : condition.operands) {
            text += word;
            write_operand(text, operand, is_single(operand) || (!all && operand.kind == Of::all_of));
            word = all ? " and " : " or ";
        }
    }
}

}  // namespace

bool tests_missing(const Condition& condition) {
    return condition.kind == Condition::Kind::comparison && condition.left.kind == Kind::missing &&
           condition.relation == Relation::equal && condition.right == Formula{.number = 1};
}

std::string_view sign_of(Relation relation) {
    switch (relation) {
        case Relation::less:
            return "<";
        case Relation::less_equal:
            return "<=";
        case Relation::greater:
            return ">";
        case Relation::greater_equal:
            return ">=";
        case Relation::equal:
            return "=";
        case Relation::not_equal:
            break;
    }
    return "!=";
}

std::string to_text(const Formula& formula) {
    std::string text;
    write(text, formula);
    return text;
}

std::string to_text(const Condition& condition) {
    std::string text;
    write(text, condition);
    return text;
}

std::string to_text(const Rule& rule) {
    std::string text = "if ";
    write(text, rule.condition);
    text += " then ";
    std::string_view before = rule.exclude ? "not " : "";
    for (const std::string& treatment : rule.treatments) {
        text += before;
        text += treatment_text(treatment);
        before = ", ";
    }
    return text;
}

std::string to_text(const Rules& rules) {
    std::string text;
    for (const Let& let : rules.lets) text += fmt::format("let {} = {}\n", name_text(let.name), to_text(let.formula));
    for (const Rule& rule : rules.rules) text += to_text(rule) + "\n";
    return text;
}

}  // namespace polyrx
