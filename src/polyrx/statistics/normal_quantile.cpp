// SPDX-License-Identifier: Apache-2.0
#include "polyrx/statistics/normal_quantile.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

// For probabilities below one half. Abramowitz & Stegun 26.2.23 has an error below 4.5e-4. Each Halley step cubes the
// error, so two reach the accuracy of erfc; a third is cheap. erfc is accurate in the tail, where 1 - erf loses all
// digits.
double lower_quantile(double probability) {
    const double t = std::sqrt(-2 * std::log(probability));
    double x = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
    for (int step = 0; step < 3; ++step) {
        const double below = normal_upper_tail(-x);
        const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
        const double newton = (below - probability) / density;
        x -= newton / (1 + 0.5 * x * newton);
    }
    return x;
}

}  // namespace

double normal_upper_tail(double z) {
    return 0.5 * std::erfc(z / std::numbers::sqrt2);
}

double normal_quantile(double probability) {
    if (!(probability > 0 && probability < 1))
        throw usage_error(fmt::format("a quantile's probability must be between 0 and 1, not {}", probability));
    if (probability == 0.5) return 0;
    return probability < 0.5 ? lower_quantile(probability) : -lower_quantile(1 - probability);
}

double two_sided_factor(double level) {
    if (!(level > 0 && level < 1))
        throw usage_error(fmt::format("the level of an interval must be between 0 and 1, not {}", level));
    return -normal_quantile(0.5 * (1 - level));
}

}  // namespace polyrx
