// SPDX-License-Identifier: Apache-2.0
// Domains with the kinds of input that one asks for, and rows of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx::test {

// The same bounds for all inputs, no whole numbers, no groups.
inline Domain box_domain(Eigen::Index inputs, double lower, double upper) {
    return {Vector::Constant(inputs, lower),
            Vector::Constant(inputs, upper),
            std::vector<char>(static_cast<std::size_t>(inputs), 0),
            {}};
}

inline void add_input(Domain& domain, double lower, double upper, bool integer) {
    const Eigen::Index index = domain.inputs();
    domain.lower.conservativeResize(index + 1);
    domain.upper.conservativeResize(index + 1);
    domain.lower[index] = lower;
    domain.upper[index] = upper;
    domain.integer.push_back(integer ? 1 : 0);
}

inline void add_group(Domain& domain, Eigen::Index members) {
    std::vector<Eigen::Index> group(static_cast<std::size_t>(members));
    std::iota(group.begin(), group.end(), domain.inputs());
    for (Eigen::Index i = 0; i < members; ++i) add_input(domain, 0, 1, true);
    domain.groups.push_back(std::move(group));
}

// Of each kind so many: real ones in -1..1, whole numbers in 0..9, binary ones, and groups by their sizes.
struct Kinds {
    Eigen::Index real = 0;
    Eigen::Index whole = 0;
    Eigen::Index binary = 0;
    std::vector<Eigen::Index> groups = {};
};
inline Domain domain_of_kinds(const Kinds& kinds) {
    Domain domain = box_domain(kinds.real, -1, 1);
    for (Eigen::Index i = 0; i < kinds.whole; ++i) add_input(domain, 0, 9, true);
    for (Eigen::Index i = 0; i < kinds.binary; ++i) add_input(domain, 0, 1, true);
    for (const Eigen::Index members : kinds.groups) add_group(domain, members);
    return domain;
}

// Real inputs in -2..2, then a whole number in 0..9, a 0/1 input, and a group of three.
inline Domain mixed_domain(Eigen::Index reals) {
    Domain domain = domain_of_kinds({.real = reals, .whole = 1, .binary = 1, .groups = {3}});
    domain.lower.head(reals).setConstant(-2);
    domain.upper.head(reals).setConstant(2);
    return domain;
}

// Any row of the domain, each as likely. Inputs with an infinite bound are at 0.
inline Vector uniform_row(Rng& rng, const Domain& domain) {
    Vector row = Vector::Zero(domain.inputs());
    for (Eigen::Index i = 0; i < row.size(); ++i) {
        const double range = domain.upper[i] - domain.lower[i];
        if (std::isinf(range)) continue;
        row[i] = domain.integer[static_cast<std::size_t>(i)]
                     ? domain.lower[i] + static_cast<double>(rng.below(static_cast<std::uint64_t>(range) + 1))
                     : std::min(domain.lower[i] + rng.uniform() * range, domain.upper[i]);
    }
    for (const auto& group : domain.groups) {
        std::vector<Eigen::Index> possible;
        for (const Eigen::Index member : group) {
            row[member] = 0;
            if (domain.upper[member] >= 1) possible.push_back(member);
        }
        for (const Eigen::Index member : group)
            if (domain.lower[member] > 0) possible = {member};
        row[possible[rng.below(possible.size())]] = 1;
    }
    return row;
}

inline Matrix uniform_rows(Rng& rng, const Domain& domain, Eigen::Index count) {
    Matrix rows(count, domain.inputs());
    for (Eigen::Index i = 0; i < count; ++i) rows.row(i) = uniform_row(rng, domain).transpose();
    return rows;
}

// How much an affine function can vary on the domain, plus its constant: what its rounding errors are a share of.
inline double size_of(const Domain& domain, const AffineFunction& function) {
    double size = std::abs(function.constant);
    for (Eigen::Index i = 0; i < domain.inputs(); ++i)
        if (function.weights[i] != 0)
            size += std::abs(function.weights[i]) * std::max(std::abs(domain.lower[i]), std::abs(domain.upper[i]));
    return size;
}

}  // namespace polyrx::test
