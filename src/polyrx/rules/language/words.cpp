// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/language/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

using Kind = Formula::Kind;

constexpr std::array<std::string_view, 6> keywords = {"if", "then", "let", "and", "or", "not"};

constexpr std::array<std::pair<std::string_view, Kind>, 6> functions = {{
    {"log", Kind::log},
    {"exp", Kind::exp},
    {"sqrt", Kind::sqrt},
    {"min", Kind::min},
    {"max", Kind::max},
    {"missing", Kind::missing},
}};

bool is_digit_code(char32_t code) {
    return code >= '0' && code <= '9';
}

// The full Unicode table of letters is large. These blocks contain nearly all characters that are not letters.
// Accepting others is harmless, because names are compared with those of the data.
bool is_letter(char32_t code) {
    if (code < 0x80) return code == '_' || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
    if (code < 0xc0) return code == 0xaa || code == 0xb5 || code == 0xba;  // ª µ º among Latin-1's signs
    if (code == 0xd7 || code == 0xf7) return false;                        // × ÷
    return !(code >= 0x2000 && code <= 0x2bff) &&                          // punctuation, currencies, arrows, operators
           !(code >= 0x3000 && code <= 0x303f) &&                          // ideographic space and punctuation
           !(code >= 0xe000 && code <= 0xf8ff) &&                          // private use
           !(code >= 0xfe00 && code <= 0xfe0f) && code != 0xfeff &&        // variation selectors, byte order mark
           code != 0x1680;                                                 // a space
}

void check_writable(std::string_view name) {
    if (const auto trouble = unwritable(name))
        throw data_error(fmt::format("{} cannot be written in rules: it {}", in_quotes(name), *trouble));
}

// Uses the first kind of quote that the name does not contain. If it contains all kinds, doubles each quote of the
// first kind.
std::string quoted(std::string_view name) {
    for (const char quote : quotes)
        if (name.find(quote) == std::string_view::npos) return fmt::format("{0}{1}{0}", quote, name);
    const char quote = quotes.front();
    std::string text(1, quote);
    for (const char c : name) text.append(c == quote ? 2 : 1, c);
    return text + quote;
}

}  // namespace

Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
    const char32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t code = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3f);
    return {code, length};
}

bool begins_name(std::string_view text) {
    if (text.starts_with('.')) text.remove_prefix(1);
    return !text.empty() && is_letter(first_character(text).code);
}

bool continues_name(char32_t code) {
    return is_letter(code) || is_digit_code(code) || code == '.';
}

bool is_control(char32_t code) {
    return (code < 0x20 && code != '\t') || (code >= 0x7f && code < 0xa0);
}

bool is_word(std::string_view text, std::string_view word) {
    return std::ranges::equal(text, word, [](char t, char w) { return (t >= 'A' && t <= 'Z' ? t + 32 : t) == w; });
}

bool is_keyword(std::string_view word) {
    return std::ranges::any_of(keywords, [&](std::string_view keyword) { return is_word(word, keyword); });
}

std::optional<Kind> function_named(std::string_view word) {
    for (const auto& [name, kind] : functions)
        if (is_word(word, name)) return kind;
    return std::nullopt;
}

std::string_view name_of_function(Kind function) {
    const auto found = std::ranges::find(functions, function, &std::pair<std::string_view, Kind>::second);
    return found == functions.end() ? "" : found->first;
}

std::optional<std::string_view> unwritable(std::string_view name) {
    if (name.empty()) return "is empty";
    if (!is_utf8(name)) return "is not UTF-8";
    while (!name.empty()) {
        const auto [code, length] = first_character(name);
        if (code == '\n' || code == '\r') return "has a line end in it";
        if (is_control(code)) return "has a control character in it";
        name.remove_prefix(length);
    }
    return std::nullopt;
}

std::string name_text(std::string_view name) {
    check_writable(name);
    bool bare = begins_name(name) && !is_keyword(name) && !function_named(name);
    for (std::string_view rest = name; bare && !rest.empty();) {
        const auto [code, length] = first_character(rest);
        bare = continues_name(code);
        rest.remove_prefix(length);
    }
    return bare ? std::string(name) : quoted(name);
}

std::string treatment_text(std::string_view label) {
    check_writable(label);
    const bool bare = trimmed(label) == label && quotes.find(label.front()) == std::string_view::npos &&
                      label.find_first_of(",#") == std::string_view::npos && !begins_with_not(label);
    return bare ? std::string(label) : quoted(label);
}

bool begins_with_not(std::string_view text) {
    constexpr std::size_t length = 3;
    if (!is_word(text.substr(0, length), "not")) return false;
    return text.size() == length || text[length] == ' ' || text[length] == '\t' || text[length] == ',' ||
           text[length] == '#' || quotes.find(text[length]) != std::string_view::npos;
}

}  // namespace polyrx
