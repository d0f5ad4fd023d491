// SPDX-License-Identifier: Apache-2.0
// An error at a place of a text that a person wrote: the sentence, and below it the line with a caret.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/error.hpp"

namespace polyrx {

// what() is the sentence, a line end and the excerpt. The program escapes line ends in sentences (they may name files),
// and shows an excerpt as it is: it holds no control characters but tabs and its own line ends.
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

    // "rules.txt:3:18: ..." about the character at this byte, or about the end of the line.
    [[noreturn]] void fail(std::size_t at, std::string_view sentence) const;
    // The same about a character that is counted from 1.
    [[noreturn]] void fail_at_column(int column, std::string_view sentence) const;
};

// Code points in UTF-8.
[[nodiscard]] int characters(std::string_view text);

// The lines of a text, which may begin with a byte order mark and whose lines may end in CR LF. A data error if it is
// not UTF-8.
[[nodiscard]] std::vector<Line> lines_of(std::string_view text, std::string_view file);

}  // namespace polyrx
