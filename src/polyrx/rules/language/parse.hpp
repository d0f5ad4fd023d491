// SPDX-License-Identifier: Apache-2.0
// Reads rules as a person writes them, one statement per line; docs/rules.md has the grammar.
#pragma once

#include <string_view>

#include "polyrx/rules/language/rules.hpp"

namespace polyrx {

// No rules at all is fine. What is not of the language is a TextError (text_error.hpp), which begins with the name of
// the file. Of what is returned, no formula is more than 1,000 operators high, so that walks over it may recurse.
[[nodiscard]] Rules parse_rules(std::string_view text, std::string_view file_name);

// One line of text, perhaps between blank ones.
[[nodiscard]] Formula parse_formula(std::string_view text, std::string_view file_name);

}  // namespace polyrx
