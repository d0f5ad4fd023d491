// SPDX-License-Identifier: Apache-2.0
// A point well inside a polyhedron, if it has an inside.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx {

struct InteriorPoint {
    Vector point;
    // How far every function can fall before it is 0, and every input move, in units of the functions' largest terms
    // and of the inputs' ranges. Above 0: the point is inside.
    double depth = 0;
};

// The point of the domain, its whole numbers taken as real ones, that has the most room to every function's 0 and to
// the bounds of the inputs. Inputs without a range, and groups, do not count for the room to bounds.
[[nodiscard]] InteriorPoint interior_point(const Domain& domain, const std::vector<AffineFunction>& positive);

}  // namespace polyrx
