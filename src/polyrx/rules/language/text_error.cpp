// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/language/text_error.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// Position of the previous character's first byte.
std::size_t one_back(std::string_view text, std::size_t at) {
    --at;
    while (at > 0 && continues_character(text[at])) --at;
    return at;
}

std::size_t one_on(std::string_view text, std::size_t at) {
    ++at;
    while (at < text.size() && continues_character(text[at])) ++at;
    return at;
}

// Replaces control characters, which a terminal would act on.
std::string harmless(std::string_view text) {
    std::string shown;
    for (std::size_t at = 0; at < text.size(); at = one_on(text, at)) {
        const auto first = static_cast<unsigned char>(text[at]);
        const bool control = (first < 0x20 && first != '\t') || first == 0x7f ||
                             (first == 0xc2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0);
        shown += control ? "?" : text.substr(at, one_on(text, at) - at);
    }
    return shown;
}

// The line with a caret below it. Long lines are cut around the caret.
std::string excerpt(std::string_view text, std::size_t at) {
    constexpr int most_before = 70;
    constexpr int most_after = 30;
    std::size_t begin = at;
    for (int i = 0; i < most_before && begin > 0; ++i) begin = one_back(text, begin);
    std::size_t end = at;
    for (int i = 0; i < most_after && end < text.size(); ++i) end = one_on(text, end);

    std::string indent = begin > 0 ? "  ..." : "  ";
    const std::string before = harmless(text.substr(begin, at - begin));
    std::string shown = indent + before + harmless(text.substr(at, end - at)) + (end < text.size() ? "..." : "");
    std::ranges::fill(indent, ' ');
    // Keeps tabs, so that both lines have the same width.
    for (const char c : before)
        if (!continues_character(c)) indent += c == '\t' ? '\t' : ' ';
    while (shown.size() > 2 && (shown.ends_with(' ') || shown.ends_with('\t'))) shown.pop_back();
    return shown + "\n" + indent + "^";
}

// Fails at the first byte that is not UTF-8.
[[noreturn]] void fail_at_bad_byte(const Line& line) {
    std::size_t good = 0;
    for (std::size_t next = 1; next <= line.text.size(); ++next)
        if (is_utf8(line.text.substr(good, next - good))) good = next;
    const std::string shown = std::string(line.text.substr(0, good)) + "?";
    Line{line.file, line.number, shown}.fail(good, "from here on this is not UTF-8 (save the file as UTF-8)");
}

}  // namespace

int characters(std::string_view text) {
    return static_cast<int>(std::ranges::count_if(text, [](char c) { return !continues_character(c); }));
}

void Line::fail(std::size_t at, std::string_view sentence) const {
    const int column = characters(text.substr(0, at)) + 1;
    throw TextError(fmt::format("{}:{}:{}: {}", file, number, column, sentence), excerpt(text, at), number, column);
}

void Line::fail_at_column(int column, std::string_view sentence) const {
    std::size_t at = 0;
    for (int i = 1; i < column && at < text.size(); ++i) at = one_on(text, at);
    fail(at, sentence);
}

std::vector<Line> lines_of(std::string_view text, std::string_view file) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    std::vector<Line> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        Line line{file, static_cast<int>(lines.size()) + 1, text.substr(0, end)};
        if (line.text.ends_with('\r')) line.text.remove_suffix(1);
        if (!is_utf8(line.text)) fail_at_bad_byte(line);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace polyrx
