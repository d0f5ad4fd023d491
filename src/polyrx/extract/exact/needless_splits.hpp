// SPDX-License-Identifier: Apache-2.0
// Removes the splits of a plan that do not affect prescriptions.
#pragma once

#include "polyrx/extract/cells/cell.hpp"
#include "polyrx/extract/exact/plan.hpp"

namespace polyrx {

// Removes splits where the plan of one side is also right on the other side: `a < 2 ? (a < 0 ? B : A) : A` becomes
// `a < 0 ? B : A`. The result prescribes the same except in slivers (see Cell::reaches), so the caller must prove its
// leaves. Splits of rules stay unless their sides become equal. Some needless splits may stay, because long comparisons
// are abandoned. Throws BudgetSpent.
[[nodiscard]] PlanPtr without_needless_splits(const Plan& plan, const Ground& ground);

}  // namespace polyrx
