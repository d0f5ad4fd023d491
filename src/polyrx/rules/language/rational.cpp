// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/language/rational.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace polyrx {
namespace {

using Whole = Rational::Whole;

constexpr Whole longest = Whole{1} << 53;  // all whole numbers up to this are doubles

bool is_power_of_two(Whole number) {
    return (number & (number - 1)) == 0;
}

}  // namespace

Whole common_divisor(Whole a, Whole b) {
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b != 0) {
        a %= b;
        std::swap(a, b);
    }
    return a;
}

std::optional<Whole> common_multiple(Whole a, Whole b) {
    Whole product = 0;
    if (__builtin_mul_overflow(a / common_divisor(a, b), b, &product)) return std::nullopt;
    return product;
}

std::optional<Rational> Rational::fraction(Whole numerator, Whole denominator) {
    if (denominator == 0) return std::nullopt;
    const Whole divisor = common_divisor(numerator, denominator) * (denominator < 0 ? -1 : 1);
    return Rational(numerator / divisor, denominator / divisor);
}

std::optional<Rational> Rational::decimal(double number) {
    if (!std::isfinite(number)) return std::nullopt;
    const std::string shortest = fmt::format("{}", number);  // "-0.00125", "1.25e+21"
    Whole digits = 0;
    int exponent = 0;
    bool behind_point = false;
    bool negative = false;
    for (std::size_t i = 0; i < shortest.size(); ++i) {
        const char c = shortest[i];
        if (c == '-') {
            negative = true;
        } else if (c == '.') {
            behind_point = true;
        } else if (c == 'e') {
            int written = 0;
            const char* begin = shortest.data() + i + (shortest[i + 1] == '+' ? 2 : 1);
            std::from_chars(begin, shortest.data() + shortest.size(), written);
            exponent += written;
            break;
        } else {
            digits = 10 * digits + (c - '0');
            exponent -= behind_point ? 1 : 0;
        }
    }
    if (exponent < -19 || exponent > 19) return std::nullopt;
    Whole power = 1;
    for (int i = 0; i < std::abs(exponent); ++i) power *= 10;
    if (negative) digits = -digits;
    if (exponent < 0) return fraction(digits, power);
    Whole product = 0;
    if (__builtin_mul_overflow(digits, power, &product)) return std::nullopt;
    return fraction(product, 1);
}

std::optional<double> Rational::to_double() const {
    const Whole size = numerator_ < 0 ? -numerator_ : numerator_;
    if (size > longest || denominator_ > longest) return std::nullopt;
    return static_cast<double>(numerator_) / static_cast<double>(denominator_);
}

bool Rational::is_double() const {
    const Whole size = numerator_ < 0 ? -numerator_ : numerator_;
    return size <= longest && denominator_ <= longest && is_power_of_two(denominator_);
}

std::optional<Rational> add(const Rational& a, const Rational& b) {
    Whole left = 0;
    Whole right = 0;
    Whole sum = 0;
    Whole denominator = 0;
    if (__builtin_mul_overflow(a.numerator(), b.denominator(), &left) ||
        __builtin_mul_overflow(b.numerator(), a.denominator(), &right) || __builtin_add_overflow(left, right, &sum) ||
        __builtin_mul_overflow(a.denominator(), b.denominator(), &denominator))
        return std::nullopt;
    return Rational::fraction(sum, denominator);
}

std::optional<Rational> multiply(const Rational& a, const Rational& b) {
    Whole numerator = 0;
    Whole denominator = 0;
    if (__builtin_mul_overflow(a.numerator(), b.numerator(), &numerator) ||
        __builtin_mul_overflow(a.denominator(), b.denominator(), &denominator))
        return std::nullopt;
    return Rational::fraction(numerator, denominator);
}

std::optional<Rational> divide(const Rational& a, const Rational& b) {
    const std::optional<Rational> inverse = Rational::fraction(b.denominator(), b.numerator());
    return inverse ? multiply(a, *inverse) : std::nullopt;
}

}  // namespace polyrx
