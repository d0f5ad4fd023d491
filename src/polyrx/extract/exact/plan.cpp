// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact/plan.hpp"

namespace polyrx {

PlanPtr leaf_plan(int treatment) {
    auto plan = std::make_unique<Plan>();
    plan->treatment = treatment;
    if (treatment != no_treatment) plan->treatments = TreatmentSet{1} << treatment;
    return plan;
}

PlanPtr unmerged_plan(AffineFunction function, SplitOrigin origin, PlanPtr yes, PlanPtr no) {
    auto plan = std::make_unique<Plan>();
    plan->function = std::move(function);
    plan->origin = origin;
    plan->treatments = yes->treatments | no->treatments;
    plan->leaves = yes->leaves + no->leaves;
    plan->yes = std::move(yes);
    plan->no = std::move(no);
    return plan;
}

PlanPtr split_plan(AffineFunction function, SplitOrigin origin, PlanPtr yes, PlanPtr no) {
    if (yes->is_leaf() && no->is_leaf() && yes->treatment == no->treatment) return yes;
    return unmerged_plan(std::move(function), origin, std::move(yes), std::move(no));
}

bool same_plan(const Plan& a, const Plan& b) {
    if (a.is_leaf() || b.is_leaf()) return a.is_leaf() && b.is_leaf() && a.treatment == b.treatment;
    return a.function == b.function && a.origin == b.origin && same_plan(*a.yes, *b.yes) && same_plan(*a.no, *b.no);
}

}  // namespace polyrx
