// SPDX-License-Identifier: Apache-2.0
// Rules as text: the fewest parentheses, quotes only where needed, numbers in the fewest digits that read back.
#pragma once

#include <string>
#include <string_view>

#include "polyrx/rules/language/rules.hpp"

namespace polyrx {

// What parse_rules() and parse_formula() read as the same value, with two exceptions, neither of which they make: a
// negative number is read as the negation of a positive one, and what is nested more than 200 levels deep or more than
// 1,000 operators high (expression.hpp) is refused. Derived features come first, one statement per line, and the last
// line is ended too.
// Numbers must be finite, and names and labels must be ones that the language can write (not empty, no line end or
// other control character): else a data error.
[[nodiscard]] std::string to_text(const Rules& rules);
[[nodiscard]] std::string to_text(const Rule& rule);
[[nodiscard]] std::string to_text(const Condition& condition);
[[nodiscard]] std::string to_text(const Formula& formula);

// `missing(x)` alone, which is short for `missing(x) = 1`.
[[nodiscard]] bool tests_missing(const Condition& condition);

// "<", "<=", ">", ">=", "=", "!=".
[[nodiscard]] std::string_view sign_of(Relation relation);

}  // namespace polyrx
