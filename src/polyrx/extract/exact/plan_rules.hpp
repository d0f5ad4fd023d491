// SPDX-License-Identifier: Apache-2.0
// Plans the splits of rules, which come before all others: Corollary 4.1.
#pragma once

#include <functional>

#include "polyrx/extract/cells/rule_truths.hpp"
#include "polyrx/extract/exact/plan.hpp"

namespace polyrx {

// Plans a cell below the splits of rules, given the treatments that are allowed on all of it.
using PlanBelow = std::function<PlanPtr(Cell cell, TreatmentSet allowed)>;

enum class SameSides {
    keep,  // each part of the domain with its own rules has its own plan
    // Leaves out splits with equal plans on both sides, and rules that the network satisfies by itself if the tree
    // without them can be proved.
    merge,
};

// Splits on the comparisons of every rule that may forbid something on a part of the domain, until the rule is decided
// there. Parts without a row are left out.
[[nodiscard]] PlanPtr plan_rules(const Ground& ground, const RuleGround& rules, const PlanBelow& below,
                                 SameSides same_sides);

}  // namespace polyrx
