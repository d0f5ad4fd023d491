// SPDX-License-Identifier: Apache-2.0
// Domains, and rows that lie in them, for tests of trees grown on data.
#pragma once

#include <vector>

#include "polyrx/core/rng.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx::test {

inline Domain box(Eigen::Index inputs, double lower, double upper) {
    return {Vector::Constant(inputs, lower),
            Vector::Constant(inputs, upper),
            std::vector<char>(static_cast<std::size_t>(inputs), 0),
            {}};
}

// Real numbers in -2..2, then a whole number in 0..9, a 0/1 input, and a group of three.
inline Domain mixed_domain(Eigen::Index reals) {
    Domain domain = box(reals + 5, 0, 1);
    for (Eigen::Index i = 0; i < reals; ++i) {
        domain.lower[i] = -2;
        domain.upper[i] = 2;
    }
    domain.upper[reals] = 9;
    for (Eigen::Index i = reals; i < domain.inputs(); ++i) domain.integer[static_cast<std::size_t>(i)] = 1;
    domain.groups = {{reals + 2, reals + 3, reals + 4}};
    return domain;
}

// Rows of a domain of finite bounds, uniform.
inline Matrix random_rows(Rng& rng, const Domain& domain, Eigen::Index count) {
    Matrix rows(count, domain.inputs());
    for (Eigen::Index row = 0; row < count; ++row) {
        for (Eigen::Index i = 0; i < domain.inputs(); ++i)
            rows(row, i) = domain.integer[static_cast<std::size_t>(i)]
                               ? domain.lower[i] +
                                     static_cast<double>(
                                         rng.below(static_cast<std::uint64_t>(domain.upper[i] - domain.lower[i]) + 1))
                               : rng.uniform(domain.lower[i], domain.upper[i]);
        for (const auto& group : domain.groups) {
            for (const Eigen::Index i : group) rows(row, i) = 0;
            rows(row, group[rng.below(group.size())]) = 1;
        }
    }
    return rows;
}

}  // namespace polyrx::test
