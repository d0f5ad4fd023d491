// SPDX-License-Identifier: Apache-2.0
// Intervals that cover a value known only up to bounds (Imbens & Manski 2004; Stoye 2009).
#pragma once

#include <span>

#include "polyrx/evaluate/value/bounded_value.hpp"
#include "polyrx/statistics/bounded_factor.hpp"
#include "polyrx/statistics/intervals.hpp"

namespace polyrx {

// [lower - c s_lower, upper + c s_upper]. Its estimate is the middle of the bounds. Where both bounds are one estimate,
// normal_interval() of it, to the digit.
[[nodiscard]] IntervalAnswer bounded_interval(const BoundedEstimate& estimate, double factor);

// The lower quantile of the draws of the lower bound, and the upper one of those of the upper bound.
[[nodiscard]] IntervalAnswer bounded_percentile_interval(const BoundedEstimate& estimate,
                                                         std::span<const double> lower_draws,
                                                         std::span<const double> upper_draws, double level);

}  // namespace polyrx
