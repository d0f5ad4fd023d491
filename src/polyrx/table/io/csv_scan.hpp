// SPDX-License-Identifier: Apache-2.0
// Iterates over the cells of CSV text with RFC 4180 quoting.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace polyrx {

// Rows end at LF or CRLF; trailing blank lines are ignored. A quote inside an unquoted cell is literal. Throws a data
// error for an unterminated quote, text after a closing quote, or CR without LF.
class CsvScanner {
public:
    // `name` prefixes error messages; it and `text` must outlive the scanner. take_number() does not accept
    // `missing_texts`, even if they look like numbers.
    CsvScanner(std::string_view text, char delimiter, const std::string& name,
               std::span<const std::string> missing_texts = {});

    // True after the last row.
    [[nodiscard]] bool done() const { return at_ == end_ && row_ended_; }
    // True if the last cell taken ended its row.
    [[nodiscard]] bool row_ended() const { return row_ended_; }
    // The 1-based line where the next cell begins.
    [[nodiscard]] std::uint32_t line() const { return line_; }

    // Takes the next cell without its quotes, otherwise verbatim. The view is valid until the next call.
    std::string_view take_cell();

    // Fast path for plain decimal numbers: takes the next cell, or returns false and takes nothing if the cell needs a
    // closer look. Skips the search for the end of the cell.
    bool take_number(double& value);

    // The start of a row, to return to.
    struct Mark {
        const char* at;
        std::uint32_t line;
    };
    [[nodiscard]] Mark mark() const { return {at_, line_}; }
    void back_to(Mark mark);

    // Fraction of the text scanned, 0..1.
    [[nodiscard]] double share_done() const;

private:
    std::string_view take_quoted();
    void end_cell(const char* at);
    [[noreturn]] void fail(std::uint32_t line, const char* sentence) const;

    const char* begin_;
    const char* at_;
    const char* end_;
    const std::string* name_;
    std::string unescaped_;
    std::array<bool, 256> ends_cell_{};      // the delimiter, LF, CR
    std::array<bool, 256> starts_number_{};  // digits, point and minus, unless a missing text starts with it
    std::uint32_t line_ = 1;
    char delimiter_;
    bool row_ended_ = true;
};

}  // namespace polyrx
