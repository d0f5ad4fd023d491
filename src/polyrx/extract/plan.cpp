// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/plan.hpp"

namespace polyrx {

PlanPtr leaf_plan(int treatment) {
    auto plan = std::make_unique<Plan>();
    plan->treatment = treatment;
    plan->treatments = TreatmentSet{1} << treatment;
    return plan;
}

PlanPtr split_plan(AffineFunction function, SplitOrigin origin, PlanPtr yes, PlanPtr no) {
    if (yes->is_leaf() && no->is_leaf() && yes->treatment == no->treatment) return yes;
    auto plan = std::make_unique<Plan>();
    plan->function = std::move(function);
    plan->origin = origin;
    plan->treatments = yes->treatments | no->treatments;
    plan->leaves = yes->leaves + no->leaves;
    plan->yes = std::move(yes);
    plan->no = std::move(no);
    return plan;
}

}  // namespace polyrx
