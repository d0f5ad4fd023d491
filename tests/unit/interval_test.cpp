// SPDX-License-Identifier: Apache-2.0
#include "polyrx/verify/interval.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <cmath>

#include "polyrx/core/rng.hpp"

namespace polyrx::checking {
namespace {

constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();

// Any double that is a number, all exponents alike.
double any_double(Rng& rng) {
    for (;;) {
        const auto x = std::bit_cast<double>(rng.next());
        if (std::isfinite(x)) return x;
    }
}

// Of ordinary size, or one of the corners of arithmetic.
double some_double(Rng& rng) {
    constexpr std::array<double, 9> corners = {
        0.0, -0.0, 1.0, -1.0, smallest, largest, -largest, -2e-310, 2.2250738585072014e-308};
    if (rng.bernoulli(0.2)) return corners[rng.below(corners.size())];
    return rng.bernoulli(0.3) ? any_double(rng) : std::ldexp(rng.normal(), static_cast<int>(rng.below(20)) - 10);
}

TEST(Above, IsTheNextDoubleForEveryDouble) {
    Rng rng(1, Draw::test);
    for (int i = 0; i < 100'000; ++i) {
        const double x = any_double(rng);
        EXPECT_EQ(above(x), std::nextafter(x, infinity));
        EXPECT_EQ(below(x), std::nextafter(x, -infinity));
    }
}

TEST(Above, KnowsZeroOverflowAndWhatIsNotANumber) {
    EXPECT_EQ(above(0.0), smallest);
    EXPECT_EQ(above(-0.0), smallest);
    EXPECT_EQ(below(0.0), -smallest);
    EXPECT_EQ(above(-smallest), 0);
    EXPECT_EQ(above(largest), infinity);
    EXPECT_EQ(above(-infinity), -largest);
    EXPECT_EQ(below(infinity), largest);
    EXPECT_EQ(above(std::nan("")), infinity);
    EXPECT_EQ(below(std::nan("")), -infinity);
}

// The residual of an operation is a number of its own, which tells on which side of the computed result the exact one
// lies. a + b: Knuth's two-sum. a b: fma. Both exact unless something over- or underflows.
TEST(Interval, HoldsTheExactSumAndProduct) {
    Rng rng(2, Draw::test);
    for (int i = 0; i < 200'000; ++i) {
        const double a = std::ldexp(rng.normal(), static_cast<int>(rng.below(40)) - 20);
        const double b = std::ldexp(rng.normal(), static_cast<int>(rng.below(40)) - 20);
        const Interval sum = Interval(a) + Interval(b);
        const Interval product = Interval(a) * Interval(b);
        const auto holds = [](const Interval& x, double computed, double residual) {
            // exact = computed + residual, and |residual| is less than the distance to the next double
            return residual > 0   ? x.lower <= computed && x.upper > computed
                   : residual < 0 ? x.upper >= computed && x.lower < computed
                                  : x.contains(computed);
        };
        const double s = a + b;
        const double b_part = s - a;
        EXPECT_TRUE(holds(sum, s, (a - (s - b_part)) + (b - b_part)));
        EXPECT_TRUE(holds(product, a * b, std::fma(a, b, -(a * b))));
    }
}

// long double has eleven bits and a wide exponent more: exact products of 32-bit numbers, and much closer quotients.
TEST(Interval, HoldsWhatLongDoubleComputesForAnyNumbersAndRoundingMode) {
    for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        Rng rng(3, Draw::test);
        for (int i = 0; i < 100'000; ++i) {
            // volatile: the compiler must not compute in advance, in another mode.
            volatile double a = some_double(rng);
            volatile double b = some_double(rng);
            const auto wide_a = static_cast<long double>(a);
            const auto wide_b = static_cast<long double>(b);
            const long double sum = wide_a + wide_b;
            const long double product = wide_a * wide_b;
            const long double quotient = b == 0 ? 0 : wide_a / wide_b;
            std::fesetround(mode);
            const Interval in_sum = Interval(a) + Interval(b);
            const Interval in_difference = Interval(a) - Interval(-b);
            const Interval in_product = Interval(a) * Interval(b);
            const Interval in_quotient = b == 0 ? Interval() : Interval(a) / Interval(b);
            std::fesetround(FE_TONEAREST);
            EXPECT_TRUE(in_sum.lower <= sum && sum <= in_sum.upper) << a << " + " << b;
            EXPECT_EQ(in_sum, in_difference);
            EXPECT_TRUE(in_product.lower <= product && product <= in_product.upper) << a << " * " << b;
            EXPECT_TRUE(in_quotient.lower <= quotient && quotient <= in_quotient.upper) << a << " / " << b;
        }
    }
}

TEST(Interval, HoldsTheResultForEveryPairOfMembers) {
    Rng rng(4, Draw::test);
    const auto some_interval = [&] {
        const double a = some_double(rng);
        const double b = some_double(rng);
        return Interval(std::min(a, b), std::max(a, b));
    };
    const auto member = [&](const Interval& x) {
        const double t = rng.uniform();
        return std::clamp(x.lower * (1 - t) + x.upper * t, x.lower, x.upper);
    };
    for (int i = 0; i < 100'000; ++i) {
        const Interval a = some_interval();
        const Interval b = some_interval();
        const Interval sum = a + b;
        const Interval product = a * b;
        const Interval quotient = a / b;
        const Interval scaled = a * b.lower;
        for (int k = 0; k < 3; ++k) {
            const double x = k == 0 ? a.lower : k == 1 ? a.upper : member(a);
            const double y = k == 0 ? b.upper : k == 1 ? b.lower : member(b);
            const auto wide = static_cast<long double>(x);
            EXPECT_TRUE(sum.lower <= wide + y && wide + y <= sum.upper);
            EXPECT_TRUE(product.lower <= wide * y && wide * y <= product.upper);
            EXPECT_TRUE(scaled.lower <= wide * b.lower && wide * b.lower <= scaled.upper);
            if (y != 0) {
                EXPECT_TRUE(quotient.lower <= wide / y && wide / y <= quotient.upper);
            }
            EXPECT_TRUE(relu(a).contains(std::max(0.0, x)));
        }
        EXPECT_TRUE((-a).contains(-a.lower) && (-a).contains(-a.upper));
    }
}

TEST(Interval, IsExactWhereZeroIsInvolved) {
    const Interval everything(-infinity, infinity);
    EXPECT_TRUE((Interval(0) * everything).is_zero());
    EXPECT_TRUE((everything * 0).is_zero());
    EXPECT_EQ(Interval(0) + Interval(0.1, 0.2), Interval(0.1, 0.2));
    EXPECT_TRUE((Interval(0.1) - Interval(0.1)).is_zero());
}

TEST(Interval, LosesAllBoundsRatherThanLie) {
    const Interval everything(-infinity, infinity);
    EXPECT_EQ(everything - everything, everything);
    EXPECT_EQ(everything * everything, everything);
    EXPECT_EQ(Interval(1) / Interval(-1, 1), everything);
    EXPECT_EQ(Interval(1, infinity) / Interval(1, infinity), everything);
    const Interval beyond = Interval(largest) + Interval(largest);
    EXPECT_EQ(beyond, Interval(largest, infinity));
    EXPECT_EQ(Interval(0, 1) * Interval(-infinity, 2), Interval(-infinity, above(2)));
}

TEST(Interval, OfTwoBoundsThatContradictEachOtherIsEmpty) {
    EXPECT_TRUE(both({0, 1}, {2, 3}).is_empty());
    EXPECT_FALSE(both({0, 2}, {2, 3}).is_empty());
}

}  // namespace
}  // namespace polyrx::checking
