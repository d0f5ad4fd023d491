// SPDX-License-Identifier: Apache-2.0
// Whether a share of draws is compatible with a probability: exact binomial tests.
#pragma once

#include <cmath>

namespace polyrx::experiments {

constexpr double certainty = 0.999;

inline double binomial_at_most(long successes, long trials, double probability) {
    double sum = 0;
    for (long k = 0; k <= successes; ++k)
        sum +=
            std::exp(std::lgamma(static_cast<double>(trials + 1)) - std::lgamma(static_cast<double>(k + 1)) -
                     std::lgamma(static_cast<double>(trials - k + 1)) + static_cast<double>(k) * std::log(probability) +
                     static_cast<double>(trials - k) * std::log1p(-probability));
    return sum;
}

// Not refused from either side.
inline bool may_be(double probability, long held, long trials) {
    const double tail = (1 - certainty) / 2;
    return binomial_at_most(held, trials, probability) > tail &&
           (held == 0 || 1 - binomial_at_most(held - 1, trials, probability) > tail);
}

// Not refused from below.
inline bool may_reach(double probability, long held, long trials) {
    return binomial_at_most(held, trials, probability) > 1 - certainty;
}

}  // namespace polyrx::experiments
