// SPDX-License-Identifier: Apache-2.0
// How wide the guard band of a split must be so that rounding cannot take a row to the wrong side of it.
#pragma once

#include "polyrx/geometry/affine.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx {

// Bounds the rounding error of computing w·x + c in double precision, in any order and with or without fused
// multiply-adds, for every row of the domain:
//     gamma (sum_j |w_j| max |x_j| + |c|),  gamma = (n + 2) u / (1 - (n + 2) u),  u = 2^-53  (Higham 2002, Section 3.1)
// with a little for products that underflow. Above 0 always; infinite if a weight lies on an unbounded input.
[[nodiscard]] double rounding_bound(const AffineFunction& function, const Domain& domain);

// Four times that, so that rows beyond the guard are well inside their side and not merely on it.
[[nodiscard]] double guard_for(const AffineFunction& function, const Domain& domain);

}  // namespace polyrx
