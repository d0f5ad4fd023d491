// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/step/scheduled_rate.hpp"

#include <cmath>
#include <numbers>

namespace polyrx {

double scheduled_rate(const TrainOptions& options, std::int64_t step, std::int64_t steps) {
    const double done = static_cast<double>(step) / static_cast<double>(steps);
    switch (options.schedule) {
        case Schedule::constant:
            return options.learning_rate;
        case Schedule::linear:
            return options.learning_rate * (1 - done);
        case Schedule::cosine:
            return options.learning_rate * 0.5 * (1 + std::cos(std::numbers::pi * done));
    }
    return options.learning_rate;
}

}  // namespace polyrx
