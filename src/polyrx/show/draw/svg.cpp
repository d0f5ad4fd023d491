// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/draw/svg.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace polyrx {
namespace {

constexpr std::size_t piece_size = std::size_t{1} << 16;

std::string stroke(const LineStyle& style) {
    return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}", hex(style.color), coordinate(style.width),
                       style.dashed ? " stroke-dasharray=\"4 3\"" : "");
}

std::string_view name_of(Anchor anchor) {
    return anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
}

}  // namespace

std::string escaped_xml(std::string_view text) {
    std::string safe;
    for (const char c : printable(text)) {
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += c;
        }
    }
    return safe;
}

std::string coordinate(double value) {
    const double rounded = std::round(value * 100) / 100 + 0.0;  // never "-0"
    return fmt::format("{}", rounded);
}

SvgWriter::SvgWriter(double width, double height, std::string_view title, std::function<void(std::string_view)> write)
    : write_(std::move(write)) {
    const std::string name = escaped_xml(title);
    put(
        fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                    "role=\"img\" font-family=\"sans-serif\">\n<title>{2}</title>\n"
                    "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
                    coordinate(width), coordinate(height), name));
}

void SvgWriter::begin_group(std::string_view tooltip) {
    put(fmt::format("<g><title>{}</title>", escaped_xml(tooltip)));
}

void SvgWriter::end_group() {
    put("</g>\n");
}

void SvgWriter::rect(const Box& box, const BoxStyle& style) {
    put(
        fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{}\" stroke=\"{}\" "
                    "stroke-width=\"{}\"{}/>\n",
                    coordinate(box.x), coordinate(box.y), coordinate(box.width), coordinate(box.height),
                    coordinate(style.radius), hex(style.fill), hex(style.line), coordinate(style.line_width),
                    style.dashed ? " stroke-dasharray=\"4 3\"" : ""));
}

void SvgWriter::line(Point from, Point to, const LineStyle& style) {
    const Point ends[] = {from, to};
    path(ends, style);
}

void SvgWriter::path(std::span<const Point> points, const LineStyle& style) {
    std::string steps;
    for (const Point& point : points)
        steps += fmt::format("{}{} {}", steps.empty() ? "M" : "L", coordinate(point.x), coordinate(point.y));
    put(fmt::format("<path d=\"{}\" {}/>\n", steps, stroke(style)));
}

void SvgWriter::circle(Point middle, double radius, Color fill, Color line) {
    put(fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"{}\"/>\n", coordinate(middle.x),
                    coordinate(middle.y), coordinate(radius), hex(fill), hex(line)));
}

void SvgWriter::text(double x, double baseline, std::string_view line, const TextStyle& style) {
    put(fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{} fill=\"{}\">{}</text>\n", coordinate(x),
                    coordinate(baseline), coordinate(style.font.size), style.font.bold ? " font-weight=\"bold\"" : "",
                    style.anchor == Anchor::start ? "" : fmt::format(" text-anchor=\"{}\"", name_of(style.anchor)),
                    hex(style.ink), escaped_xml(line)));
}

void SvgWriter::link(double x0, double y0, double x1, double y1, Color color, double width) {
    const double half = (x0 + x1) / 2;
    put(fmt::format("<path d=\"M{} {}C{} {} {} {} {} {}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
                    coordinate(x0), coordinate(y0), coordinate(half), coordinate(y0), coordinate(half), coordinate(y1),
                    coordinate(x1), coordinate(y1), hex(color), coordinate(width)));
}

void SvgWriter::finish() {
    put("</svg>\n");
    write_(buffer_);
    buffer_.clear();
}

void SvgWriter::put(std::string_view piece) {
    buffer_ += piece;
    if (buffer_.size() < piece_size) return;
    write_(buffer_);
    buffer_.clear();
}

}  // namespace polyrx
