// SPDX-License-Identifier: Apache-2.0
// Plans the splits of rules, which come before all others: Corollary 4.1.
#pragma once

#include <functional>

#include "polyrx/extract/cells/rule_truths.hpp"
#include "polyrx/extract/exact/plan.hpp"

namespace polyrx {

// Plans what is below the rules' splits: a cell, and the treatments that are allowed on all of it.
using PlanBelow = std::function<PlanPtr(Cell cell, TreatmentSet allowed)>;

enum class SameSides {
    keep,   // each part of the domain with rules of its own has a plan of its own
    merge,  // a split whose sides are planned alike is left out, and so is a rule that the network obeys by itself,
            // where the tree without it can be proved
};

// A rule that may forbid something on a part of the domain is split on, one comparison after the other, as long as it
// is not decided there. Parts without a row are left out.
[[nodiscard]] PlanPtr plan_rules(const Ground& ground, const RuleGround& rules, const PlanBelow& below,
                                 SameSides same_sides);

}  // namespace polyrx
