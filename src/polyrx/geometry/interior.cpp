// SPDX-License-Identifier: Apache-2.0
#include "polyrx/geometry/interior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polyrx/geometry/simplex.hpp"

namespace polyrx {

InteriorPoint interior_point(const Domain& domain, const std::vector<AffineFunction>& positive) {
    // Adds an input t, the slack: function - t scale >= 0 for all functions. With t low enough, any starting point is
    // feasible.
    const Eigen::Index inputs = domain.inputs();
    Domain lifted = domain;
    std::vector<AffineFunction> functions;
    double worst = 0;
    const auto add = [&](const AffineFunction& function) {
        // Scaled by its largest term.
        double scale = 0;
        for (Eigen::Index i = 0; i < inputs; ++i)
            if (function.weights[i] != 0)
                scale = std::max(scale, std::abs(function.weights[i]) * (domain.upper[i] - domain.lower[i]));
        if (scale == 0) scale = std::max(std::abs(function.constant), 1.0);
        AffineFunction with_room{Vector(inputs + 1), function.constant / scale};
        with_room.weights << function.weights / scale, -1;
        worst = std::min(worst, -maximum(domain, {-function.weights / scale, -function.constant / scale}));
        functions.push_back(std::move(with_room));
    };
    for (const AffineFunction& function : positive) add(function);
    std::vector<char> grouped(static_cast<std::size_t>(inputs));
    for (const auto& group : domain.groups)
        for (const Eigen::Index member : group) grouped[static_cast<std::size_t>(member)] = 1;
    for (Eigen::Index i = 0; i < inputs; ++i) {
        const double range = domain.upper[i] - domain.lower[i];
        if (grouped[static_cast<std::size_t>(i)] || !(range > 0) || std::isinf(range)) continue;
        if (std::all_of(positive.begin(), positive.end(), [&](const auto& f) { return f.weights[i] == 0; })) {
            // No function reads this input, so it is fixed at its midpoint, where its slack is largest.
            lifted.lower[i] = lifted.upper[i] = domain.lower[i] + range / 2;
            continue;
        }
        AffineFunction side{Vector::Zero(inputs), 0};
        side.weights[i] = 1;
        side.constant = -domain.lower[i];
        add(side);
        side.weights[i] = -1;
        side.constant = domain.upper[i];
        add(side);
    }
    lifted.lower.conservativeResize(inputs + 1);
    lifted.upper.conservativeResize(inputs + 1);
    lifted.lower[inputs] = worst - 1;
    lifted.upper[inputs] = 0.5;  // the slack at the midpoint of an input's range
    lifted.integer.push_back(0);
    Simplex simplex(lifted);
    for (const AffineFunction& function : functions) simplex.require(simplex.add(function), Simplex::Sign::positive);
    simplex.push_input(inputs, Simplex::Sign::positive, std::numeric_limits<double>::infinity());
    const Vector best = simplex.point();
    // Rounding may move group members, which have no slack to their bounds, out of bounds.
    return {best.head(inputs).cwiseMax(domain.lower).cwiseMin(domain.upper), best[inputs]};
}

}  // namespace polyrx
