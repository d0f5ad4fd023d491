// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/draw/axis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/rng.hpp"

namespace polyrx {
namespace {

TEST(RoundTicks, AreFewEvenlySpacedRoundNumbersInside) {
    Rng rng(1, Draw::test);
    for (int i = 0; i < 500; ++i) {
        const double width = std::pow(10, rng.uniform(-6, 6));
        const double low = rng.normal() * 1000 * width;
        const double high = low + width;
        const std::vector<double> ticks = round_ticks(low, high, 7);
        const double hair = 1e-6 * (high - low);
        ASSERT_GE(ticks.size(), 2U) << low << " " << high;
        ASSERT_LE(ticks.size(), 7U) << low << " " << high;
        const double step = ticks[1] - ticks[0];
        const double leading = step / std::pow(10, std::floor(std::log10(step) + 1e-6));
        EXPECT_NEAR(std::min({std::abs(leading - 1), std::abs(leading - 2), std::abs(leading - 5)}), 0, 1e-3);
        for (const double tick : ticks) {
            EXPECT_GE(tick, low - hair);
            EXPECT_LE(tick, high + hair);
        }
    }
}

TEST(Axis, GoesFromEndToEnd) {
    const Axis axis(-2, 6, 100, 500);
    EXPECT_DOUBLE_EQ(axis.at(-2), 100);
    EXPECT_DOUBLE_EQ(axis.at(6), 500);
    EXPECT_DOUBLE_EQ(axis.at(2), 300);
}

TEST(Axis, HasRoomAroundASingleValue) {
    const Axis axis(40, 40, 0, 100);
    EXPECT_DOUBLE_EQ(axis.at(40), 50);
    EXPECT_FALSE(axis.ticks().empty());
    EXPECT_DOUBLE_EQ(Axis(0, 0, 0, 100).at(0), 50);
}

TEST(Axis, LabelsTicksWithAsManyDecimalsAsTellThemApart) {
    EXPECT_EQ(Axis(0, 1, 0, 1).label(0.2), "0.2");
    EXPECT_EQ(Axis(38, 46, 0, 1).label(40), "40");
    EXPECT_EQ(Axis(0.101, 0.104, 0, 1).label(0.1025), "0.1025");
    EXPECT_EQ(Axis(0, 5e7, 0, 1).label(2e7), "2e+07");
}

}  // namespace
}  // namespace polyrx
