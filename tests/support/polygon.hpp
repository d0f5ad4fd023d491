// SPDX-License-Identifier: Apache-2.0
// Convex polygons: a rectangle cut down by half-planes, and its area.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/geometry/domain.hpp"

namespace polyrx::test {

using Polygon = std::vector<Vector>;  // corners, one after the other

inline Polygon rectangle(const Domain& domain) {
    Polygon corners(4, Vector(2));
    corners[0] << domain.lower[0], domain.lower[1];
    corners[1] << domain.upper[0], domain.lower[1];
    corners[2] << domain.upper[0], domain.upper[1];
    corners[3] << domain.lower[0], domain.upper[1];
    return corners;
}

// The part where the function is >= 0 (Sutherland & Hodgman 1974).
inline Polygon clip(const Polygon& polygon, const AffineFunction& function) {
    Polygon result;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vector& here = polygon[i];
        const Vector& next = polygon[(i + 1) % polygon.size()];
        const double at_here = function(here);
        const double at_next = function(next);
        if (at_here >= 0) result.push_back(here);
        if ((at_here > 0 && at_next < 0) || (at_here < 0 && at_next > 0))
            result.push_back(here + (next - here) * (at_here / (at_here - at_next)));
    }
    return result;
}

inline double area(const Polygon& polygon) {
    double twice = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vector& here = polygon[i];
        const Vector& next = polygon[(i + 1) % polygon.size()];
        twice += here[0] * next[1] - next[0] * here[1];
    }
    return twice / 2;
}

}  // namespace polyrx::test
