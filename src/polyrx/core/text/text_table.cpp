// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/text/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace polyrx {

std::string grouped(std::size_t number) {
    std::string digits = fmt::format("{}", number);
    for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
    return digits;
}

std::size_t display_width(std::string_view text) {
    // Counts bytes that start a character.
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width) {
    return std::string(text) + std::string(width - std::min(width, display_width(text)), ' ');
}

std::string text_table(const std::vector<std::vector<std::string>>& lines, std::vector<std::size_t> widths) {
    for (const std::vector<std::string>& line : lines) {
        widths.resize(std::max(widths.size(), line.size()));
        for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], display_width(line[c]));
    }
    std::string text;
    for (const std::vector<std::string>& line : lines) {
        std::string words = padded(line.front(), widths[0]);
        for (std::size_t c = 1; c < line.size(); ++c)
            words += "  " + std::string(widths[c] - display_width(line[c]), ' ') + line[c];
        text += words.substr(0, words.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

}  // namespace polyrx
