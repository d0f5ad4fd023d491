// SPDX-License-Identifier: Apache-2.0
#include "polyrx/report/chart_canvas.hpp"

namespace polyrx {

ChartCanvas::ChartCanvas(double width, double height, std::string_view title, std::string_view note,
                         std::string_view warning)
    : svg_(width, height, title, [this](std::string_view piece) { text_ += piece; }) {
    const Font large{15, true};
    const Font small{12};
    const double room = width - 2 * chart_margin;
    const double down = warning.empty() ? 0 : 5;
    if (!warning.empty()) svg_.text(chart_margin, 15, warning, {{12, true}, chart_warning});
    svg_.text(chart_margin, 28 + down, shortened(one_line(title), room, in_pixels(large)), {large, chart_ink});
    svg_.text(chart_margin, 48 + down, shortened(one_line(note), room, in_pixels(small)), {small, chart_quiet});
}

std::string ChartCanvas::finish() {
    svg_.finish();
    return std::move(text_);
}

}  // namespace polyrx
