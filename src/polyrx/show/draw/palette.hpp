// SPDX-License-Identifier: Apache-2.0
// Colors for treatments that people with any color vision can tell apart, and ink that can be read on them.
#pragma once

#include <cstddef>
#include <string>

namespace polyrx {

struct Color {
    int red = 0;
    int green = 0;
    int blue = 0;
    friend bool operator==(const Color&, const Color&) = default;
};

// Of treatment k. The first five were chosen by eye, each of the others as the one farthest from all before it, where
// the distance (CIE 1976) is the smallest of four: for normal vision, protanopia, deuteranopia and tritanopia (Machado
// et al. 2009). The first eight are at least 25 apart, all 64 at least 7. Then they begin again, so a picture must
// always name the treatment as well.
[[nodiscard]] Color color_of(std::size_t treatment);

// Of no treatment: gray, as no treatment is.
inline constexpr Color color_of_none{205, 208, 212};

// Near black or white, whichever contrasts more (WCAG 2).
[[nodiscard]] Color ink_on(Color background);

// Mixed with white: 0 is the color itself, 1 is white.
[[nodiscard]] Color tint(Color color, double share);
// Mixed with black.
[[nodiscard]] Color shade(Color color, double share);

// "#7fb9d4"
[[nodiscard]] std::string hex(Color color);

}  // namespace polyrx
