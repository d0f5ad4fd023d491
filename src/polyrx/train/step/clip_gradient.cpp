// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/step/clip_gradient.hpp"

#include <array>
#include <cmath>
#include <numeric>

namespace polyrx {

double gradient_norm(const AlignedFloats& gradient) {
    // Sixteen parallel sums fill the vectors of any machine, and their fixed number fixes the order. Sizes of gradients
    // are a multiple of 16 (ParameterLayout); for other sizes, the last round is shorter.
    constexpr std::size_t sums = 16;
    std::array<double, sums> squares{};
    std::size_t first = 0;
    for (; first + sums <= gradient.size(); first += sums)
        for (std::size_t i = 0; i < sums; ++i) {
            const double slope = gradient[first + i];
            squares[i] += slope * slope;
        }
    for (std::size_t i = 0; first + i < gradient.size(); ++i) {
        const double slope = gradient[first + i];
        squares[i] += slope * slope;
    }
    return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

double clip_gradient(AlignedFloats& gradient, double largest) {
    const double norm = gradient_norm(gradient);
    if (!std::isfinite(norm) || norm <= largest) return norm;
    const double scale = largest / norm;  // in double, because a float might be flushed to 0
    for (float& slope : gradient) slope = static_cast<float>(scale * slope);
    return norm;
}

}  // namespace polyrx
