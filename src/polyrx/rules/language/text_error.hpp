// SPDX-License-Identifier: Apache-2.0
// Errors at a position in a user's text: a message, and below it the line with a caret.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/error.hpp"

namespace polyrx {

// what() is the message, a line end and the excerpt. The program escapes line ends in messages, which may contain file
// names. It prints the excerpt unchanged: its only control characters are tabs and its own line ends.
class TextError : public Error {
public:
    TextError(const std::string& sentence, const std::string& excerpt, int line, int column)
        : Error(ErrorKind::data, sentence + "\n" + excerpt),
          sentence_length_(sentence.size()),
          line_(line),
          column_(column) {}

    [[nodiscard]] std::string_view sentence() const noexcept {
        return std::string_view(what()).substr(0, sentence_length_);
    }
    [[nodiscard]] std::string_view excerpt() const noexcept {
        return std::string_view(what()).substr(sentence_length_ + 1);
    }
    // 1-based; columns are code points.
    [[nodiscard]] int line() const noexcept { return line_; }
    [[nodiscard]] int column() const noexcept { return column_; }

private:
    std::size_t sentence_length_;
    int line_;
    int column_;
};

// One line of a text, without its line end.
struct Line {
    std::string_view file;
    int number = 1;
    std::string_view text;

    // Throws "rules.txt:3:18: ..." for the character at byte `at`, or for the end of the line.
    [[noreturn]] void fail(std::size_t at, std::string_view sentence) const;
    // The same for a character counted from 1.
    [[noreturn]] void fail_at_column(int column, std::string_view sentence) const;
};

// The number of code points of a UTF-8 text.
[[nodiscard]] int characters(std::string_view text);

// Splits a text into lines. Skips a byte order mark and accepts CR LF. Throws a data error if the text is not UTF-8.
[[nodiscard]] std::vector<Line> lines_of(std::string_view text, std::string_view file);

}  // namespace polyrx
