// SPDX-License-Identifier: Apache-2.0
// The width of a split's guard band: rounding cannot take a row beyond it to the wrong side.
#pragma once

#include "polyrx/geometry/affine.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx {

// Bounds the rounding error of computing w·x + c in double precision, in any order and with or without fused
// multiply-adds, for every row of the domain:
//     gamma (sum_j |w_j| max |x_j| + |c|),  gamma = (n + 2) u / (1 - (n + 2) u),  u = 2^-53  (Higham 2002, Section 3.1)
// plus a small term for underflow. Always above 0; infinite if an unbounded input has a weight.
[[nodiscard]] double rounding_bound(const AffineFunction& function, const Domain& domain);

// Four times rounding_bound(), so that rows beyond the guard are well inside their side.
[[nodiscard]] double guard_for(const AffineFunction& function, const Domain& domain);

}  // namespace polyrx
