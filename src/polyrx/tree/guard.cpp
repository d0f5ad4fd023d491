// SPDX-License-Identifier: Apache-2.0
#include "polyrx/tree/guard.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polyrx {

double rounding_bound(const AffineFunction& function, const Domain& domain) {
    double sum = std::abs(function.constant);
    for (Eigen::Index input = 0; input < function.weights.size(); ++input)
        if (function.weights[input] != 0)  // 0 times an infinite bound is NaN
            sum += std::abs(function.weights[input]) *
                   std::max(std::abs(domain.lower[input]), std::abs(domain.upper[input]));
    const auto operations = static_cast<double>(function.weights.size() + 2);
    constexpr double u = std::numeric_limits<double>::epsilon() / 2;
    const double gamma = operations * u / (1 - operations * u);
    // A product that underflows loses less than the smallest normal number. The last factor covers rounding of this sum
    // itself.
    return (gamma * sum + operations * std::numeric_limits<double>::min()) * (1 + 4 * gamma);
}

double guard_for(const AffineFunction& function, const Domain& domain) {
    return 4 * rounding_bound(function, domain);
}

}  // namespace polyrx
