// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/draw/label_text.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace polyrx {
namespace {

constexpr char32_t replacement = 0xFFFD;
constexpr double lines_of_a_piece = 3;  // that TooWide::shorten leaves of a long one
constexpr std::string_view ellipsis = "\xE2\x80\xA6";
constexpr std::string_view isolate = "\xE2\x81\xA8";         // U+2068
constexpr std::string_view end_of_isolate = "\xE2\x81\xA9";  // U+2069

struct CharacterRange {
    char32_t first;
    char32_t last;
};

bool among(std::span<const CharacterRange> ranges, char32_t c) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](CharacterRange range) { return c >= range.first && c <= range.last; });
}

// Marks that are drawn over the letter before them, and characters that are not drawn.
constexpr CharacterRange without_width[] = {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},
                                            {0x64B, 0x65F},   {0x6D6, 0x6DC},   {0x200B, 0x200F}, {0x2060, 0x2069},
                                            {0x20D0, 0x20F0}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}};
// East Asian wide and full-width characters, and pictographs.
constexpr CharacterRange wide[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
                                   {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                                   {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};
constexpr CharacterRange right_to_left[] = {
    {0x590, 0x8FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFC}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF}};
constexpr CharacterRange direction_marks[] = {{0x61C, 0x61C}, {0x200E, 0x200F}, {0x202A, 0x202E}, {0x2066, 0x2069}};
constexpr CharacterRange not_in_xml[] = {{0xD800, 0xDFFF}, {0xFFFE, 0xFFFF}};
constexpr CharacterRange white[] = {{0, 0x20}, {0x7F, 0xA0}, {0x2028, 0x2029}};

// Takes one character off the text. A byte that begins none is taken alone and becomes U+FFFD.
char32_t take(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    char32_t c = length == 1 ? lead : lead & (0x7FU >> length);
    bool good = length > 0 && length <= text.size();
    for (std::size_t i = 1; good && i < length; ++i) {
        good = (byte(i) & 0xC0U) == 0x80U;
        c = (c << 6U) | (byte(i) & 0x3FU);
    }
    good = good && !(length == 3 && c < 0x800) && !(length == 4 && (c < 0x10000 || c > 0x10FFFF)) &&
           !(c >= 0xD800 && c <= 0xDFFF);
    text.remove_prefix(good ? length : 1);
    return good ? c : replacement;
}

void append(std::string& text, char32_t c) {
    const auto put = [&](char32_t bits) { text += static_cast<char>(static_cast<unsigned char>(bits)); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0U | (c >> 6U));
        put(0x80U | (c & 0x3FU));
    } else if (c < 0x10000) {
        put(0xE0U | (c >> 12U));
        put(0x80U | ((c >> 6U) & 0x3FU));
        put(0x80U | (c & 0x3FU));
    } else {
        put(0xF0U | (c >> 18U));
        put(0x80U | ((c >> 12U) & 0x3FU));
        put(0x80U | ((c >> 6U) & 0x3FU));
        put(0x80U | (c & 0x3FU));
    }
}

// Advance widths of DejaVu Sans from ' ' to '~', in hundredths of the font size.
constexpr std::array<int, 95> ascii_widths = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};

double em_width(char32_t c) {
    if (c >= ' ' && c <= '~') return ascii_widths[c - ' '] / 100.0;
    if (among(without_width, c)) return 0;
    if (among(wide, c)) return 1.3;  // pictographs are wider than their height
    return c < 0x590 ? 0.85 : 1.0;   // Latin with accents, Greek, Cyrillic; anything else
}

double column_width(char32_t c) {
    return among(without_width, c) ? 0 : among(wide, c) ? 2 : 1;
}

template <class Width>
double sum_of(std::string_view text, const Width& width) {
    double sum = 0;
    while (!text.empty()) sum += width(take(text));
    return sum;
}

// Lengths in bytes of the beginnings of a text after which it may be cut: not before a mark over the last letter.
std::vector<std::size_t> cuts(std::string_view text) {
    std::vector<std::size_t> lengths;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t before = text.size() - rest.size();
        if (!among(without_width, take(rest)) && before > 0) lengths.push_back(before);
    }
    return lengths;
}

// The longest beginning that fits, by bisection since measuring is linear; at least one character.
std::string_view fitting_beginning(std::string_view text, double room, const Measure& measure) {
    const std::vector<std::size_t> lengths = cuts(text);
    if (lengths.empty()) return text;
    const auto first_too_long = std::partition_point(
        lengths.begin(), lengths.end(), [&](std::size_t length) { return measure(text.substr(0, length)) <= room; });
    return text.substr(0, first_too_long == lengths.begin() ? lengths.front() : *(first_too_long - 1));
}

