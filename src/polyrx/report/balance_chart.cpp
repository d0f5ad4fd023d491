// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/text/text_table.hpp"
#include "polyrx/report/chart_canvas.hpp"
#include "polyrx/report/evaluation_charts.hpp"
#include "polyrx/show/draw/axis.hpp"

namespace polyrx {
namespace {

constexpr double balance_line_height = 24;
constexpr double balance_label_width = 270;
constexpr std::size_t most_lines = 20;

double reach_of(std::span<const CovariateBalance> shown) {
    double reach = 2 * notable_difference;
    for (const CovariateBalance& each : shown)
        reach = std::max({reach, std::abs(each.before.value_or(0)), std::abs(each.after.value_or(0))});
    return reach;
}

void draw_difference(SvgWriter& svg, const Axis& axis, const CovariateBalance& each, const EvaluationNames& names,
                     double y) {
    const auto treatment = static_cast<std::size_t>(each.treatment);
    const std::string label =
        fmt::format("{}, {}", one_line(names.inputs[each.column]), one_line(names.treatments[treatment]));
    svg.text(chart_margin, y + 4, shortened(label, balance_label_width - 12, in_pixels({12})),
             {{12}, chart_ink, Anchor::start});
    const Color color = color_of(treatment);
    const auto words = [](const std::optional<double>& value) { return value ? fmt::format("{:.2f}", *value) : "-"; };
    svg.begin_group(fmt::format("{}: {} before, {} after weighting", label, words(each.before), words(each.after)));
    if (each.before && each.after)
        svg.line({axis.at(*each.before), y}, {axis.at(*each.after), y}, {chart_quiet, 1, false});
    if (each.before) svg.circle({axis.at(*each.before), y}, 5, chart_white, shade(color, 0.35));
    if (each.after) svg.circle({axis.at(*each.after), y}, 5, color, shade(color, 0.35));
    svg.end_group();
}

}  // namespace

std::string balance_chart(const std::vector<CovariateBalance>& balance, const EvaluationNames& names) {
    const std::span shown = std::span(balance).first(std::min(most_lines, balance.size()));
    const double bottom = chart_head + balance_line_height * static_cast<double>(shown.size());
    ChartCanvas canvas(chart_width, bottom + 52, "Balance: features of each treatment group, compared with all rows",
                       fmt::format("hollow before, filled after weighting; the largest {} of {} differences",
                                   shown.size(), grouped(balance.size())),
                       warning_of(names));
    const double reach = 1.05 * reach_of(shown);
    const Axis axis(-reach, reach, chart_margin + balance_label_width, chart_width - chart_margin);
    axis.draw_below(canvas.svg(), chart_head, bottom, "difference of means, in standard deviations");
    for (const double limit : {-notable_difference, notable_difference})
        canvas.svg().line({axis.at(limit), chart_head}, {axis.at(limit), bottom}, {chart_quiet, 1, true});
    for (std::size_t i = 0; i < shown.size(); ++i)
        draw_difference(canvas.svg(), axis, shown[i], names,
                        chart_head + balance_line_height * (static_cast<double>(i) + 0.5));
    return canvas.finish();
}

}  // namespace polyrx
