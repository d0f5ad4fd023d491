// SPDX-License-Identifier: Apache-2.0
// Parses the conditions and formulas of rules, from tokens.
#pragma once

#include "polyrx/rules/language/lexer.hpp"
#include "polyrx/rules/language/rules.hpp"

namespace polyrx {

// Parentheses, calls, signs, exponents and `not` within each other.
inline constexpr int deepest_nesting = 200;
// Operators on the way from a formula to the operand furthest down. Whoever walks a formula may recurse.
inline constexpr int highest_formula = 1000;
// A sum of more terms than this is halved again and again, down to sums of at most `short_sum` terms, so that a sum of
// ten thousand is two dozen operators high.
inline constexpr std::size_t longest_sum = 64;
inline constexpr std::size_t short_sum = 16;

// How many terms are added from left to right: 3 in a - b + (c + d), 1 in what is no sum.
[[nodiscard]] std::size_t terms_of(const Formula& formula);

// Each begins at the current token. A condition ends before `then`, a formula at the end of the line.
[[nodiscard]] Condition read_condition(Lexer& lexer);
[[nodiscard]] Formula read_formula(Lexer& lexer);

}  // namespace polyrx
