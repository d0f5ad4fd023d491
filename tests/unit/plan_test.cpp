// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact/plan.hpp"

#include <gtest/gtest.h>

namespace polyrx {
namespace {

AffineFunction some_function() {
    return {Vector::Ones(2), 1};
}

PlanPtr split(PlanPtr yes, PlanPtr no) {
    return split_plan(some_function(), {SplitOrigin::Kind::outcomes, 0, 1}, std::move(yes), std::move(no));
}

TEST(SplitPlan, IsOneLeafIfBothSidesAreLeavesOfOneTreatment) {
    const PlanPtr plan = split(leaf_plan(2), leaf_plan(2));
    EXPECT_TRUE(plan->is_leaf());
    EXPECT_EQ(plan->treatment, 2);
    EXPECT_EQ(plan->leaves, 1U);
    EXPECT_EQ(plan->treatments, TreatmentSet{4});
}

TEST(SplitPlan, KeepsASplitOfTwoTreatmentsAndWhereItComesFrom) {
    const PlanPtr plan = split(leaf_plan(0), leaf_plan(63));
    ASSERT_FALSE(plan->is_leaf());
    EXPECT_EQ(plan->yes->treatment, 0);
    EXPECT_EQ(plan->no->treatment, 63);
    EXPECT_EQ(plan->leaves, 2U);
    EXPECT_EQ(plan->treatments, TreatmentSet{1} | TreatmentSet{1} << 63);
    EXPECT_EQ(plan->function, some_function());
    EXPECT_EQ(plan->origin, (SplitOrigin{SplitOrigin::Kind::outcomes, 0, 1}));
}

TEST(SplitPlan, MergesUpwardsAsLongAsOneTreatmentIsLeft) {
    PlanPtr plan = split(split(leaf_plan(1), leaf_plan(1)), split(leaf_plan(1), split(leaf_plan(1), leaf_plan(1))));
    EXPECT_TRUE(plan->is_leaf());
    plan = split(std::move(plan), split(leaf_plan(1), leaf_plan(0)));
    EXPECT_FALSE(plan->is_leaf());
    EXPECT_EQ(plan->leaves, 3U);
    EXPECT_EQ(plan->treatments, TreatmentSet{3});
}

}  // namespace
}  // namespace polyrx
