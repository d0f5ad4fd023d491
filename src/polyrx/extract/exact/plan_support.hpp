// SPDX-License-Identifier: Apache-2.0
// Plans the splits of support, which come last: only of a treatment that would otherwise be prescribed.
#pragma once

#include <functional>

#include "polyrx/extract/cells/rule_truths.hpp"
#include "polyrx/extract/exact/plan.hpp"

namespace polyrx {

// Plans the network's own splits on a cell, among the treatments that the cell compares.
using PlanNetwork = std::function<PlanPtr(Cell cell)>;

// `allowed` are the treatments that rules allow on all of the cell. The network is planned among them. A leaf whose
// treatment is not supported on all of its rows is split on support, and where the treatment is not supported the
// network is planned again among the others. Testing all pairs of treatments first would cut space into many more
// parts. Throws BudgetSpent.
[[nodiscard]] PlanPtr plan_support(const RuleGround& rules, Cell cell, TreatmentSet allowed,
                                   const PlanNetwork& plan_network);

}  // namespace polyrx
