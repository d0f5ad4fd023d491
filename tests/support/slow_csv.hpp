// SPDX-License-Identifier: Apache-2.0
// The slow, obvious twin of the CSV scanner: one character after the other, every cell a string.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polyrx::test {

// The cells by row; nothing if the text is not CSV as polyrx reads it.
inline std::optional<std::vector<std::vector<std::string>>> slow_csv(std::string_view text, char delimiter) {
    enum class State { cell_start, unquoted, quoted, quote_in_quoted };
    std::vector<std::vector<std::string>> rows(1);
    std::string cell;
    State state = State::cell_start;
    const auto end_cell = [&] {
        rows.back().push_back(cell);
        cell.clear();
        state = State::cell_start;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (state == State::quoted) {
            if (c == '"')
                state = State::quote_in_quoted;
            else
                cell += c;
        } else if (state == State::quote_in_quoted && c == '"') {
            cell += '"';
            state = State::quoted;
        } else if (c == delimiter) {
            end_cell();
        } else if (c == '\n') {
            end_cell();
            rows.emplace_back();
        } else if (c == '\r') {
            if (i + 1 == text.size() || text[i + 1] != '\n') return std::nullopt;
        } else if (state == State::quote_in_quoted) {
            return std::nullopt;
        } else if (state == State::cell_start && c == '"') {
            state = State::quoted;
        } else {
            cell += c;
            state = State::unquoted;
        }
    }
    if (state == State::quoted) return std::nullopt;
    // A cell that was quoted is a cell even if nothing is in it; a line without anything is none.
    const bool has_quotes = state == State::quote_in_quoted;
    if (has_quotes || !cell.empty() || !rows.back().empty()) end_cell();
    // Blank last lines are no rows. Where the text ends in a quote, the last row is none of them.
    if (rows.back().empty()) rows.pop_back();
    std::size_t line_ends = 0;
    while (text.ends_with('\n')) {
        ++line_ends;
        text.remove_suffix(text.ends_with("\r\n") ? 2 : 1);
    }
    for (; line_ends > 1 && !rows.empty(); --line_ends) rows.pop_back();
    if (text.empty()) rows.clear();
    return rows;
}

}  // namespace polyrx::test
