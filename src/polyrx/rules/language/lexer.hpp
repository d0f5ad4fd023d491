// SPDX-License-Identifier: Apache-2.0
// Splits a line of rules into tokens, one at a time, because the text after `then` has its own grammar.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "polyrx/rules/language/text_error.hpp"

namespace polyrx {

struct Token {
    enum class Kind {
        end,  // of the line, or start of its comment
        name,
        quoted,
        number,
        if_,
        then,
        let,
        and_,
        or_,
        not_,
        plus,
        minus,
        times,
        over,
        caret,
        open,
        close,
        comma,
        less,
        less_equal,
        greater,
        greater_equal,
        equal,
        not_equal,
    };
    Kind kind = Kind::end;
    std::string_view source = {};  // the token's text in the line
    std::size_t at = 0;            // position of its first byte
    int column = 1;
    std::string name = {};  // of a name, without quotes
    double number = 0;
};

class Lexer {
public:
    // Reads the first token.
    explicit Lexer(const Line& line) : line_(line) { advance(); }

    [[nodiscard]] const Token& current() const { return current_; }
    [[nodiscard]] bool is(Token::Kind kind) const { return current_.kind == kind; }
    // The token before the current one; empty before the first.
    [[nodiscard]] std::string_view previous() const { return previous_; }
    [[nodiscard]] Token::Kind previous_kind() const { return previous_kind_; }
    [[nodiscard]] const Line& line() const { return line_; }

    void advance();

    // Fails where a token is missing: at the current token, or after the previous one if the line ends.
    [[noreturn]] void fail_here(std::string_view sentence) const;

private:
    // Each reads a token that begins at the current position and advances.
    void read_number();
    void read_name();
    void read_sign();

    void take(Token::Kind kind, std::size_t length);
    [[nodiscard]] std::string_view rest() const { return line_.text.substr(at_); }

    Line line_;
    std::size_t at_ = 0;
    std::size_t counted_ = 0;  // bytes of the line that column_ includes
    int column_ = 1;
    std::size_t previous_end_ = 0;
    Token::Kind previous_kind_ = Token::Kind::end;
    std::string_view previous_ = {};
    Token current_ = {};
};

// Reads a quoted text. `at` is the position of the opening quote and moves past the closing one.
[[nodiscard]] std::string read_quoted(const Line& line, std::size_t& at);

}  // namespace polyrx
