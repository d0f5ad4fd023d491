// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "polyrx/core/text/number_text.hpp"
#include "polyrx/core/text/text_table.hpp"
#include "polyrx/report/chart_canvas.hpp"
#include "polyrx/report/evaluation_charts.hpp"
#include "polyrx/show/draw/axis.hpp"

namespace polyrx {
namespace {

constexpr double value_line_height = 30;
constexpr double value_label_width = 230;
constexpr Color of_others{166, 64, 27};

// A value or its bounds, with an interval.
struct ValueLine {
    std::string label;
    std::optional<double> lower = {};
    std::optional<double> upper = {};
    std::optional<ConfidenceInterval> interval = {};
    bool is_policy = false;
    bool is_quiet = false;   // an extrapolation
    bool is_dashed = false;  // a bootstrap interval alone does not cover the estimation error
    std::string instead = "not estimable";
};

ValueLine line_of(std::string label, const BoundedValue& value, bool is_policy) {
    return {std::move(label),
            value.estimate.lower.value,
            value.estimate.upper.value,
            value.normal.interval,
            is_policy,
            false};
}

ValueLine line_of(std::string label, const IntervalledValue& value, bool is_policy) {
    return {std::move(label),
            value.estimate.value,
            value.estimate.value,
            shown_interval(value).interval,
            is_policy,
            false,
            !value.normal.interval};
}

std::vector<ValueLine> lines_of(const Evaluation& evaluation) {
    const SupportedValue& supported = evaluation.supported;
    const bool some_unsupported = evaluation.overlap.unsupported > 0;
    std::vector<ValueLine> lines = {line_of("policy, doubly robust", supported.value, true)};
    if (some_unsupported)
        lines.push_back(line_of("where supported, elsewhere as now", supported.where_supported, true));
    for (const ComparedValue& each : evaluation.compared) {
        lines.push_back(line_of(each.name, each.value, false));
        if (!each.value.estimate.estimable() && !each.cannot_be_compared.empty())
            lines.back().instead = each.cannot_be_compared;
    }
    for (const EstimatedValue& each : evaluation.values) {
        if (each.estimator == Estimator::dr && !some_unsupported) continue;
        lines.push_back(
            line_of(fmt::format("{}, {}", some_unsupported ? "extrapolating" : "policy", long_name_of(each.estimator)),
                    each.value, true));
        lines.back().is_quiet = some_unsupported;
    }
    return lines;
}

Axis axis_for(const std::vector<ValueLine>& lines) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const ValueLine& line : lines) {
        if (!line.lower || !line.upper) continue;
        low = std::min(low, *line.lower);
        high = std::max(high, *line.upper);
        if (line.interval) {
            low = std::min(low, line.interval->low);
            high = std::max(high, line.interval->high);
        }
    }
    if (low > high) low = high = 0;
    const double room = 0.04 * (high - low);
    return {low - room, high + room, chart_margin + value_label_width, chart_width - chart_margin};
}

void draw_value(SvgWriter& svg, const Axis& axis, const ValueLine& line, double y) {
    const Color color = line.is_quiet ? chart_quiet : line.is_policy ? chart_policy : of_others;
    svg.text(chart_margin, y + 4, shortened(one_line(line.label), value_label_width - 12, in_pixels({12})),
             {{12}, chart_ink, Anchor::start});
    if (!line.lower || !line.upper) {
        svg.text(chart_margin + value_label_width, y + 4, line.instead, {{12}, chart_quiet, Anchor::start});
        return;
    }
    const bool is_point = *line.lower == *line.upper;
    std::string words = is_point ? fmt::format("{}: {}", one_line(line.label), number_text(*line.lower))
                                 : fmt::format("{}: between {} and {}", one_line(line.label), number_text(*line.lower),
                                               number_text(*line.upper));
    if (line.interval)
        words += fmt::format(" [{}, {}]", number_text(line.interval->low), number_text(line.interval->high));
    svg.begin_group(words);
    if (line.interval) {
        const LineStyle whisker{color, 2, line.is_dashed};
        svg.line({axis.at(line.interval->low), y}, {axis.at(line.interval->high), y}, whisker);
        for (const double end : {line.interval->low, line.interval->high})
            svg.line({axis.at(end), y - 5}, {axis.at(end), y + 5}, {color, 2, false});
    }
    const Color fill = line.is_policy ? color : chart_white;
    if (is_point)
        svg.circle({axis.at(*line.lower), y}, 5, fill, color);
    else
        svg.rect({axis.at(*line.lower), y - 5, axis.at(*line.upper) - axis.at(*line.lower), 10},
                 {fill, color, 2, 3, false});
    svg.end_group();
}

}  // namespace

std::string value_chart(const Evaluation& evaluation, const EvaluationNames& names) {
    const std::vector<ValueLine> lines = lines_of(evaluation);
    const double bottom = chart_head + value_line_height * static_cast<double>(lines.size());
    ChartCanvas canvas(chart_width, bottom + 52,
                       fmt::format("Mean {} under the policy and the policies it is compared with", names.outcome),
                       fmt::format("{} rows; {} is better; {:g} % intervals; {}", grouped(evaluation.rows),
                                   names.larger_is_better ? "larger" : "smaller", 100 * names.level,
                                   evaluation.overlap.unsupported == 0
                                       ? evaluation.overlap.words
                                       : fmt::format("boxes are bounds: {:.1f} % of prescriptions are not supported",
                                                     100 * evaluation.overlap.unsupported_share)),
                       warning_of(names));
    const Axis axis = axis_for(lines);
    axis.draw_below(canvas.svg(), chart_head, bottom, one_line(names.outcome));
    for (std::size_t i = 0; i < lines.size(); ++i)
        draw_value(canvas.svg(), axis, lines[i], chart_head + value_line_height * (static_cast<double>(i) + 0.5));
    return canvas.finish();
}

}  // namespace polyrx
