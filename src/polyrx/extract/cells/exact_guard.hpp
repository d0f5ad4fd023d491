// SPDX-License-Identifier: Apache-2.0
// The guards of an exact tree's splits.
#pragma once

#include "polyrx/extract/cells/cell.hpp"
#include "polyrx/extract/exact/plan.hpp"

namespace polyrx {

// Beyond the guard a row must be on the split's side for the network too, which computes the neuron, or the outcomes,
// in its own way, off by `error`; and the proof that it is has multipliers from a linear program, with rounding errors
// of their own. A share of the range is for those, and for slivers that were too thin to plan for (see Cell::reaches):
// most lie along a split that there is. It takes about one row in a hundred million to the network.
[[nodiscard]] double exact_guard(const AffineFunction& function, const Domain& domain, double error);
// That of a planned split.
[[nodiscard]] double exact_guard(const Ground& ground, const Plan& plan);

}  // namespace polyrx
