// SPDX-License-Identifier: Apache-2.0
// Fractions of whole numbers, for the numbers that people write: 0.1 + 0.2 is 0.3 here.
#pragma once

#include <optional>

namespace polyrx {

// In lowest terms. What does not fit is no fraction: every operation may have no result.
class Rational {
public:
    __extension__ using Whole = __int128;

    Rational() = default;  // 0
    // The decimal that a person would write for the number.
    [[nodiscard]] static std::optional<Rational> decimal(double number);
    [[nodiscard]] static std::optional<Rational> fraction(Whole numerator, Whole denominator);

    [[nodiscard]] Whole numerator() const { return numerator_; }
    [[nodiscard]] Whole denominator() const { return denominator_; }  // above 0
    [[nodiscard]] bool is_zero() const { return numerator_ == 0; }
    // The nearest double; nothing for fractions of numbers so long that it would be rounded twice.
    [[nodiscard]] std::optional<double> to_double() const;
    // A double is this number, not only near it.
    [[nodiscard]] bool is_double() const;

    friend bool operator==(const Rational&, const Rational&) = default;

private:
    Rational(Whole numerator, Whole denominator) : numerator_(numerator), denominator_(denominator) {}

    Whole numerator_ = 0;
    Whole denominator_ = 1;
};

[[nodiscard]] std::optional<Rational> add(const Rational& a, const Rational& b);
[[nodiscard]] std::optional<Rational> multiply(const Rational& a, const Rational& b);
[[nodiscard]] std::optional<Rational> divide(const Rational& a, const Rational& b);  // nothing by 0

// The least common multiple of two denominators, and the greatest common divisor of two numerators.
[[nodiscard]] std::optional<Rational::Whole> common_multiple(Rational::Whole a, Rational::Whole b);
[[nodiscard]] Rational::Whole common_divisor(Rational::Whole a, Rational::Whole b);

}  // namespace polyrx
