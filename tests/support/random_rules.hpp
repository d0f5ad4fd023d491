// SPDX-License-Identifier: Apache-2.0
// Random formulas, conditions and rules, of names and numbers that are hard to write; and what reading makes of them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "polyrx/rules/language/rules.hpp"

namespace polyrx::test {

// Most are plain; some are words of the language, hold every kind of quote, or look like something else.
inline std::string random_name(Rng& rng) {
    constexpr std::array plain = {"age", "bmi",       "weight", "creatinine", "INR",
                                  "x1",  "lab.value", ".x",     "größe",      "年齢"};
    constexpr std::array odd = {"if",     "Then",     "NOT",    "log",        "missing",  "north wing", "5 mg",
                                "1e5",    "-1",       ".5",     "#",          "a#b",      "a,b",        " lead",
                                "trail ", "\"",       "'",      "`",          "it's",     "\"'`",       "\"\"''``",
                                "a\tb",   "not this", "not",    "nothing",    "then",     "(x)",        "a\\nb",
                                "≤",      "x²",       "\u00a0", "\U0001f48a", "not\"q\"", "not,",       "or"};
    if (rng.bernoulli(0.6)) return plain[rng.below(plain.size())];
    if (rng.bernoulli(0.8)) return odd[rng.below(odd.size())];
    std::string both = odd[rng.below(odd.size())];
    return both + odd[rng.below(odd.size())];
}

inline double random_number(Rng& rng, bool negative) {
    constexpr std::array special = {0.0,
                                    1.0,
                                    0.1,
                                    1e21,
                                    1e-7,
                                    123456789012345678.0,
                                    std::numeric_limits<double>::max(),
                                    std::numeric_limits<double>::min(),
                                    std::numeric_limits<double>::denorm_min()};
    double number = 0;
    switch (rng.below(4)) {
        case 0:
            number = static_cast<double>(rng.below(1000));
            break;
        case 1:
            number = std::round(rng.uniform(0, 1000)) / 100;
            break;
        case 2:
            number = std::abs(rng.normal()) * std::pow(10, rng.uniform(-300, 300));
            break;
        default:
            number = special[rng.below(special.size())];
    }
    return negative && rng.bernoulli(0.3) ? -number : number;
}

// Of about `size` operators.
inline Formula random_formula(Rng& rng, int size, bool negative_numbers) {
    using Kind = Formula::Kind;
    if (size <= 0) {
        if (rng.bernoulli(0.4)) return {.number = random_number(rng, negative_numbers)};
        return {.kind = rng.bernoulli(0.1) ? Kind::missing : Kind::name, .name = random_name(rng)};
    }
    constexpr std::array operators = {Kind::add,    Kind::subtract, Kind::multiply, Kind::divide, Kind::power,
                                      Kind::negate, Kind::add,      Kind::multiply, Kind::log,    Kind::exp,
                                      Kind::sqrt,   Kind::min,      Kind::max};
    Formula formula{.kind = operators[rng.below(operators.size())]};
    std::size_t operands = 2;
    if (formula.kind == Kind::negate || formula.kind == Kind::log || formula.kind == Kind::exp ||
        formula.kind == Kind::sqrt)
        operands = 1;
    if (formula.kind == Kind::min || formula.kind == Kind::max) operands += rng.below(3);
    int left = size - 1;
    for (std::size_t i = 0; i < operands; ++i) {
        const int share = i + 1 == operands ? left : static_cast<int>(rng.below(static_cast<std::uint64_t>(left) + 1));
        formula.operands.push_back(random_formula(rng, share, negative_numbers));
        left -= share;
    }
    return formula;
}

inline Condition random_condition(Rng& rng, int size, bool negative_numbers) {
    using Kind = Condition::Kind;
    const auto formula = [&] { return random_formula(rng, static_cast<int>(rng.below(4)), negative_numbers); };
    const auto relation = [&](std::uint64_t below) { return static_cast<Relation>(rng.below(below)); };
    if (size <= 0) return {.left = formula(), .relation = relation(6), .right = formula()};
    Condition condition;
    switch (rng.below(4)) {
        case 0:
            condition.kind = Kind::negation;
            condition.operands.push_back(random_condition(rng, size - 1, negative_numbers));
            break;
        case 1: {  // nearly a chain, or one
            condition.kind = Kind::all_of;
            Formula left = formula();
            for (std::uint64_t i = 2 + rng.below(2); i > 0; --i) {
                condition.operands.push_back(
                    {.left = left, .relation = relation(rng.bernoulli(0.9) ? 2 : 6), .right = formula()});
                if (rng.bernoulli(0.9)) left = condition.operands.back().right;
            }
            break;
        }
        default:
            condition.kind = rng.bernoulli(0.5) ? Kind::all_of : Kind::any_of;
            for (std::uint64_t i = 2 + rng.below(2); i > 0; --i)
                condition.operands.push_back(random_condition(
                    rng, static_cast<int>(rng.below(static_cast<std::uint64_t>(size))), negative_numbers));
    }
    return condition;
}

inline Rules random_rules(Rng& rng, bool negative_numbers) {
    Rules rules;
    while (rng.bernoulli(0.5)) {
        const std::string name = random_name(rng);
        if (std::ranges::find(rules.lets, name, &Let::name) != rules.lets.end()) continue;
        rules.lets.push_back({name, random_formula(rng, static_cast<int>(rng.below(20)), negative_numbers)});
    }
    while (rng.bernoulli(0.7)) {
        Rule rule{.condition = random_condition(rng, static_cast<int>(rng.below(5)), negative_numbers),
                  .exclude = rng.bernoulli(0.3),
                  .treatments = {random_name(rng)}};
        while (rng.bernoulli(0.5)) {
            const std::string label = random_name(rng);
            if (std::ranges::find(rule.treatments, label) == rule.treatments.end()) rule.treatments.push_back(label);
        }
        rules.rules.push_back(std::move(rule));
    }
    return rules;
}

// What to_text() writes is read as this: a negative number, -0 too, is the negation of a positive one.
inline Formula as_read(const Formula& formula) {
    if (formula.kind == Formula::Kind::number && std::signbit(formula.number))
        return {.kind = Formula::Kind::negate, .operands = {{.number = -formula.number}}};
    Formula read = formula;
    for (Formula& operand : read.operands) operand = as_read(operand);
    return read;
}

inline Condition as_read(const Condition& condition) {
    Condition read = condition;
    read.left = as_read(condition.left);
    read.right = as_read(condition.right);
    for (Condition& operand : read.operands) operand = as_read(operand);
    return read;
}

inline Rules as_read(Rules rules) {
    for (Let& let : rules.lets) let.formula = as_read(let.formula);
    for (Rule& rule : rules.rules) rule.condition = as_read(rule.condition);
    return rules;
}

}  // namespace polyrx::test
