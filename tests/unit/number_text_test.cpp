// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/text/number_text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace polyrx {
namespace {

TEST(NumberText, SmallAndLargeNumbersHaveTheDigitsThatAPersonReads) {
    EXPECT_EQ(number_text(0.000123), "0.000123");
    EXPECT_EQ(number_text(0.1919), "0.1919");
    EXPECT_EQ(number_text(4.754), "4.754");
    EXPECT_EQ(number_text(38.34), "38.34");
    EXPECT_EQ(number_text(24080), "24,080");
    EXPECT_EQ(number_text(1234567.8), "1,234,568");
    EXPECT_EQ(number_text(-24080), "-24,080");
    EXPECT_EQ(number_text(0.5), "0.5");
    EXPECT_EQ(number_text(1e-9), "1e-09");
}

TEST(NumberText, RoundingUpToAThousandStaysANumberInFull) {
    EXPECT_EQ(number_text(999.96), "1,000");
    EXPECT_EQ(number_text(-999.96), "-1,000");
    EXPECT_EQ(number_text(999.4, 3), "999");
    EXPECT_EQ(number_text(99.7, 2), "100");
    EXPECT_EQ(number_text(123.4, 2), "123");
    EXPECT_EQ(number_text(9999.6), "10,000");
}

TEST(NumberText, ZeroHasNoSignAndWhatIsNotFiniteIsNamed) {
    EXPECT_EQ(number_text(-0.0), "0");
    EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
    EXPECT_EQ(number_text(1e18), "1e+18");
}

TEST(NumberText, WhatTheOutcomesCannotResolveIsZero) {
    const NumberWriter number(40);
    EXPECT_EQ(number(1.7e-17), "0");
    EXPECT_EQ(number(-1.7e-17), "0");
    EXPECT_EQ(number(1e-6), "1e-06");
    EXPECT_EQ(number.range(-3e-15, 0.25), "[0, 0.25]");
    EXPECT_EQ(NumberWriter(0)(1.7e-17), "1.7e-17");
    EXPECT_EQ(NumberWriter(1e-15)(1.7e-17), "1.7e-17");
}

}  // namespace
}  // namespace polyrx
