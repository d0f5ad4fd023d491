// SPDX-License-Identifier: Apache-2.0
// Interval arithmetic: an interval of doubles contains the exact result of every operation.
//
// In any rounding mode, an IEEE operation returns the exact result or one of its two neighboring doubles, so one double
// further out is a safe bound. This file does not depend on the rounding mode, on denormals or on the absence of
// overflow. Its users compute long sums that rely on rounding to nearest.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "polyrx/core/infinity.hpp"

namespace polyrx::checking {

// The next double above x. NaN comes from infinities and may stand for any value, so infinity is returned for it.
[[nodiscard]] inline double above(double x) {
    if (!(x < infinity)) return infinity;
    if (x == 0) return std::numeric_limits<double>::denorm_min();
    return std::bit_cast<double>(std::bit_cast<std::int64_t>(x) + (x > 0 ? 1 : -1));
}
[[nodiscard]] inline double below(double x) {
    return -above(-x);
}

// Upper bounds of the exact result. Sums with 0, sums that are 0 (computed sums never underflow) and products with 0
// are exact, even with an infinite bound, because it bounds finite numbers.
[[nodiscard]] inline double add_up(double a, double b) {
    if (a == 0) return b;
    if (b == 0) return a;
    const double sum = a + b;
    return sum == 0 ? 0 : above(sum);
}
[[nodiscard]] inline double multiply_up(double a, double b) {
    return a == 0 || b == 0 ? 0 : above(a * b);
}
[[nodiscard]] inline double add_down(double a, double b) {
    return -add_up(-a, -b);
}
[[nodiscard]] inline double multiply_down(double a, double b) {
    return -multiply_up(-a, b);
}

// All x with lower <= x <= upper.
struct Interval {
    double lower = 0;
    double upper = 0;

    Interval() = default;
    Interval(double exact) : lower(exact), upper(exact) {}  // NOLINT: a number is an interval
    Interval(double low, double high) : lower(low), upper(high) {}

    [[nodiscard]] bool is_zero() const { return lower == 0 && upper == 0; }
    [[nodiscard]] bool contains(double x) const { return lower <= x && x <= upper; }
    // True if the two bounds contradict each other.
    [[nodiscard]] bool is_empty() const { return !(lower <= upper); }
    [[nodiscard]] Interval operator-() const { return {-upper, -lower}; }
    friend bool operator==(const Interval&, const Interval&) = default;
};

[[nodiscard]] inline Interval operator+(const Interval& a, const Interval& b) {
    return {add_down(a.lower, b.lower), add_up(a.upper, b.upper)};
}
[[nodiscard]] inline Interval operator-(const Interval& a, const Interval& b) {
    return a + -b;
}
[[nodiscard]] inline Interval operator*(const Interval& a, double b) {
    if (b < 0) return {multiply_down(a.upper, b), multiply_up(a.lower, b)};
    return {multiply_down(a.lower, b), multiply_up(a.upper, b)};
}
[[nodiscard]] inline Interval operator*(const Interval& a, const Interval& b) {
    const Interval low = a * b.lower;
    const Interval high = a * b.upper;
    return {std::min(low.lower, high.lower), std::max(low.upper, high.upper)};
}
// Unbounded if the divisor may be 0.
[[nodiscard]] inline Interval operator/(const Interval& a, const Interval& b) {
    if (!(b.lower > 0 || b.upper < 0)) return {-infinity, infinity};
    const double quotients[] = {a.lower / b.lower, a.lower / b.upper, a.upper / b.lower, a.upper / b.upper};
    Interval result(infinity, -infinity);
    for (const double quotient : quotients) {
        result.lower = std::min(result.lower, below(quotient));
        result.upper = std::max(result.upper, above(quotient));
    }
    return result;
}

[[nodiscard]] inline Interval relu(const Interval& x) {
    return {std::max(0.0, x.lower), std::max(0.0, x.upper)};
}
// The largest absolute value in the interval.
[[nodiscard]] inline double magnitude(const Interval& x) {
    return std::max(std::abs(x.lower), std::abs(x.upper));
}
// The intersection.
[[nodiscard]] inline Interval both(const Interval& a, const Interval& b) {
    return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

}  // namespace polyrx::checking
