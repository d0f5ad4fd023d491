// SPDX-License-Identifier: Apache-2.0
// Plans the splits of support, which come last and test only treatments that would otherwise be prescribed.
#pragma once

#include <functional>

#include "polyrx/extract/cells/rule_truths.hpp"
#include "polyrx/extract/exact/plan.hpp"

namespace polyrx {

// Plans the network's own splits on a cell, among the treatments that the cell compares.
using PlanNetwork = std::function<PlanPtr(Cell cell)>;

// `allowed` are the treatments that rules allow on all of the cell; the network is planned among them. If the treatment
// of a leaf is not supported on all rows, the leaf is split on support. Where the treatment is not supported, the
// network is planned again among the others. Testing all pairs of treatments first would create many more parts. Throws
// BudgetSpent.
[[nodiscard]] PlanPtr plan_support(const RuleGround& rules, Cell cell, TreatmentSet allowed,
                                   const PlanNetwork& plan_network);

}  // namespace polyrx
