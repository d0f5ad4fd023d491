// SPDX-License-Identifier: Apache-2.0
// Parses the conditions and formulas of rules, from tokens.
#pragma once

#include "polyrx/rules/language/lexer.hpp"
#include "polyrx/rules/language/rules.hpp"

namespace polyrx {

// Greatest nesting of parentheses, calls, signs, exponents and `not`.
inline constexpr int deepest_nesting = 200;
// Greatest number of operators from a formula down to an operand, so that functions may recurse.
inline constexpr int highest_formula = 1000;
// Longer sums are halved repeatedly, down to at most `short_sum` terms. So a sum of 10,000 terms is about 24 operators
// high.
inline constexpr std::size_t longest_sum = 64;
inline constexpr std::size_t short_sum = 16;

// The number of terms that are added from left to right: 3 in a - b + (c + d), 1 if not a sum.
[[nodiscard]] std::size_t terms_of(const Formula& formula);

// Both start at the current token. A condition ends before `then`, a formula at the end of the line.
[[nodiscard]] Condition read_condition(Lexer& lexer);
[[nodiscard]] Formula read_formula(Lexer& lexer);

}  // namespace polyrx
