// SPDX-License-Identifier: Apache-2.0
// The kernels under encoding and rules say what plain loops say, whatever the machine's vectors.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polyrx/core/infinity.hpp"
#include "polyrx/encode/missing_kernel.hpp"
#include "polyrx/rules/half_space_kernel.hpp"
#include "tests/support/kernel_targets.hpp"
#include "tests/support/random_bound_rules.hpp"
#include "tests/support/random_domain.hpp"

namespace polyrx {
namespace {

TEST(EncodingKernels, FillAndMarkMissingValuesAndSeeInfiniteOnes) {
    test::for_each_target([] {
        for (std::uint64_t index = 0; index < 400; ++index) {
            Rng rng(71, Draw::test, index);
            std::vector<double> values(rng.below(70));
            for (double& value : values)
                value = rng.bernoulli(0.2) ? std::numeric_limits<double>::quiet_NaN() : 100 * rng.normal();
            const bool finite = values.empty() || rng.bernoulli(0.5);
            if (!finite) values[rng.below(values.size())] = rng.bernoulli(0.5) ? infinity : -infinity;
            // What lies behind the values must stay as it is.
            std::vector<double> filled(values.size() + 1, 7);
            std::vector<double> missing(values.size() + 1, 7);
            EXPECT_EQ(fill_missing(values, -1.5, filled.data()), finite);
            mark_missing(values, missing.data());
            for (std::size_t i = 0; i < values.size(); ++i) {
                EXPECT_EQ(filled[i], std::isnan(values[i]) ? -1.5 : values[i]);
                EXPECT_EQ(missing[i], std::isnan(values[i]) ? 1 : 0);
            }
            EXPECT_EQ(filled.back(), 7);
            EXPECT_EQ(missing.back(), 7);
        }
    });
}

TEST(RuleKernels, SayOfEveryRowWhetherAHalfSpaceHoldsOnItsBorderToo) {
    test::for_each_target([] {
        for (std::uint64_t index = 0; index < 300; ++index) {
            Rng rng(72, Draw::test, index);
            const Domain domain = test::random_domain(rng, static_cast<Eigen::Index>(1 + rng.below(6)));
            const BoundCondition comparison = test::random_comparison(rng, domain);
            Matrix rows(static_cast<Eigen::Index>(rng.below(70)), domain.inputs());
            for (Eigen::Index i = 0; i < rows.rows(); ++i)
                rows.row(i) = test::uniform_row(rng, domain).array().round().transpose();
            const BoundRules rules({{comparison, 1}}, 2);
            const InputColumns columns(rules.asked_inputs(), rows);
            for (const BoundCondition& one :
                 comparison.operands.empty() ? std::vector{comparison} : comparison.operands) {
                std::vector<std::uint8_t> holds(static_cast<std::size_t>(rows.rows()) / 8 + 1);
                mark_half_space(one.half_space, columns, holds.data());
                for (Eigen::Index i = 0; i < rows.rows(); ++i)
                    EXPECT_EQ((holds[static_cast<std::size_t>(i / 8)] >> (i % 8) & 1) != 0,
                              one.half_space.holds(rows.row(i).data()));
            }
        }
    });
}

}  // namespace
}  // namespace polyrx
