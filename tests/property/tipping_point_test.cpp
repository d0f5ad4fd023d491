// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/tipping_point.hpp"

#include <gtest/gtest.h>

#include "polyrx/core/rng.hpp"
#include "polyrx/evaluate/value/policy_difference.hpp"
#include "tests/support/overlap_study.hpp"

namespace polyrx {
namespace {

using test::overlap_study;
using test::OverlapStudy;

TEST(TippingPoint, IsWhereTheValueEqualsPracticeAndItsBoundsAreThoseOfTheValue) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(1, Draw::test, index);
        const OverlapStudy study = overlap_study(rng, 100);
        std::vector<double> weight;
        std::vector<char> supported;
        double total = 0;
        double unsupported = 0;
        for (int i = 0; i < 100; ++i) {
            weight.push_back(rng.uniform(0.1, 2));
            supported.push_back(rng.bernoulli(0.7) ? 1 : 0);
            total += weight.back();
            unsupported += supported.back() != 0 ? 0 : weight.back();
        }
        const EvaluatedRows rows{study.treatment, study.outcome, study.truth, study.propensities, weight};
        const SupportedPolicy policy{study.policy, supported};
        const OutcomeRange range{-3, 8, RangeOrigin::declared};
        const double practice = *value_as_treated(rows).value;
        const double gain = *value_where_supported(rows, policy, 0.02).value - practice;
        const TippingPoint found = *tipping_point(rows, policy, range, gain);
        // The value is linear in the mean outcome of these rows.
        const BoundedEstimate value = bounded_value(rows, policy, range, 0.02);
        const double share = unsupported / total;
        EXPECT_NEAR(*value.lower.value + share * (found.outcome - found.least), practice, 1e-12);
        EXPECT_NEAR(*value.upper.value + share * (found.outcome - found.greatest), practice, 1e-12);
        EXPECT_EQ(found.possible(), *value.lower.value <= practice && practice <= *value.upper.value);
    }
}

TEST(TippingPoint, IsImpossibleWhereKnownOutcomesForbidIt) {
    // Three of four unsupported rows received what is prescribed and had no event, so their mean is at most 0.25.
    const std::vector<int> treatment = {1, 1, 1, 0, 0, 1};
    const std::vector<int> ones(6, 1);
    const std::vector<double> outcome = {0, 0, 0, 0, 1, 0};
    const std::vector<char> supported = {0, 0, 0, 0, 1, 1};
    const Matrix half = Matrix::Constant(6, 2, 0.5);
    const EvaluatedRows rows{treatment, outcome, half, half};
    const TippingPoint found = *tipping_point(rows, {ones, supported}, {0, 1, RangeOrigin::events}, -0.25);
    EXPECT_DOUBLE_EQ(found.outcome, 0.375);
    EXPECT_EQ(found.least, 0);
    EXPECT_EQ(found.greatest, 0.25);
    EXPECT_FALSE(found.possible());
    EXPECT_TRUE(tipping_point(rows, {ones, supported}, {0, 1, RangeOrigin::events}, -0.1)->possible());
    EXPECT_FALSE(tipping_point(rows, {ones, std::vector<char>(6, 1)}, {0, 1, RangeOrigin::events}, -0.1));
}

}  // namespace
}  // namespace polyrx
