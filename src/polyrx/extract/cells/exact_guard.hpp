// SPDX-License-Identifier: Apache-2.0
// The guard bands of an exact tree's splits.
#pragma once

#include "polyrx/extract/cells/cell.hpp"
#include "polyrx/extract/exact/plan.hpp"

namespace polyrx {

// Beyond the guard, the network must put a row on the same side of the split. The network computes neurons and outcomes
// with a rounding error of up to `error`, and the multipliers of the proof come from a linear program with its own
// rounding errors. A share of the range covers those, and slivers that are too thin to plan for (see Cell::reaches);
// most slivers lie along an existing split. About one row in a hundred million falls into a guard band.
[[nodiscard]] double exact_guard(const AffineFunction& function, const Domain& domain, double error);
// The guard of a planned split.
[[nodiscard]] double exact_guard(const Ground& ground, const Plan& plan);

}  // namespace polyrx
