// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/standardize.hpp"

#include <cmath>

namespace polyrx {

void standardize(std::vector<double>& values) {
    const auto count = static_cast<double>(values.size());
    double mean = 0;
    for (const double v : values) mean += v;
    mean /= count;
    double variance = 0;
    for (const double v : values) variance += (v - mean) * (v - mean);
    const double deviation = std::sqrt(variance / count);
    for (double& v : values) v = deviation > 0 ? (v - mean) / deviation : 0.0;
}

}  // namespace polyrx
