// SPDX-License-Identifier: Apache-2.0
// The logistic function, by which simulations turn a score into a probability.
#pragma once

#include <cmath>

namespace polyrx {

// Unlike e^t / (1 + e^t), this is right for every t: a large e^-t, even an infinite one, gives 0.
[[nodiscard]] inline double logistic(double t) {
    return 1 / (1 + std::exp(-t));
}

}  // namespace polyrx
