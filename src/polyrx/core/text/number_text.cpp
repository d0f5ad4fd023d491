// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/text/number_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "polyrx/core/text/text_table.hpp"

namespace polyrx {

std::string number_text(double value, int digits) {
    std::string text = fmt::format("{:.{}g}", value + 0.0, digits);
    constexpr double longest = 1e15;
    const double whole = std::round(std::abs(value));
    // Numbers below 1 need no grouping. Infinite, NaN and very long numbers stay as they are.
    if (!(whole >= 1 && whole < longest)) return text;
    if (whole < 1'000 && text.find('e') == std::string::npos) return text;
    return (value < 0 ? "-" : "") + grouped(static_cast<std::size_t>(whole));
}

std::string NumberWriter::operator()(double value, int digits) const {
    return number_text(std::abs(value) < resolved_ ? 0 : value, digits);
}

std::string NumberWriter::range(double low, double high) const {
    return fmt::format("[{}, {}]", (*this)(low), (*this)(high));
}

}  // namespace polyrx
