// SPDX-License-Identifier: Apache-2.0
// The frame of all charts in a report: a title, a note below it, and common styles.
#pragma once

#include <string>
#include <string_view>

#include "polyrx/show/draw/svg.hpp"

namespace polyrx {

inline constexpr Color chart_ink{17, 24, 32};
inline constexpr Color chart_quiet{90, 98, 108};
inline constexpr Color chart_white{255, 255, 255};
inline constexpr Color chart_policy{29, 78, 126};
inline constexpr Color chart_warning{163, 0, 36};
inline constexpr double chart_width = 760;
inline constexpr double chart_margin = 24;
inline constexpr double chart_head = 68;  // top of the drawing, below title and note

// A picture as a string.
class ChartCanvas {
public:
    // A warning is shown above the title.
    ChartCanvas(double width, double height, std::string_view title, std::string_view note,
                std::string_view warning = {});

    SvgWriter& svg() { return svg_; }
    // Nothing may be drawn afterwards.
    [[nodiscard]] std::string finish();

private:
    std::string text_;
    SvgWriter svg_;
};

}  // namespace polyrx
