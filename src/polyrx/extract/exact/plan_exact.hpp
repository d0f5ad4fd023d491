// SPDX-License-Identifier: Apache-2.0
// Plans the exact tree of a network: Theorem 3.2, without splits on neurons that are decided or irrelevant.
#pragma once

#include "polyrx/extract/cells/cell.hpp"
#include "polyrx/extract/cells/rule_truths.hpp"
#include "polyrx/extract/exact/plan.hpp"

namespace polyrx {

// Rules are split first (plan_rules.hpp); below, only outcomes of allowed treatments are compared. A part with one best
// treatment becomes a leaf. Otherwise it is split on its undecided neurons, layer by layer: the most influential first,
// and in the order with the fewest leaves once at most 12 remain. When all neurons are decided, outcomes are compared,
// at most K - 1 times on the way to a leaf. Support is tested last (plan_support.hpp). Throws BudgetSpent.
[[nodiscard]] PlanPtr plan_exact(const Ground& ground, const RuleGround& rules);

}  // namespace polyrx
