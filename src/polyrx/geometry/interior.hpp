// SPDX-License-Identifier: Apache-2.0
// Finds a point well inside a polyhedron, if it has an interior.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx {

struct InteriorPoint {
    Vector point;
    // The smallest slack of any function or bound, in units of the functions' largest terms and of the inputs' ranges.
    // If above 0, the point is in the interior.
    double depth = 0;
};

// The point of the domain, ignoring integrality, with the largest slack to the zeros of all functions and to input
// bounds. Fixed inputs and groups have no slack to bounds.
[[nodiscard]] InteriorPoint interior_point(const Domain& domain, const std::vector<AffineFunction>& positive);

}  // namespace polyrx
