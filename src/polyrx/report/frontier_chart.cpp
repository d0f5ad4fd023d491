// SPDX-License-Identifier: Apache-2.0
#include "polyrx/report/frontier_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "polyrx/core/text/number_text.hpp"
#include "polyrx/report/chart_canvas.hpp"
#include "polyrx/show/draw/axis.hpp"

namespace polyrx {
namespace {

constexpr double frontier_height = 420;
constexpr double frontier_left = 90;
constexpr double frontier_bottom = frontier_height - 52;
constexpr Color of_trees{29, 78, 126};
constexpr Color of_chosen{166, 64, 27};

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void take(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

Axis value_axis(const std::vector<FrontierDot>& dots, const std::vector<FrontierLine>& lines) {
    Range range;
    for (const FrontierDot& dot : dots)
        if (dot.value.known) {
            range.take(dot.value.known->low);
            range.take(dot.value.known->high);
        }
    for (const FrontierLine& line : lines)
        if (line.value.known) range.take(line.value.known->value);
    if (range.low > range.high) range = {0, 0};
    const double room = 0.06 * (range.high - range.low);
    return {range.low - room, range.high + room, frontier_bottom, chart_head};
}

// The area grows with the terms, from that of a tree without terms.
double radius_of(std::size_t terms) {
    return std::min(4 + std::sqrt(static_cast<double>(terms)), 14.0);
}

void draw_line(SvgWriter& svg, const Axis& value, const FrontierLine& line) {
    if (!line.value.known) return;
    const double y = value.at(line.value.known->value);
    const std::string words = fmt::format("{}: {}", one_line(line.name), number_text(line.value.known->value));
    svg.begin_group(words);
    svg.line({frontier_left, y}, {chart_width - chart_margin, y}, {chart_quiet, 1.5, true});
    svg.text(chart_width - chart_margin, y - 5, shortened(words, chart_width / 2, in_pixels({12})),
             {{12}, chart_quiet, Anchor::end});
    svg.end_group();
}

void draw_dot(SvgWriter& svg, const Axis& leaves, const Axis& value, const FrontierDot& dot) {
    if (!dot.value.known) return;
    const ValueAndError& known = *dot.value.known;
    const Color color = dot.chosen ? of_chosen : of_trees;
    const double x = leaves.at(static_cast<double>(dot.leaves));
    svg.begin_group(fmt::format("{} leaves, {} terms: {} [{}, {}]; {}", dot.leaves, dot.terms, number_text(known.value),
                                number_text(known.low), number_text(known.high), one_line(dot.label)));
    svg.line({x, value.at(known.low)}, {x, value.at(known.high)}, {tint(color, 0.5), 1.5, false});
    svg.circle({x, value.at(known.value)}, radius_of(dot.terms), dot.chosen ? color : tint(color, 0.6), color);
    if (dot.chosen)
        svg.text(x + radius_of(dot.terms) + 5, value.at(known.value) + 4, "chosen", {{12, true}, color, Anchor::start});
    if (!dot.note.empty())
        svg.text(x - radius_of(dot.terms) - 5, value.at(known.value) + 4, one_line(dot.note),
                 {{12}, chart_quiet, Anchor::end});
    svg.end_group();
}

// Large dots first and the chosen one last, so that none hides another.
std::vector<FrontierDot> in_drawing_order(std::vector<FrontierDot> dots) {
    std::ranges::stable_sort(dots, [](const FrontierDot& a, const FrontierDot& b) {
        return std::pair(a.chosen, b.terms) < std::pair(b.chosen, a.terms);
    });
    return dots;
}

}  // namespace

std::string frontier_chart(const std::vector<FrontierDot>& dots, const std::vector<FrontierLine>& lines,
                           const FrontierNames& names) {
    ChartCanvas canvas(chart_width, frontier_height, fmt::format("Mean {} under small trees", names.outcome),
                       fmt::format("cross-validated, with 95 % intervals; {} is better; larger dots have more terms",
                                   names.larger_is_better ? "larger" : "smaller"));
    std::size_t most = 1;
    for (const FrontierDot& dot : dots) most = std::max(most, dot.leaves);
    const Axis leaves(0, static_cast<double>(most) + 1, frontier_left, chart_width - chart_margin);
    const Axis value = value_axis(dots, lines);
    leaves.draw_below(canvas.svg(), chart_head, frontier_bottom, "leaves");
    value.draw_left(canvas.svg(), frontier_left, chart_width - chart_margin);
    for (const FrontierLine& line : lines) draw_line(canvas.svg(), value, line);
    for (const FrontierDot& dot : in_drawing_order(dots)) draw_dot(canvas.svg(), leaves, value, dot);
    return canvas.finish();
}

}  // namespace polyrx
