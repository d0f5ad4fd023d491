// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/bounded_interval.hpp"

#include <algorithm>
#include <cmath>

#include "polyrx/evaluate/normal_quantile.hpp"

namespace polyrx {

double bounded_factor(double factor, double width) {
    if (!(width > 0)) return factor;
    // With upper tails: tail(c + width) + tail(c) = 2 tail(factor), which falls in c.
    const double wanted = 2 * normal_upper_tail(factor);
    double low = normal_quantile(1 - wanted);
    double high = factor;
    for (int step = 0; step < 200; ++step) {
        const double middle = 0.5 * (low + high);
        if (!(low < middle && middle < high)) break;
        (normal_upper_tail(middle + width) + normal_upper_tail(middle) > wanted ? low : high) = middle;
    }
    return high;
}

double bonferroni_factor(std::size_t count, double level) {
    return two_sided_factor(1 - (1 - level) / static_cast<double>(std::max<std::size_t>(count, 1)));
}

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
