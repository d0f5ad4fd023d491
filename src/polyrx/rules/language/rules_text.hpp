// SPDX-License-Identifier: Apache-2.0
// Writes rules as text with the fewest parentheses, necessary quotes, and the shortest numbers that read back exactly.
#pragma once

#include <string>
#include <string_view>

#include "polyrx/rules/language/rules.hpp"

namespace polyrx {

// parse_rules() and parse_formula() read the text as the same value, with two exceptions that they never produce. A
// negative number reads as the negation of a positive one. A value nested more than 200 levels deep or more than 1,000
// operators high (expression.hpp) is rejected. Derived features come first, one statement per line; every line has a
// line end. Throws a data error for numbers that are not finite, and for names and labels that are empty or contain a
// line end or another control character.
[[nodiscard]] std::string to_text(const Rules& rules);
[[nodiscard]] std::string to_text(const Rule& rule);
[[nodiscard]] std::string to_text(const Condition& condition);
[[nodiscard]] std::string to_text(const Formula& formula);

// Whether this is `missing(x)`, short for `missing(x) = 1`.
[[nodiscard]] bool tests_missing(const Condition& condition);

// "<", "<=", ">", ">=", "=", "!=".
[[nodiscard]] std::string_view sign_of(Relation relation);

}  // namespace polyrx
