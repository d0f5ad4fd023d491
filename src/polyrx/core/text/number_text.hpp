// SPDX-License-Identifier: Apache-2.0
// Formats numbers for people.
#pragma once

#include <string>

namespace polyrx {

// Formats with `digits` significant digits, but all digits before the decimal point up to 10^15, in groups: "0.000123",
// "38.34", "24,080", "1,234,568". Omits trailing zeros and never writes "-0".
[[nodiscard]] std::string number_text(double value, int digits = 4);

// Formats estimates of one outcome. Differences far below the rounding errors of sums of such outcomes are written as
// 0.
class NumberWriter {
public:
    // `scale` is the largest absolute outcome; with 0, no number is rounded to 0.
    explicit NumberWriter(double scale) : resolved_(1e-13 * scale) {}
    [[nodiscard]] std::string operator()(double value, int digits = 4) const;
    // "[low, high]"
    [[nodiscard]] std::string range(double low, double high) const;

private:
    double resolved_;
};

}  // namespace polyrx
