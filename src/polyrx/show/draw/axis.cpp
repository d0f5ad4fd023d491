// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/draw/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polyrx {
namespace {

constexpr LineStyle grid{{225, 228, 232}, 1, false};
constexpr Color quiet{90, 98, 108};
constexpr std::size_t most_ticks = 7;

double round_step(double width, std::size_t most) {
    const double least = width / static_cast<double>(most - 1);
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double step : {1.0, 2.0, 5.0})
        if (step * power >= least) return step * power;
    return 10 * power;
}

}  // namespace

std::vector<double> round_ticks(double low, double high, std::size_t most) {
    const double step = round_step(high - low, std::max<std::size_t>(most, 2));
    std::vector<double> ticks;
    // Whole multiples, so that steps do not add up their rounding; a hair of room for ends that are ticks themselves.
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) ticks.push_back(k * step + 0.0);
    return ticks;
}

Axis::Axis(double low, double high, double begin, double end) : low_(low), high_(high), begin_(begin), end_(end) {
    if (!(high_ > low_)) {
        const double room = low_ == 0 ? 1 : std::abs(low_) * 0.1;
        low_ -= room;
        high_ += room;
    }
    ticks_ = round_ticks(low_, high_, most_ticks);
}

double Axis::at(double value) const {
    return begin_ + (value - low_) / (high_ - low_) * (end_ - begin_);
}

std::string Axis::label(double tick) const {
    const double step = ticks_.size() > 1 ? ticks_[1] - ticks_[0] : high_ - low_;
    const auto decimals = static_cast<int>(std::clamp(std::ceil(-std::log10(step) - 1e-9), 0.0, 12.0));
    const double largest = std::max(std::abs(low_), std::abs(high_));
    return largest >= 1e6 || largest < 1e-4 ? fmt::format("{:g}", tick) : fmt::format("{:.{}f}", tick, decimals);
}

void Axis::draw_below(SvgWriter& svg, double top, double bottom, std::string_view name) const {
    for (const double tick : ticks_) {
        svg.line({at(tick), top}, {at(tick), bottom}, grid);
        svg.text(at(tick), bottom + 16, label(tick), {{11}, quiet, Anchor::middle});
    }
    svg.text((begin_ + end_) / 2, bottom + 36, name, {{12}, quiet, Anchor::middle});
}

void Axis::draw_left(SvgWriter& svg, double left, double right) const {
    for (const double tick : ticks_) {
        svg.line({left, at(tick)}, {right, at(tick)}, grid);
        svg.text(left - 6, at(tick) + 4, label(tick), {{11}, quiet, Anchor::end});
    }
}

}  // namespace polyrx
