// SPDX-License-Identifier: Apache-2.0
#include "polyrx/statistics/bounded_factor.hpp"

#include <algorithm>

#include "polyrx/statistics/intervals.hpp"
#include "polyrx/statistics/normal_quantile.hpp"

namespace polyrx {

double bounded_factor(double factor, double width) {
    if (!(width > 0)) return factor;
    // With upper tail probabilities: tail(c + width) + tail(c) = 2 tail(factor). The left side decreases in c.
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

}  // namespace polyrx
