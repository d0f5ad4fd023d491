// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "polyrx/core/text_table.hpp"
#include "polyrx/plot/axis.hpp"
#include "polyrx/report/chart_canvas.hpp"
#include "polyrx/report/evaluation_charts.hpp"

namespace polyrx {
namespace {

constexpr double width = 760;
constexpr double line_height = 30;
constexpr double label_width = 230;
constexpr Colour of_others{166, 64, 27};

struct ValueLine {
    std::string label;
    const IntervalledValue* value = nullptr;
    bool is_policy = false;
};

std::vector<ValueLine> lines_of(const Evaluation& evaluation) {
    std::vector<ValueLine> lines;
    for (const EstimatedValue& each : evaluation.values)
        lines.push_back({fmt::format("policy, {}", long_name_of(each.estimator)), &each.value, true});
    for (const ComparedValue& each : evaluation.compared) lines.push_back({each.name, &each.value, false});
    return lines;
}

Axis axis_for(const std::vector<ValueLine>& lines) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const ValueLine& line : lines) {
        if (!line.value->estimate.value) continue;
        low = std::min(low, *line.value->estimate.value);
        high = std::max(high, *line.value->estimate.value);
        if (const auto& interval = shown_interval(*line.value).interval) {
            low = std::min(low, interval->low);
            high = std::max(high, interval->high);
        }
    }
    if (low > high) low = high = 0;
    const double room = 0.04 * (high - low);
    return {low - room, high + room, chart_margin + label_width, width - chart_margin};
}

void draw_value(SvgWriter& svg, const Axis& axis, const ValueLine& line, double y) {
    const Colour colour = line.is_policy ? chart_policy : of_others;
    svg.text(chart_margin, y + 4, shortened(one_line(line.label), label_width - 12, in_pixels({12})),
             {{12}, chart_ink, Anchor::start});
    if (!line.value->estimate.value) {
        svg.text(chart_margin + label_width, y + 4, "not estimable", {{12}, chart_quiet, Anchor::start});
        return;
    }
    const double value = *line.value->estimate.value;
    const auto& interval = shown_interval(*line.value).interval;
    svg.begin_group(interval ? fmt::format("{}: {:.4g} [{:.4g}, {:.4g}]", one_line(line.label), value, interval->low,
                                           interval->high)
                             : fmt::format("{}: {:.4g}", one_line(line.label), value));
    if (interval) {
        // One that comes from the bootstrap alone is no interval of the error, and looks it.
        const LineStyle whisker{colour, 2, !line.value->normal.interval};
        svg.line({axis.at(interval->low), y}, {axis.at(interval->high), y}, whisker);
        for (const double end : {interval->low, interval->high})
            svg.line({axis.at(end), y - 5}, {axis.at(end), y + 5}, {colour, 2, false});
    }
    svg.circle({axis.at(value), y}, 5, line.is_policy ? colour : chart_white, colour);
    svg.end_group();
}

}  // namespace

std::string value_chart(const Evaluation& evaluation, const EvaluationNames& names) {
    const std::vector<ValueLine> lines = lines_of(evaluation);
    const double bottom = chart_head + line_height * static_cast<double>(lines.size());
    ChartCanvas canvas(
        width, bottom + 52, fmt::format("Mean {} under the policy, and under what it is compared with", names.outcome),
        fmt::format("{} rows; {:g} % intervals; {} is better; {}", grouped(evaluation.rows), 100 * names.level,
                    names.larger_is_better ? "larger" : "smaller", evaluation.overlap.words));
    const Axis axis = axis_for(lines);
    axis.draw_below(canvas.svg(), chart_head, bottom, one_line(names.outcome));
    for (std::size_t i = 0; i < lines.size(); ++i)
        draw_value(canvas.svg(), axis, lines[i], chart_head + line_height * (static_cast<double>(i) + 0.5));
    return canvas.finish();
}

}  // namespace polyrx
