// SPDX-License-Identifier: Apache-2.0
#include "polyrx/tree/guard.hpp"
#include "polyrx/core/infinity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx {
namespace {

Domain box(Eigen::Index inputs, double lower, double upper) {
    return {Vector::Constant(inputs, lower),
            Vector::Constant(inputs, upper),
            std::vector<char>(static_cast<std::size_t>(inputs), 0),
            {}};
}

TEST(RoundingBound, IsNeverBelowTheErrorOfAnyOrderOfSummation) {
    for (std::uint64_t round = 0; round < 300; ++round) {
        Rng rng(round, Draw::test);
        const auto inputs = 1 + static_cast<Eigen::Index>(rng.below(40));
        const double reach = std::exp(4 * rng.normal());
        const Domain domain = box(inputs, -reach / 3, reach);
        AffineFunction function{test::random_matrix(rng, inputs, 1).col(0), rng.normal()};
        Vector row(inputs);
        for (Eigen::Index i = 0; i < inputs; ++i) row[i] = rng.bernoulli(0.5) ? reach : rng.uniform(-reach / 3, reach);
        if (rng.bernoulli(0.5)) function.constant = -static_cast<double>(function.weights.dot(row));  // cancels

        long double exact = function.constant;  // 64 bits of mantissa are exact enough beside 53
        for (Eigen::Index i = 0; i < inputs; ++i)
            exact += static_cast<long double>(function.weights[i]) * static_cast<long double>(row[i]);
        std::vector<Eigen::Index> order(static_cast<std::size_t>(inputs));
        std::iota(order.begin(), order.end(), Eigen::Index{0});
        rng.shuffle(std::span(order));
        const bool constant_first = rng.bernoulli(0.5);
        double sum = constant_first ? function.constant : 0;
        for (const Eigen::Index i : order) sum += function.weights[i] * row[i];
        if (!constant_first) sum += function.constant;

        const double bound = rounding_bound(function, domain);
        EXPECT_LE(static_cast<double>(std::abs(static_cast<long double>(sum) - exact)), bound) << "round " << round;
        EXPECT_LE(std::abs(function(row) - static_cast<double>(exact)), bound) << "round " << round;
        EXPECT_GT(guard_for(function, domain), 3 * bound);
    }
}

TEST(Guard, IsAboveZeroEvenOfZeroAndOfTheSmallestNumbers) {
    EXPECT_GT(guard_for({Vector::Zero(3), 0}, box(3, 0, 0)), 0);
    EXPECT_GT(guard_for({Vector::Constant(3, 5e-324), 0}, box(3, 0, 1)), 0);
}

TEST(Guard, IsFiniteAsLongAsNoWeightLiesOnAnUnboundedInput) {
    const Domain unbounded = box(2, -infinity, infinity);
    EXPECT_TRUE(std::isfinite(guard_for({Vector::Zero(2), 1}, unbounded)));
    EXPECT_EQ(guard_for({Vector::Ones(2), 1}, unbounded), infinity);
}

}  // namespace
}  // namespace polyrx
