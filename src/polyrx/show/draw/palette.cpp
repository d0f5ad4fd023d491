// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/draw/palette.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>

namespace polyrx {
namespace {

constexpr std::array<std::uint32_t, 64> colors = {
    0xfbe3a4, 0x7fb9d4, 0x1d4e7e, 0xa6401b, 0xd9952b, 0x805c5c, 0x9880e0, 0x80f8e0, 0xbc988c, 0x742c20, 0x4480a4,
    0x8cb05c, 0x808050, 0x6850b0, 0x50445c, 0xf8c868, 0xa4b0f8, 0xc8d4b0, 0xa47408, 0xbce0f8, 0x5cc8bc, 0x7498a4,
    0x683838, 0x507480, 0xb0b080, 0x802008, 0x44388c, 0x988038, 0xa4d480, 0xb080c8, 0x8c68bc, 0x8c5044, 0x98442c,
    0xbc4480, 0xd4bcf8, 0x748c68, 0x684450, 0xe0ec8c, 0xbcb050, 0x804498, 0x20b068, 0xeca4bc, 0x38a4f8, 0xbc8c38,
    0xd4c898, 0xb07480, 0xbc50a4, 0x802074, 0xd4b0a4, 0xd45050, 0xd4ecbc, 0x8c98bc, 0x74e0d4, 0x982068, 0x5074d4,
    0xf88cd4, 0xb08ce0, 0xb05c20, 0xd46898, 0xa4ecc8, 0xd498a4, 0xf8b074, 0xd4b044, 0x685c8c};

double linear(int channel) {
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(Color color) {
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

double contrast(Color a, Color b) {
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return first > second ? first / second : second / first;
}

Color mixed(Color a, Color b, double share) {
    const auto mix = [&](int x, int y) { return static_cast<int>(std::lround(x + share * (y - x))); };
    return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

}  // namespace

Color color_of(std::size_t treatment) {
    const std::uint32_t rgb = colors[treatment % colors.size()];
    return {static_cast<int>(rgb >> 16U), static_cast<int>((rgb >> 8U) & 0xFFU), static_cast<int>(rgb & 0xFFU)};
}

Color ink_on(Color background) {
    constexpr Color dark{17, 24, 32};
    constexpr Color light{255, 255, 255};
    return contrast(background, dark) >= contrast(background, light) ? dark : light;
}

Color tint(Color color, double share) {
    return mixed(color, {255, 255, 255}, share);
}

Color shade(Color color, double share) {
    return mixed(color, {0, 0, 0}, share);
}

std::string hex(Color color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
}

}  // namespace polyrx
