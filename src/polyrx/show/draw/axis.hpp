// SPDX-License-Identifier: Apache-2.0
// A scale from values to pixels, with ticks at round numbers.
#pragma once

#include <string>
#include <vector>

#include "polyrx/show/draw/svg.hpp"

namespace polyrx {

// Numbers at round steps (1, 2 or 5 times a power of ten), at most `most` of them, that lie in low..high.
[[nodiscard]] std::vector<double> round_ticks(double low, double high, std::size_t most);

class Axis {
public:
    // From `low` at pixel `begin` to `high` at pixel `end`. Where both values are the same, a little to either side.
    Axis(double low, double high, double begin, double end);

    [[nodiscard]] double at(double value) const;
    [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }
    // A tick with as many decimals as the step between them needs.
    [[nodiscard]] std::string label(double tick) const;

    // Lines across from top to bottom, with numbers below and a name under them.
    void draw_below(SvgWriter& svg, double top, double bottom, std::string_view name) const;
    // Lines from left to right, with numbers to their left.
    void draw_left(SvgWriter& svg, double left, double right) const;

private:
    double low_;
    double high_;
    double begin_;
    double end_;
    std::vector<double> ticks_;
};

}  // namespace polyrx
