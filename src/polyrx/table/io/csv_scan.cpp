// SPDX-License-Identifier: Apache-2.0
#include "polyrx/table/io/csv_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <system_error>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

std::size_t index(char c) {
    return static_cast<unsigned char>(c);
}

std::string_view without_blank_last_lines(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(text.ends_with("\r\n") ? 2 : 1);
    return text;
}

}  // namespace

CsvScanner::CsvScanner(std::string_view text, char delimiter, const std::string& name,
                       std::span<const std::string> missing_texts)
    : name_(&name), delimiter_(delimiter) {
    text = without_blank_last_lines(text);
    begin_ = at_ = text.data();
    end_ = begin_ + text.size();
    for (const char c : {delimiter, '\n', '\r'}) ends_cell_[index(c)] = true;
    for (const char c : {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '-'}) starts_number_[index(c)] = true;
    for (const std::string& missing : missing_texts)
        if (!missing.empty()) starts_number_[index(missing.front())] = false;
}

void CsvScanner::back_to(Mark mark) {
    at_ = mark.at;
    line_ = mark.line;
    row_ended_ = true;
}

double CsvScanner::share_done() const {
    return end_ == begin_ ? 1.0 : static_cast<double>(at_ - begin_) / static_cast<double>(end_ - begin_);
}

void CsvScanner::fail(std::uint32_t line, const char* sentence) const {
    throw data_error(fmt::format("{}:{}: {}", *name_, line, sentence));
}

// `at` points just past the cell's content.
inline void CsvScanner::end_cell(const char* at) {
    if (at == end_) {
        at_ = at;
        row_ended_ = true;
        return;
    }
    row_ended_ = *at != delimiter_;
    if (*at == '\r' && (++at == end_ || *at != '\n'))
        fail(line_, "a carriage return without a line feed (lines must end in LF or CRLF)");
    line_ += row_ended_;
    at_ = at + 1;
}

std::string_view CsvScanner::take_cell() {
    if (at_ != end_ && *at_ == '"') return take_quoted();
    const char* const start = at_;
    const char* stop = start;
    while (stop != end_ && !ends_cell_[index(*stop)]) ++stop;
    end_cell(stop);
    return {start, static_cast<std::size_t>(stop - start)};
}

std::string_view CsvScanner::take_quoted() {
    const std::uint32_t opened = line_;
    const char* start = at_ + 1;
    unescaped_.clear();
    for (;;) {
        const auto* quote = static_cast<const char*>(std::memchr(start, '"', static_cast<std::size_t>(end_ - start)));
        if (quote == nullptr) fail(opened, "a quote opens here and is never closed");
        line_ += static_cast<std::uint32_t>(std::count(start, quote, '\n'));
        const std::string_view piece(start, static_cast<std::size_t>(quote - start));
        const char* after = quote + 1;
        if (after != end_ && *after == '"') {
            unescaped_.append(piece).push_back('"');
            start = after + 1;
            continue;
        }
        if (after != end_ && !ends_cell_[index(*after)])
            fail(line_, "text after a closing quote (a quote inside a quoted cell is written twice)");
        end_cell(after);
        if (unescaped_.empty()) return piece;
        unescaped_.append(piece);
        return unescaped_;
    }
}

bool CsvScanner::take_number(double& value) {
    if (at_ == end_ || !starts_number_[index(*at_)]) return false;
    // After a minus, from_chars also accepts words such as "-nan(1)". parse_number() decides about those.
    if (*at_ == '-' && (at_ + 1 == end_ || !starts_number_[index(at_[1])])) return false;
    const auto [stop, error] = std::from_chars(at_, end_, value);
    if (error != std::errc{} || (stop != end_ && !ends_cell_[index(*stop)])) return false;
    end_cell(stop);
    return true;
}

}  // namespace polyrx
