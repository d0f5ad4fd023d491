// SPDX-License-Identifier: Apache-2.0
// A tree while it is being planned: splits and treatments, without guards and proofs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

using TreatmentSet = std::uint64_t;  // bit k for treatment k; data/treatments.hpp has no more than 64

struct Plan {
    int treatment = 0;  // of a leaf
    AffineFunction function;
    SplitOrigin origin;
    std::unique_ptr<Plan> yes;  // both, or none of a leaf
    std::unique_ptr<Plan> no;
    TreatmentSet treatments = 0;  // that occur in it
    std::size_t leaves = 1;

    [[nodiscard]] bool is_leaf() const { return yes == nullptr; }
};

using PlanPtr = std::unique_ptr<Plan>;

[[nodiscard]] PlanPtr leaf_plan(int treatment);
// One leaf if both sides are leaves of the same treatment.
[[nodiscard]] PlanPtr split_plan(AffineFunction function, SplitOrigin origin, PlanPtr yes, PlanPtr no);

}  // namespace polyrx
