// SPDX-License-Identifier: Apache-2.0
// Leaves out the splits of a plan that decide nothing.
#pragma once

#include "polyrx/extract/cells/cell.hpp"
#include "polyrx/extract/exact/plan.hpp"

namespace polyrx {

// The plan without splits of which one side, on the other side too, prescribes what the other does: of
// `a < 2 ? (a < 0 ? B : A) : A` the first. It prescribes the same to every row but those in slivers (see
// Cell::reaches), so that whoever takes it has its leaves to prove. Splits that rules make are kept, unless their sides
// become the same. Some needless splits may stay: comparing is given up where it takes long. Throws BudgetSpent.
[[nodiscard]] PlanPtr without_needless_splits(const Plan& plan, const Ground& ground);

}  // namespace polyrx