// The longest end that fits; it may be empty.
std::string_view fitting_end(std::string_view text, double room, const Measure& measure) {
    const std::vector<std::size_t> lengths = cuts(text);
    const auto first_that_fits = std::partition_point(
        lengths.begin(), lengths.end(), [&](std::size_t length) { return measure(text.substr(length)) > room; });
    return first_that_fits == lengths.end() ? std::string_view() : text.substr(*first_that_fits);
}

// Whether a beginning leaves an isolate open, and whether an end closes one that it does not open.
bool leaves_open(std::string_view beginning) {
    const std::size_t opened = beginning.rfind(isolate);
    const std::size_t closed = beginning.rfind(end_of_isolate);
    return opened != std::string_view::npos && (closed == std::string_view::npos || closed < opened);
}
bool closes(std::string_view end) {
    return end.find(end_of_isolate) < end.find(isolate);
}

}  // namespace

std::string one_line(std::string_view text) {
    std::string line;
    bool space = false;
    bool turned = false;
    while (!text.empty()) {
        const char32_t c = take(text);
        if (among(white, c)) {
            space = true;
            continue;
        }
        if (among(direction_marks, c)) continue;
        if (space && !line.empty()) line += ' ';
        space = false;
        turned = turned || among(right_to_left, c);
        append(line, among(not_in_xml, c) ? replacement : c);
    }
    return turned ? std::string(isolate) + line + std::string(end_of_isolate) : line;
}

std::string printable(std::string_view text) {
    std::string line;
    while (!text.empty()) {
        const char32_t c = take(text);
        append(line, among(white, c) ? U' ' : among(not_in_xml, c) ? replacement : c);
    }
    return line;
}

Measure in_columns() {
    return [](std::string_view text) { return sum_of(text, column_width); };
}

Measure in_pixels(const Font& font) {
    const double em = font.size * (font.bold ? 1.2 : 1);  // DejaVu Sans Bold is wider by 5 to 25 %
    return [em](std::string_view text) { return em * sum_of(text, em_width); };
}

std::string shortened(std::string_view text, double room, const Measure& measure) {
    if (measure(text) <= room) return std::string(text);
    const double left = room - measure(ellipsis);
    std::string_view end = fitting_end(text, left / 2, measure);
    std::string_view beginning = fitting_beginning(text, left - measure(end), measure);
    if (measure(beginning) + measure(end) > left) end = {};  // not even one character fits beside it
    while (beginning.ends_with(' ')) beginning.remove_suffix(1);
    while (end.starts_with(' ')) end.remove_prefix(1);
    std::string line(beginning);
    line += ellipsis;
    // An isolate whose other half was cut off would hold all that follows.
    const bool open = leaves_open(beginning);
    const bool close = closes(end);
    if (open && !close) line += end_of_isolate;
    if (close && !open) line += isolate;
    line += end;
    return line;
}

std::vector<std::string> wrapped(const std::vector<std::string>& pieces, double room, const Measure& measure,
                                 TooWide too_wide) {
    std::vector<std::string> lines;
    const auto place = [&](std::string_view piece) {
        if (!lines.empty() && measure(lines.back()) + measure(" ") + measure(piece) <= room)
            lines.back().append(" ").append(piece);
        else
            lines.emplace_back(piece);
    };
    for (const std::string& piece : pieces) {
        if (measure(piece) <= room) {
            place(piece);
        } else if (too_wide == TooWide::shorten) {
            // From the beginning of a line, for a sign at the end of one would be read with the term before it.
            const std::vector<std::string> words = words_in(shortened(piece, lines_of_a_piece * room, measure));
            for (std::size_t i = 0; i < words.size(); ++i) {
                const std::string word = shortened(words[i], room, measure);
                if (i == 0)
                    lines.push_back(word);
                else
                    place(word);
            }
        } else {
            for (const std::string& word : words_in(piece)) {
                std::string_view rest = word;
                while (measure(rest) > room) {
                    lines.emplace_back(fitting_beginning(rest, room, measure));
                    rest.remove_prefix(lines.back().size());
                    if (rest.empty()) break;
                }
                if (!rest.empty()) place(rest);
            }
        }
    }
    bool open = false;  // an isolate that was divided begins anew on the next line
    for (std::string& line : lines) {
        if (open) line.insert(0, isolate);
        open = leaves_open(line);
        if (open) line += end_of_isolate;
    }
    return lines;
}

std::vector<std::string> words_in(std::string_view sentence) {
    std::vector<std::string> words;
    while (!sentence.empty()) {
        const std::size_t end = std::min(sentence.find(' '), sentence.size());
        if (end > 0) words.emplace_back(sentence.substr(0, end));
        sentence.remove_prefix(std::min(end + 1, sentence.size()));
    }
    return words;
}

}  // namespace polyrx
