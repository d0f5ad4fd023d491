// SPDX-License-Identifier: Apache-2.0
// Plans the exact tree of a network: Theorem 3.2, without splits on neurons that are decided or do not matter.
#pragma once

#include "polyrx/extract/cells/cell.hpp"
#include "polyrx/extract/cells/rule_truths.hpp"
#include "polyrx/extract/exact/plan.hpp"

namespace polyrx {

// Rules are split on first (plan_rules.hpp), and below only the outcomes of allowed treatments are compared. A part
// where one treatment is best becomes a leaf. Else its undecided neurons are split on, layer after layer: in
// the order with the fewest leaves if there are at most 12 of them, and before that the most influential first. Where
// all neurons are decided the outcomes are compared, at most K - 1 of them on the way to a leaf. Support is tested last
// (plan_support.hpp).
// Throws BudgetSpent.
[[nodiscard]] PlanPtr plan_exact(const Ground& ground, const RuleGround& rules);

}  // namespace polyrx
