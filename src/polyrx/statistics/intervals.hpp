// SPDX-License-Identifier: Apache-2.0
// Intervals around an estimate: from its standard error, or from what a bootstrap made of it.
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

// An interval, or in words why there is none.
struct IntervalAnswer {
    std::optional<ConfidenceInterval> interval;
    std::string reason = {};
};

// The estimate and `factor` standard errors to either side; two_sided_factor(level) for one interval alone,
// simultaneous_factor() for several that are shown together.
[[nodiscard]] IntervalAnswer normal_interval(const ValueEstimate& estimate, double factor);

// From the quantiles of the draws (between two of them, linearly), which need not lie around the estimate evenly, nor
// around it at all. Draws without a value are left out, if they are at most 1 % of all: else there is no interval.
[[nodiscard]] IntervalAnswer percentile_interval(const ValueEstimate& estimate, std::span<const double> draws,
                                                 double level);

// The deviation of the draws that have a value.
[[nodiscard]] std::optional<double> bootstrap_standard_error(std::span<const double> draws);

}  // namespace polyrx
