// SPDX-License-Identifier: Apache-2.0
// The words of the language of rules: keywords, functions, and which names and labels need quotes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "polyrx/encode/formula.hpp"

namespace polyrx {

// The first character of UTF-8 that is valid and not empty.
struct Character {
    char32_t code;
    std::size_t length;  // in bytes
};
[[nodiscard]] Character first_character(std::string_view text);

// Letters (of ASCII, and beyond it whatever is no space, sign or punctuation) and _ begin a name; digits and . also
// continue one. A name may begin with . if a letter follows.
[[nodiscard]] bool begins_name(std::string_view text);
[[nodiscard]] bool continues_name(char32_t code);

// Below U+0020 but for the tab, and U+007F to U+009F: neither a name nor a label has one.
[[nodiscard]] bool is_control(char32_t code);

// if, then, let, and, or, not; functions: log, exp, sqrt, min, max, missing. In any case.
[[nodiscard]] bool is_keyword(std::string_view word);
[[nodiscard]] std::optional<Formula::Kind> function_named(std::string_view word);
[[nodiscard]] std::string_view name_of_function(Formula::Kind function);

// `word` is in lower case, `text` in any.
[[nodiscard]] bool is_word(std::string_view text, std::string_view word);

// As rules have to write it. A name or label that they cannot (it is empty, not UTF-8, or holds a control character,
// such as a line end) is a data error.
[[nodiscard]] std::string name_text(std::string_view name);
[[nodiscard]] std::string treatment_text(std::string_view label);

// What is wrong with a name or label that cannot be written: "is empty"; nothing if it can.
[[nodiscard]] std::optional<std::string_view> unwritable(std::string_view name);

// Whether what follows `then`, or a comma, begins with the word not: spaces, a quote or nothing come after it.
[[nodiscard]] bool begins_with_not(std::string_view text);

inline constexpr std::string_view quotes = "\"'`";

}  // namespace polyrx
