// SPDX-License-Identifier: Apache-2.0
// Validates UTF-8 and quotes text from files in messages.
#pragma once

#include <string>
#include <string_view>

namespace polyrx {

// Overlong forms, surrogates and values above U+10FFFF are invalid, as in RFC 3629.
[[nodiscard]] bool is_utf8(std::string_view bytes);

// Replaces each longest incomplete character, and each byte that starts no character, by U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view bytes);

// The text in single quotes, as valid UTF-8 on one line, and shortened if too long, so it is safe in messages.
[[nodiscard]] std::string in_quotes(std::string_view text);

enum class LineEnds {
    keep,   // also keeps tabs
    escape  // writes \n, \r and \t
};

// Makes text with names from files safe for a terminal. Control characters (C0, DEL, C1), bidirectional overrides and
// invalid UTF-8 are written as \x1b or \u202e. Isolates that end with their line (U+2068, U+2069) stay: show/ puts them
// around right-to-left text.
[[nodiscard]] std::string without_controls(std::string_view text, LineEnds ends = LineEnds::keep);

// "Low, Medium, High", with "..." after the first `most`. Each name is cleaned like in_quotes(), but without quotes.
template <class Names>
[[nodiscard]] std::string listed(const Names& names, std::size_t most) {
    std::string list;
    std::size_t count = 0;
    for (const auto& name : names) {
        if (count > 0) list += ", ";
        if (count++ == most) return list + "...";
        const std::string shown = in_quotes(name);
        list += shown.substr(1, shown.size() - 2);
    }
    return list;
}

}  // namespace polyrx
