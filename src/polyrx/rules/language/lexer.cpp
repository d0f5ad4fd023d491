// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/language/lexer.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/rules/language/words.hpp"

namespace polyrx {
namespace {

using TokenKind = Token::Kind;

// Longer signs come before their prefixes.
constexpr std::array<std::pair<std::string_view, TokenKind>, 19> signs = {{
    {"<=", TokenKind::less_equal},
    {">=", TokenKind::greater_equal},
    {"==", TokenKind::equal},
    {"!=", TokenKind::not_equal},
    {"<>", TokenKind::not_equal},
    {"\u2264", TokenKind::less_equal},
    {"\u2265", TokenKind::greater_equal},
    {"\u2260", TokenKind::not_equal},
    {"<", TokenKind::less},
    {">", TokenKind::greater},
    {"=", TokenKind::equal},
    {"+", TokenKind::plus},
    {"-", TokenKind::minus},
    {"*", TokenKind::times},
    {"/", TokenKind::over},
    {"^", TokenKind::caret},
    {"(", TokenKind::open},
    {")", TokenKind::close},
    {",", TokenKind::comma},
}};

// Characters of other languages and word processors, with their equivalent here. Checked before the signs.
constexpr std::array<std::pair<std::string_view, std::string_view>, 19> strangers = {{
    {"=<", "less or equal is <="},
    {"=>", "greater or equal is >="},
    {"**", "a power is written with ^"},
    {"&", "write 'and'"},
    {"|", "write 'or'"},
    {"!", "write 'not', or != for unequal"},
    {"%", "write 0.3 for 30 %"},
    {"\u2212", "a minus is written as -"},
    {"\u2013", "a minus is written as -"},
    {"\u2014", "a minus is written as -"},
    {"\u00d7", "a product is written with *"},
    {"\u00b7", "a product is written with *"},
    {"\u00f7", "a quotient is written with /"},
    {"\u00a0", "write a plain space for this no-break space"},
    {"\u201c", "quotes are written as \" or '"},
    {"\u201d", "quotes are written as \" or '"},
    {"\u201e", "quotes are written as \" or '"},
    {"\u2018", "quotes are written as \" or '"},
    {"\u2019", "quotes are written as \" or '"},
}};

TokenKind kind_of_word(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, TokenKind>, 6> kinds = {{{"if", TokenKind::if_},
                                                                              {"then", TokenKind::then},
                                                                              {"let", TokenKind::let},
                                                                              {"and", TokenKind::and_},
                                                                              {"or", TokenKind::or_},
                                                                              {"not", TokenKind::not_}}};
    for (const auto& [keyword, kind] : kinds)
        if (is_word(word, keyword)) return kind;
    return TokenKind::name;
}

std::size_t name_length(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size()) {
        const auto [code, bytes] = first_character(text.substr(length));
        if (!continues_name(code)) break;
        length += bytes;
    }
    return length;
}

}  // namespace

void Lexer::advance() {
    previous_ = current_.source;
    previous_kind_ = current_.kind;
    previous_end_ = at_;
    while (at_ < line_.text.size() && (line_.text[at_] == ' ' || line_.text[at_] == '\t')) ++at_;
    column_ += characters(line_.text.substr(counted_, at_ - counted_));
    counted_ = at_;

    const std::string_view here = rest();
    if (here.empty() || here.starts_with('#')) {
        take(TokenKind::end, 0);
    } else if (is_digit(here.front()) || (here.size() > 1 && here.front() == '.' && is_digit(here[1]))) {
        read_number();
    } else if (begins_name(here)) {
        read_name();
    } else if (quotes.find(here.front()) != std::string_view::npos) {
        std::size_t end = at_;
        std::string name = read_quoted(line_, end);
        take(TokenKind::quoted, end - at_);
        current_.name = std::move(name);
    } else {
        read_sign();
    }
}

void Lexer::fail_here(std::string_view sentence) const {
    line_.fail(is(TokenKind::end) ? previous_end_ : current_.at, sentence);
}

void Lexer::take(TokenKind kind, std::size_t length) {
    current_ = {.kind = kind, .source = rest().substr(0, length), .at = at_, .column = column_};
    at_ += length;
}

void Lexer::read_number() {
    const std::string_view here = rest();
    std::size_t length = name_length(here);
    // 1e-3: the sign belongs to the number if only digits precede the e.
    if (const char last = here[length - 1];
        (last == 'e' || last == 'E') && here.find_first_not_of("0123456789.") == length - 1 &&
        length + 1 < here.size() && (here[length] == '-' || here[length] == '+') && is_digit(here[length + 1]))
        length += 1 + name_length(here.substr(length + 1));
    const std::string_view digits = here.substr(0, length);
    const auto number = parse_number(digits);
    if (!number) {
        const bool grouped = digits.find_first_not_of("0123456789_.") == std::string_view::npos &&
                             digits.find('_') != std::string_view::npos;
        line_.fail(at_, grouped ? fmt::format("{} is not a number: its digits are not grouped", in_quotes(digits))
                                : fmt::format("{} is not a number (a name that begins with a digit is quoted)",
                                              in_quotes(digits)));
    }
    if (std::isinf(*number)) line_.fail(at_, fmt::format("the number {} is too large", in_quotes(digits)));
    take(TokenKind::number, length);
    current_.number = *number;
}

void Lexer::read_name() {
    const std::string_view word = rest().substr(0, name_length(rest()));
    take(kind_of_word(word), word.size());
    current_.name = word;
}

void Lexer::read_sign() {
    const std::string_view here = rest();
    if (!here.starts_with("!="))
        for (const auto& [sign, advice] : strangers)
            if (here.starts_with(sign))
                line_.fail(at_, fmt::format("{} means nothing here: {}", in_quotes(sign), advice));
    for (const auto& [sign, kind] : signs)
        if (here.starts_with(sign)) return take(kind, sign.size());
    line_.fail(at_, fmt::format("{} means nothing here (a name with such a character is quoted)",
                                in_quotes(here.substr(0, first_character(here).length))));
}

std::string read_quoted(const Line& line, std::size_t& at) {
    const char quote = line.text[at];
    std::string name;
    for (std::size_t i = at + 1; i < line.text.size();) {
        const std::string_view here = line.text.substr(i);
        const auto [code, length] = first_character(here);
        if (is_control(code)) line.fail(i, "there may be no control character in quotes");
        if (here.front() != quote) {
            name += here.substr(0, length);
            i += length;
        } else if (here.size() > 1 && here[1] == quote) {
            name += quote;
            i += 2;
        } else {
            if (name.empty()) line.fail(at, "there is nothing between these quotes");
            at = i + 1;
            return name;
        }
    }
    line.fail(at, fmt::format("the quote {} is not closed on this line", quote));
}

}  // namespace polyrx
