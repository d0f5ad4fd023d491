// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/step/clip_gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polyrx/core/rng.hpp"

namespace polyrx {
namespace {

AlignedFloats random_gradient(Rng& rng) {
    AlignedFloats gradient(1 + rng.below(400));
    const double size = std::pow(10, rng.uniform(-18, 18));
    for (float& slope : gradient) slope = static_cast<float>(size * rng.normal());
    return gradient;
}

double slow_norm(const AlignedFloats& gradient) {
    long double squares = 0;
    for (const float slope : gradient) squares += static_cast<long double>(slope) * slope;
    return static_cast<double>(std::sqrt(squares));
}

TEST(GradientNorm, IsThatOfTheSlowSum) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        Rng rng(round, Draw::test);
        const AlignedFloats gradient = random_gradient(rng);
        const double expected = slow_norm(gradient);
        EXPECT_NEAR(gradient_norm(gradient), expected, 1e-13 * expected);
    }
    EXPECT_EQ(gradient_norm({}), 0);
}

TEST(ClipGradient, GivesALargerGradientTheLargestNormAndItsOwnDirection) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        Rng rng(round, Draw::test);
        const AlignedFloats before = random_gradient(rng);
        const double norm = slow_norm(before);
        const double share = rng.uniform(0.001, 1);
        AlignedFloats after = before;
        EXPECT_NEAR(clip_gradient(after, share * norm), norm, 1e-13 * norm);
        EXPECT_NEAR(slow_norm(after), share * norm, 1e-6 * norm);
        for (std::size_t i = 0; i < after.size(); ++i) EXPECT_NEAR(after[i], share * before[i], 1e-6 * norm);
    }
}

TEST(ClipGradient, LeavesASmallerGradientAsItIs) {
    for (std::uint64_t round = 0; round < 50; ++round) {
        Rng rng(round, Draw::test);
        const AlignedFloats before = random_gradient(rng);
        AlignedFloats after = before;
        (void)clip_gradient(after, gradient_norm(before));
        EXPECT_EQ(after, before);
    }
}

TEST(ClipGradient, HidesNoSlopeThatIsNotAFiniteNumber) {
    for (const float trouble : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity()})
        for (const std::size_t place : {0U, 15U, 16U, 47U}) {
            AlignedFloats gradient(48, 1.0F);
            gradient[place] = trouble;
            EXPECT_FALSE(std::isfinite(clip_gradient(gradient, 1)));
            EXPECT_FALSE(std::isfinite(gradient[place]));
        }
}

TEST(ClipGradient, TakesTheLargestSlopesThereAreForFinite) {
    AlignedFloats gradient(48, std::numeric_limits<float>::max());
    EXPECT_TRUE(std::isfinite(clip_gradient(gradient, 1)));
    EXPECT_NEAR(slow_norm(gradient), 1, 1e-6);
}

}  // namespace
}  // namespace polyrx
