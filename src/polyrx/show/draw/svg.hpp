// SPDX-License-Identifier: Apache-2.0
// Primitives of SVG: elements with escaped texts, to a sink, the same bytes every time.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/show/draw/palette.hpp"

namespace polyrx {

// For the content of an element and for attributes in double quotes: well-formed whatever comes in.
[[nodiscard]] std::string escaped_xml(std::string_view text);

// A coordinate with at most two decimals.
[[nodiscard]] std::string coordinate(double value);

struct Box {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
    [[nodiscard]] double middle() const { return y + height / 2; }
};

struct Point {
    double x = 0;
    double y = 0;
};

struct BoxStyle {
    Color fill;
    Color line;
    double line_width = 1;
    double radius = 4;
    bool dashed = false;
};

struct LineStyle {
    Color color;
    double width = 1;
    bool dashed = false;
};

enum class Anchor { start, middle, end };

struct TextStyle {
    Font font;
    Color ink{17, 24, 32};
    Anchor anchor = Anchor::start;
};

// Writes a picture. Groups must be closed before finish().
class SvgWriter {
public:
    // The title is for screen readers and the browser's tooltip.
    SvgWriter(double width, double height, std::string_view title, std::function<void(std::string_view)> write);

    void begin_group(std::string_view tooltip);
    void end_group();
    void rect(const Box& box, const BoxStyle& style);
    void line(Point from, Point to, const LineStyle& style);
    void path(std::span<const Point> points, const LineStyle& style);
    void circle(Point middle, double radius, Color fill, Color line);
    void text(double x, double baseline, std::string_view line, const TextStyle& style);
    // From the middle of a right edge to that of a left edge, in one stroke that leaves and arrives level.
    void link(double x0, double y0, double x1, double y1, Color color, double width);
    void finish();

private:
    void put(std::string_view piece);

    std::function<void(std::string_view)> write_;
    std::string buffer_;
};

}  // namespace polyrx
