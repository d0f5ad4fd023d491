// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/bounded_interval.hpp"

#include <algorithm>
#include <cmath>

namespace polyrx {

IntervalAnswer bounded_interval(const BoundedEstimate& estimate, double factor) {
    if (!estimate.estimable() || !estimate.lower.standard_error || !estimate.upper.standard_error)
        return {std::nullopt, estimate.lower.reason};
    const double lower = *estimate.lower.value;
    const double upper = *estimate.upper.value;
    const double larger = std::max(*estimate.lower.standard_error, *estimate.upper.standard_error);
    const double c = bounded_factor(factor, (upper - lower) / larger);
    const double middle = lower == upper ? lower : 0.5 * (lower + upper);
    return {ConfidenceInterval{middle, lower - c * *estimate.lower.standard_error,
                               upper + c * *estimate.upper.standard_error}};
}

IntervalAnswer bounded_percentile_interval(const BoundedEstimate& estimate, std::span<const double> lower_draws,
                                           std::span<const double> upper_draws, double level) {
    IntervalAnswer below = percentile_interval(estimate.lower, lower_draws, level);
    if (!below.interval) return below;
    IntervalAnswer above = percentile_interval(estimate.upper, upper_draws, level);
    if (!above.interval) return above;
    const double lower = *estimate.lower.value;
    const double upper = *estimate.upper.value;
    return {
        ConfidenceInterval{lower == upper ? lower : 0.5 * (lower + upper), below.interval->low, above.interval->high}};
}

}  // namespace polyrx
