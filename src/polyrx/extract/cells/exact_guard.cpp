// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/cells/exact_guard.hpp"

#include <cmath>

#include "polyrx/tree/guard.hpp"

namespace polyrx {

double exact_guard(const AffineFunction& function, const Domain& domain, double error) {
    constexpr double room = 8;
    constexpr double share_of_range = 4e-9;
    double range = 0;
    for (Eigen::Index i = 0; i < domain.inputs(); ++i)
        if (function.weights[i] != 0) range += std::abs(function.weights[i]) * (domain.upper[i] - domain.lower[i]);
    return guard_for(function, domain) + room * error + share_of_range * range;
}

double exact_guard(const Ground& ground, const Plan& plan) {
    const SplitOrigin& origin = plan.origin;
    if (is_of_rules(origin)) return plan.guard;
    const double error = origin.kind == SplitOrigin::Kind::neuron
                             ? ground.errors[static_cast<std::size_t>(origin.first)][origin.second]
                             : ground.errors.back()[origin.first] + ground.errors.back()[origin.second];
    return exact_guard(plan.function, ground.domain, error);
}

}  // namespace polyrx
