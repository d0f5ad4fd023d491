// SPDX-License-Identifier: Apache-2.0
// Words of the rule language: keywords, functions, and names and labels that need quotes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "polyrx/encode/formula.hpp"

namespace polyrx {

// The first character of a valid, nonempty UTF-8 text.
struct Character {
    char32_t code;
    std::size_t length;  // in bytes
};
[[nodiscard]] Character first_character(std::string_view text);

// A name begins with a letter, _ or . followed by a letter; digits and . may continue it. Letters are those of ASCII
// and all other characters that are not spaces, signs or punctuation.
[[nodiscard]] bool begins_name(std::string_view text);
[[nodiscard]] bool continues_name(char32_t code);

// Below U+0020 except for tabs, and U+007F to U+009F. Names and labels must not contain these.
[[nodiscard]] bool is_control(char32_t code);

// if, then, let, and, or, not, log, exp, sqrt, min, max, missing; case-insensitive.
[[nodiscard]] bool is_keyword(std::string_view word);
[[nodiscard]] std::optional<Formula::Kind> function_named(std::string_view word);
[[nodiscard]] std::string_view name_of_function(Formula::Kind function);

// Compares `text` with the lower-case `word`, ignoring case.
[[nodiscard]] bool is_word(std::string_view text, std::string_view word);

// The name with quotes if rules need them. Throws a data error for a name or label that rules cannot contain: empty,
// not UTF-8, or with a control character such as a line end.
[[nodiscard]] std::string name_text(std::string_view name);
[[nodiscard]] std::string treatment_text(std::string_view label);

// The reason why a name or label cannot be written, such as "is empty"; empty if it can.
[[nodiscard]] std::optional<std::string_view> unwritable(std::string_view name);

// Whether the text after `then` or a comma begins with the word not, followed by a space, a quote or the end.
[[nodiscard]] bool begins_with_not(std::string_view text);

inline constexpr std::string_view quotes = "\"'`";

}  // namespace polyrx
