// SPDX-License-Identifier: Apache-2.0
// Labels as a page can hold them: clean, measured, shortened, broken into lines.
//
// Names, units and treatment labels come from users' files, so they may hold anything: markup, line breaks, 200
// characters, another direction of writing. Everything that people are shown passes through one_line().
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace polyrx {

// On one line and valid UTF-8: runs of white space and control characters become a space, bytes that are no UTF-8 and
// characters that XML forbids become U+FFFD, marks that change the direction of writing are dropped. A text with
// letters written from right to left is put between isolates (U+2068, U+2069), so that it cannot turn the numbers and
// signs beside it around.
[[nodiscard]] std::string one_line(std::string_view text);

// Valid in any document: only what one_line() replaces is replaced, isolates are kept. For texts that were put together
// from clean ones.
[[nodiscard]] std::string printable(std::string_view text);

struct Font {
    double size = 12;
    bool bold = false;
};

// How much room a text takes, in whatever the writer counts.
using Measure = std::function<double(std::string_view)>;

// Terminal columns: East Asian wide characters take two, combining marks none.
[[nodiscard]] Measure in_columns();
// Pixels, estimated with the widths of DejaVu Sans: it is the widest of the fonts that "sans-serif" usually stands for,
// so that text drawn in another stays inside its box.
[[nodiscard]] Measure in_pixels(const Font& font);

// The text, or as much of its beginning and its end as fits with an ellipsis between them: names that begin alike often
// end in what tells them apart.
[[nodiscard]] std::string shortened(std::string_view text, double room, const Measure& measure);

enum class TooWide { shorten, divide };

// Pieces joined by spaces into as few lines as the room allows. A line breaks between pieces; a piece that is wider
// than a line is divided at its spaces. To shorten, no more of a piece is kept than about three lines hold, and no more
// of a word than one does; to divide, nothing is left out, and a word that is too wide is divided anywhere.
[[nodiscard]] std::vector<std::string> wrapped(const std::vector<std::string>& pieces, double room,
                                               const Measure& measure, TooWide too_wide);

// The words of a sentence, as pieces for wrapped().
[[nodiscard]] std::vector<std::string> words_in(std::string_view sentence);

}  // namespace polyrx
