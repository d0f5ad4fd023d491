// SPDX-License-Identifier: Apache-2.0
// Numbers and tables as a person reads them in a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace polyrx {

// 10000 as "10,000"
[[nodiscard]] std::string grouped(std::size_t number);

// How many characters it takes, of valid UTF-8.
[[nodiscard]] std::size_t display_width(std::string_view text);

// With spaces behind it, to this width.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width);

// A table of equally long lines: the first column to the left, the others to the right, two spaces between. Columns
// are at least as wide as `widths` says, where it does.
[[nodiscard]] std::string text_table(const std::vector<std::vector<std::string>>& lines,
                                     std::vector<std::size_t> widths = {});

}  // namespace polyrx
