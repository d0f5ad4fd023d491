// SPDX-License-Identifier: Apache-2.0
// Intervals for a value that is known up to bounds (Imbens & Manski 2004; Stoye 2009).
#pragma once

#include <span>

#include "polyrx/evaluate/value/bounded_value.hpp"
#include "polyrx/statistics/bounded_factor.hpp"
#include "polyrx/statistics/intervals.hpp"

namespace polyrx {

// [lower - c s_lower, upper + c s_upper]. The estimate is the midpoint of the bounds. If the bounds are equal, this is
// exactly normal_interval().
[[nodiscard]] IntervalAnswer bounded_interval(const BoundedEstimate& estimate, double factor);

// From the lower quantile of the draws of the lower bound to the upper quantile of the draws of the upper bound.
[[nodiscard]] IntervalAnswer bounded_percentile_interval(const BoundedEstimate& estimate,
                                                         std::span<const double> lower_draws,
                                                         std::span<const double> upper_draws, double level);

}  // namespace polyrx
