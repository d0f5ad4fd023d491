// SPDX-License-Identifier: Apache-2.0
// Numbers in sentences and tables for people.
#pragma once

#include <string>

namespace polyrx {

// So many significant digits, but all digits before the decimal point up to 10^15, in groups: "0.000123", "38.34",
// "24,080", "1,234,568". Zeros at the end are left out, and 0 is never "-0".
[[nodiscard]] std::string number_text(double value, int digits = 4);

// Estimates of one outcome. A difference that is far below what sums of such outcomes resolve is rounding, and is
// written as 0.
class NumberWriter {
public:
    // `scale` is the largest absolute outcome; 0 writes every number as it is.
    explicit NumberWriter(double scale) : resolved_(1e-13 * scale) {}
    [[nodiscard]] std::string operator()(double value, int digits = 4) const;
    // "[low, high]"
    [[nodiscard]] std::string range(double low, double high) const;

private:
    double resolved_;
};

}  // namespace polyrx
