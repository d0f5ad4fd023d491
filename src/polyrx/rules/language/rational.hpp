// SPDX-License-Identifier: Apache-2.0
// Exact fractions of whole numbers, for decimals in rules: 0.1 + 0.2 is 0.3.
#pragma once

#include <optional>

namespace polyrx {

// In lowest terms. Operations return nothing if the result does not fit.
class Rational {
public:
    __extension__ using Whole = __int128;

    Rational() = default;  // 0
    // The shortest decimal of the double, as a fraction.
    [[nodiscard]] static std::optional<Rational> decimal(double number);
    [[nodiscard]] static std::optional<Rational> fraction(Whole numerator, Whole denominator);

    [[nodiscard]] Whole numerator() const { return numerator_; }
    [[nodiscard]] Whole denominator() const { return denominator_; }  // positive
    [[nodiscard]] bool is_zero() const { return numerator_ == 0; }
    // The nearest double; empty if numerator or denominator is so large that rounding would occur twice.
    [[nodiscard]] std::optional<double> to_double() const;
    // Whether a double equals this number exactly.
    [[nodiscard]] bool is_double() const;

    friend bool operator==(const Rational&, const Rational&) = default;

private:
    Rational(Whole numerator, Whole denominator) : numerator_(numerator), denominator_(denominator) {}

    Whole numerator_ = 0;
    Whole denominator_ = 1;
};

[[nodiscard]] std::optional<Rational> add(const Rational& a, const Rational& b);
[[nodiscard]] std::optional<Rational> multiply(const Rational& a, const Rational& b);
[[nodiscard]] std::optional<Rational> divide(const Rational& a, const Rational& b);  // empty if b is 0

// The least common multiple of denominators and the greatest common divisor of numerators.
[[nodiscard]] std::optional<Rational::Whole> common_multiple(Rational::Whole a, Rational::Whole b);
[[nodiscard]] Rational::Whole common_divisor(Rational::Whole a, Rational::Whole b);

}  // namespace polyrx
