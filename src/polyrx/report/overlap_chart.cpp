// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/text/text_table.hpp"
#include "polyrx/report/chart_canvas.hpp"
#include "polyrx/report/evaluation_charts.hpp"
#include "polyrx/show/draw/axis.hpp"

namespace polyrx {
namespace {

constexpr double panel = 110;  // height per treatment
constexpr double overlap_label_width = 190;
constexpr Color of_all{214, 218, 223};

void draw_treatment(SvgWriter& svg, const Axis& propensity, const TreatmentOverlap& overlap, std::string_view label,
                    Color color, double top) {
    const double base = top + panel - 14;
    const std::size_t most = std::max<std::size_t>(1, *std::ranges::max_element(overlap.all_rows));
    const double height = panel - 34;
    svg.text(chart_margin, top + 34, shortened(one_line(label), overlap_label_width - 16, in_pixels({13, true})),
             {{13, true}, chart_ink, Anchor::start});
    svg.text(chart_margin, top + 52, fmt::format("{} received it", grouped(overlap.received)),
             {{11}, chart_quiet, Anchor::start});
    svg.text(chart_margin, top + 67, fmt::format("not supported for {:.1f} % of rows", 100 * overlap.unsupported_share),
             {{11}, chart_quiet, Anchor::start});
    for (std::size_t bin = 0; bin < propensity_bins; ++bin) {
        const double from = propensity.at(static_cast<double>(bin) / propensity_bins) + 1;
        const double to = propensity.at(static_cast<double>(bin + 1) / propensity_bins) - 1;
        svg.begin_group(fmt::format("propensity {:.1f} to {:.1f}: {} rows, of which {} received it",
                                    static_cast<double>(bin) / propensity_bins,
                                    static_cast<double>(bin + 1) / propensity_bins, grouped(overlap.all_rows[bin]),
                                    grouped(overlap.received_rows[bin])));
        for (const bool received : {false, true}) {
            const std::size_t rows = received ? overlap.received_rows[bin] : overlap.all_rows[bin];
            const double tall = height * static_cast<double>(rows) / static_cast<double>(most);
            if (rows == 0) continue;
            const Color fill = received ? color : of_all;
            svg.rect({from, base - tall, to - from, tall}, {fill, shade(fill, 0.25), 1, 0, false});
        }
        svg.end_group();
    }
    svg.line({propensity.at(0), base}, {propensity.at(1), base}, {chart_quiet, 1, false});
}

}  // namespace

std::string overlap_chart(const Overlap& overlap, const EvaluationNames& names) {
    const std::vector<std::string>& treatments = names.treatments;
    const double bottom = chart_head + panel * static_cast<double>(treatments.size());
    ChartCanvas canvas(chart_width, bottom + 52, fmt::format("Can the data answer? {}", overlap.words),
                       "rows by propensity; gray: all rows, colored: rows that received the treatment",
                       warning_of(names));
    const Axis axis(0, 1, chart_margin + overlap_label_width, chart_width - chart_margin);
    axis.draw_below(canvas.svg(), chart_head, bottom, "propensity");
    for (std::size_t k = 0; k < treatments.size(); ++k)
        draw_treatment(canvas.svg(), axis, overlap.treatments[k], treatments[k], color_of(k),
                       chart_head + panel * static_cast<double>(k));
    return canvas.finish();
}

}  // namespace polyrx
