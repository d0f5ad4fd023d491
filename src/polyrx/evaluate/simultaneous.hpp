// SPDX-License-Identifier: Apache-2.0
// How wide intervals must be so that all of those shown together hold at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace polyrx {

struct SimultaneousOptions {
    double level = 0.95;
    std::size_t draws = 50'000;
    std::uint64_t seed = 1;
    int threads = 1;
};

// The quantile of the largest |error| / standard error among the estimates, by the multiplier bootstrap with normal
// multipliers g_i (Chernozhukov, Chetverikov & Kato 2013): error_j = sum_i g_i influence_ij. Given the influences these
// errors are normal with the covariances of the influences, so they are drawn from that directly; it is the same, and
// costs as if there were as many rows as estimates. With groups, sums over groups take the place of rows.
//
// Estimates that go together need less than independent ones, which need what Sidak (1967) says: for normal errors
// never more. Nor does one ever need less than an interval alone. So the result is kept between the two, and is the
// usual factor for a single estimate. Those without error (or without influence) need no width and are not counted.
[[nodiscard]] double simultaneous_factor(std::span<const std::vector<double>> influences,
                                         std::span<const std::size_t> group, const SimultaneousOptions& options);

}  // namespace polyrx
