// SPDX-License-Identifier: Apache-2.0
// The logistic function, used to simulate treatment probabilities.
#pragma once

#include <cmath>

namespace polyrx {

// Unlike e^t / (1 + e^t), 1 / (1 + e^-t) never divides infinity by infinity.
[[nodiscard]] inline double logistic(double t) {
    return 1 / (1 + std::exp(-t));
}

}  // namespace polyrx
