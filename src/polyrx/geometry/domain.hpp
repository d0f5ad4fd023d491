// SPDX-License-Identifier: Apache-2.0
// The set of input rows that a tree or claim covers: bounds, whole numbers, groups with exactly one input at 1, and
// fill values.
#pragma once

#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/geometry/affine.hpp"

namespace polyrx {

struct Domain {
    Vector lower;
    Vector upper;                                   // inclusive, like lower; both may be infinite
    std::vector<char> integer;                      // 1 for whole numbers
    std::vector<std::vector<Eigen::Index>> groups;  // disjoint; the inputs are 0 or 1 and sum to one

    // If the 0/1 indicator is 1, the input has this value.
    struct Fill {
        Eigen::Index indicator = 0;
        Eigen::Index input = 0;
        double value = 0;
        friend bool operator==(const Fill&, const Fill&) = default;
    };
    std::vector<Fill> fills = {};

    [[nodiscard]] Eigen::Index inputs() const { return lower.size(); }
    friend bool operator==(const Domain& a, const Domain& b) {
        return a.lower == b.lower && a.upper == b.upper && a.integer == b.integer && a.groups == b.groups &&
               a.fills == b.fills;
    }
};

// Checks bounds, whole numbers, groups and fills.
[[nodiscard]] bool contains(const Domain& domain, const Eigen::Ref<const Vector>& row);

// A row of the domain close to the point: clamps to bounds, rounds whole numbers, and sets the largest allowed member
// of each group to 1. Applies fills that lie within the bounds.
[[nodiscard]] Vector nearest_row(const Domain& domain, const Vector& point);

// The maximum of an affine function over the domain, ignoring integrality; minus infinity if the domain is empty.
// Inputs with an infinite bound must have weight 0.
[[nodiscard]] double maximum(const Domain& domain, const AffineFunction& function);

// The maximum |x| of each input; 0 for an input with an infinite bound.
[[nodiscard]] Vector magnitudes(const Domain& domain);

// The lower bounds, but at least -2^51 for whole numbers. The kernels detect fractions by adding 1.5 * 2^52, which
// keeps halves of anything smaller. contains() must check rows outside this range.
[[nodiscard]] Vector kernel_lower(const Domain& domain);

// True for a 0/1 input outside of all groups.
[[nodiscard]] bool is_binary(const Domain& domain, Eigen::Index input);

}  // namespace polyrx
