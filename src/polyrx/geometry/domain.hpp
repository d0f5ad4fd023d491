// SPDX-License-Identifier: Apache-2.0
// The inputs that a claim is about: bounds, whole numbers, and groups of which exactly one input is 1.
#pragma once

#include <string>
#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

struct Domain {
    Vector lower;
    Vector upper;                                   // inclusive, like lower; both may be infinite
    std::vector<char> integer;                      // 1: whole numbers only
    std::vector<std::vector<Eigen::Index>> groups;  // disjoint; whole numbers in 0..1 that sum to one

    [[nodiscard]] Eigen::Index inputs() const { return lower.size(); }
    friend bool operator==(const Domain& a, const Domain& b) {
        return a.lower == b.lower && a.upper == b.upper && a.integer == b.integer && a.groups == b.groups;
    }
};

// Whether a row lies in the domain: bounds, whole numbers and groups.
[[nodiscard]] bool contains(const Domain& domain, const Eigen::Ref<const Vector>& row);

// A 0/1 input that belongs to no group.
[[nodiscard]] bool is_binary(const Domain& domain, Eigen::Index input);

}  // namespace polyrx
