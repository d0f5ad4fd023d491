// SPDX-License-Identifier: Apache-2.0
// Confidence intervals from a standard error or from bootstrap draws.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "polyrx/statistics/ratio_estimate.hpp"

namespace polyrx {

struct ConfidenceInterval {
    double estimate = 0;
    double low = 0;
    double high = 0;
    friend bool operator==(const ConfidenceInterval&, const ConfidenceInterval&) = default;
};

// An interval, or the reason why there is none.
struct IntervalAnswer {
    std::optional<ConfidenceInterval> interval;
    std::string reason = {};
};

// estimate ± factor * standard error. Use two_sided_factor(level) for a single interval and simultaneous_factor() for
// several shown together.
[[nodiscard]] IntervalAnswer normal_interval(const ValueEstimate& estimate, double factor);

// The percentile interval: linearly interpolated quantiles of the draws. It need not be symmetric about the estimate,
// nor contain it. Draws without a value are left out if they are at most 1 % of all; otherwise there is no interval.
[[nodiscard]] IntervalAnswer percentile_interval(const ValueEstimate& estimate, std::span<const double> draws,
                                                 double level);

// The standard deviation of the draws that have a value.
[[nodiscard]] std::optional<double> bootstrap_standard_error(std::span<const double> draws);

}  // namespace polyrx
