// SPDX-License-Identifier: Apache-2.0
// Parses rules as text, one statement per line. docs/rules.md has the grammar.
#pragma once

#include <string_view>

#include "polyrx/rules/language/rules.hpp"

namespace polyrx {

// The text may contain no rules. Syntax errors are TextErrors (text_error.hpp) that begin with the file name. Returned
// formulas are at most 1,000 operators high, so functions may recurse.
[[nodiscard]] Rules parse_rules(std::string_view text, std::string_view file_name);

// Parses one line; blank lines may surround it.
[[nodiscard]] Formula parse_formula(std::string_view text, std::string_view file_name);

}  // namespace polyrx
