// SPDX-License-Identifier: Apache-2.0
// The plan of a tree: splits and treatments, without guards and proofs.
#pragma once

#include <cstddef>
#include <memory>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct Plan {
    int treatment = 0;  // for leaves
    AffineFunction function;
    SplitOrigin origin;
    double guard = 0;           // for splits of rules
    std::unique_ptr<Plan> yes;  // both, or none for leaves
    std::unique_ptr<Plan> no;
    TreatmentSet treatments = 0;  // treatments in its leaves
    std::size_t leaves = 1;

    [[nodiscard]] bool is_leaf() const { return yes == nullptr; }
};

using PlanPtr = std::unique_ptr<Plan>;

[[nodiscard]] PlanPtr leaf_plan(int treatment);
[[nodiscard]] PlanPtr unmerged_plan(AffineFunction function, SplitOrigin origin, PlanPtr yes, PlanPtr no);
// Returns one leaf if both sides are leaves with the same treatment.
[[nodiscard]] PlanPtr split_plan(AffineFunction function, SplitOrigin origin, PlanPtr yes, PlanPtr no);

// Whether both have the same splits and treatments.
[[nodiscard]] bool same_plan(const Plan& a, const Plan& b);

}  // namespace polyrx
