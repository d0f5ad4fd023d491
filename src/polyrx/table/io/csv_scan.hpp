// SPDX-License-Identifier: Apache-2.0
// The cells of a CSV text, one after the other, as RFC 4180 quotes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace polyrx {

// Rows end at LF or CRLF; blank lines at the end of the text are no rows. A quote inside an unquoted cell is
// literal. Throws a data error for an unterminated quote, text after a closing quote, and CR without LF.
class CsvScanner {
public:
    // `name` begins the messages; it and `text` must outlive the scanner. `missing_texts` are those that
    // take_number() must leave alone although they may look like numbers.
    CsvScanner(std::string_view text, char delimiter, const std::string& name,
               std::span<const std::string> missing_texts = {});

    // Whether every row has been taken.
    [[nodiscard]] bool done() const { return at_ == end_ && row_ended_; }
    // Whether the cell taken last was the last of its row.
    [[nodiscard]] bool row_ended() const { return row_ended_; }
    // The 1-based line where the next cell begins.
    [[nodiscard]] std::uint32_t line() const { return line_; }

    // Takes the next cell: without its quotes, otherwise verbatim. The view is valid until the next call.
    std::string_view take_cell();

    // Takes the next cell if it is a plain decimal number with nothing around it; false, and takes nothing, if it is
    // not, or if telling needs a closer look. Most cells of most files go this way, past the search for their end.
    bool take_number(double& value);

    // A row's beginning, to come back to.
    struct Mark {
        const char* at;
        std::uint32_t line;
    };
    [[nodiscard]] Mark mark() const { return {at_, line_}; }
    void back_to(Mark mark);

    // How far the scan has come, 0..1.
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
    std::array<bool, 256> starts_number_{};  // digits, point and minus, unless a missing text starts so
    std::uint32_t line_ = 1;
    char delimiter_;
    bool row_ended_ = true;
};

}  // namespace polyrx
