// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/draw/palette.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace polyrx {
namespace {

using Triple = std::array<double, 3>;
using Square = std::array<Triple, 3>;

Triple linear(Color color) {
    const auto one = [](int channel) {
        const double c = channel / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return {one(color.red), one(color.green), one(color.blue)};
}

Triple times(const Square& square, const Triple& x) {
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i) result[i] = square[i][0] * x[0] + square[i][1] * x[1] + square[i][2] * x[2];
    return result;
}

// CIE L*a*b* of linear sRGB under D65.
Triple lab(const Triple& rgb) {
    const Triple xyz = times(
        {{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}},
        rgb);
    const Triple white{0.95047, 1, 1.08883};
    Triple f{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = xyz[i] / white[i];
        f[i] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
    }
    return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

// Normal vision, protanopia, deuteranopia, tritanopia: Machado, Oliveira and Fernandes (2009), severity 1.
const std::array<Square, 4> visions = {{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
}};

Triple seen(Color color, const Square& vision) {
    Triple rgb = times(vision, linear(color));
    for (double& channel : rgb) channel = std::clamp(channel, 0.0, 1.0);
    return lab(rgb);
}

// For whoever sees the least difference.
double distance(Color a, Color b) {
    double least = 1e9;
    for (const Square& vision : visions) {
        const Triple x = seen(a, vision);
        const Triple y = seen(b, vision);
        least = std::min(least, std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]));
    }
    return least;
}

double least_distance(std::size_t count) {
    double least = 1e9;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < i; ++j) least = std::min(least, distance(color_of(i), color_of(j)));
    return least;
}

TEST(Palette, CanBeToldApartWithAnyColorVision) {
    EXPECT_GE(least_distance(8), 25);
    EXPECT_GE(least_distance(64), 7);
}

TEST(Palette, BeginsAgainAfter64) {
    EXPECT_EQ(color_of(64), color_of(0));
}

TEST(Palette, HasInkThatCanBeReadOnEveryColor) {
    const auto luminance = [](Color color) {
        const Triple rgb = linear(color);
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] + 0.05;
    };
    for (std::size_t k = 0; k < 64; ++k) {
        const double back = luminance(color_of(k));
        const double ink = luminance(ink_on(color_of(k)));
        EXPECT_GE(std::max(back, ink) / std::min(back, ink), 4.1) << k << hex(color_of(k));
    }
}

TEST(Palette, SpellsColorsAsTheWebDoes) {
    EXPECT_EQ(hex({127, 185, 212}), "#7fb9d4");
    EXPECT_EQ(hex(tint({0, 0, 0}, 1)), "#ffffff");
    EXPECT_EQ(hex(shade({255, 255, 255}, 1)), "#000000");
}

}  // namespace
}  // namespace polyrx
