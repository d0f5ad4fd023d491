// SPDX-License-Identifier: Apache-2.0
// Domains with bounds, whole numbers and groups, and rows of them.
#pragma once

#include <cmath>

#include "polyrx/core/rng.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx::test {

// With at least three inputs, half of the domains have a group of three.
inline Domain random_domain(Rng& rng, Eigen::Index inputs) {
    Domain domain{Vector(inputs), Vector(inputs), std::vector<char>(static_cast<std::size_t>(inputs), 0), {}};
    for (Eigen::Index i = 0; i < inputs; ++i) {
        domain.lower[i] = rng.uniform(-2, 1);
        domain.upper[i] = domain.lower[i] + rng.uniform(0, 2);
        if (!rng.bernoulli(0.4)) continue;
        domain.integer[static_cast<std::size_t>(i)] = 1;
        domain.lower[i] = rng.bernoulli(0.5) ? 0 : -1;
        domain.upper[i] = rng.bernoulli(0.5) ? 1 : 2;
    }
    if (inputs >= 3 && rng.bernoulli(0.5)) {
        domain.groups = {{0, 1, 2}};
        for (Eigen::Index i = 0; i < 3; ++i) {
            domain.integer[static_cast<std::size_t>(i)] = 1;
            domain.lower[i] = 0;
            domain.upper[i] = 1;
        }
    }
    return domain;
}

// Often on bounds.
inline Vector random_row(Rng& rng, const Domain& domain) {
    Vector x(domain.inputs());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const double u = rng.uniform(-0.3, 1.3);
        x[i] = u < 0   ? domain.lower[i]
               : u > 1 ? domain.upper[i]
                       : domain.lower[i] + u * (domain.upper[i] - domain.lower[i]);
        x[i] = std::min(x[i], domain.upper[i]);
        if (domain.integer[static_cast<std::size_t>(i)]) x[i] = std::round(x[i]);
    }
    for (const auto& group : domain.groups) {
        for (const Eigen::Index i : group) x[i] = 0;
        x[group[rng.below(group.size())]] = 1;
    }
    return x;
}

}  // namespace polyrx::test
