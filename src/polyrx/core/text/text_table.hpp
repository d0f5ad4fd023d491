// SPDX-License-Identifier: Apache-2.0
// Formats numbers and tables for the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace polyrx {

// Formats 10000 as "10,000".
[[nodiscard]] std::string grouped(std::size_t number);

// The number of characters in valid UTF-8.
[[nodiscard]] std::size_t display_width(std::string_view text);

// Pads with trailing spaces to this width.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width);

// Formats a table of lines with equally many cells: the first column left-aligned, the others right-aligned, two spaces
// between. `widths` are optional minimum widths of columns.
[[nodiscard]] std::string text_table(const std::vector<std::vector<std::string>>& lines,
                                     std::vector<std::size_t> widths = {});

}  // namespace polyrx
