// SPDX-License-Identifier: Apache-2.0
// The binomial distribution, by which tests of coverage decide whether too many intervals missed.
#pragma once

#include <cmath>

namespace polyrx::test {

// The probability that at most so many of the draws succeed.
inline double binomial_at_most(int successes, int draws, double probability) {
    double sum = 0;
    for (int k = 0; k <= successes; ++k)
        sum += std::exp(std::lgamma(draws + 1.0) - std::lgamma(k + 1.0) - std::lgamma(draws - k + 1.0) +
                        k * std::log(probability) + (draws - k) * std::log1p(-probability));
    return sum;
}

}  // namespace polyrx::test
