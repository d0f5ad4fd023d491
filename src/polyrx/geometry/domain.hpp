// SPDX-License-Identifier: Apache-2.0
// The inputs that a claim is about: bounds, whole numbers, groups of which exactly one input is 1, and what stands for
// a missing value.
#pragma once

#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/geometry/affine.hpp"

namespace polyrx {

struct Domain {
    Vector lower;
    Vector upper;                                   // inclusive, like lower; both may be infinite
    std::vector<char> integer;                      // 1: whole numbers only
    std::vector<std::vector<Eigen::Index>> groups;  // disjoint; whole numbers in 0..1 that sum to one

    // Where the indicator, a whole number in 0..1, is 1, the input has this value.
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

// Whether a row lies in the domain: bounds, whole numbers, groups and fills.
[[nodiscard]] bool contains(const Domain& domain, const Eigen::Ref<const Vector>& row);

// The row of the domain that is about nearest to the point: between the bounds, whole numbers, and of each group the
// largest member that may be 1. Fills are kept to where they lie between the bounds.
[[nodiscard]] Vector nearest_row(const Domain& domain, const Vector& point);

// The largest value of an affine function on the domain, its whole numbers taken as real ones: minus infinity if the
// domain is empty. Inputs with an infinite bound may have no weight.
[[nodiscard]] double maximum(const Domain& domain, const AffineFunction& function);

// The largest |x| of each input; 0 for an input with an infinite bound.
[[nodiscard]] Vector magnitudes(const Domain& domain);

// The lower bounds, but whole numbers not below -2^51: the kernels that check rows tell whole numbers from fractions by
// adding 1.5 * 2^52, which keeps halves of anything smaller. Rows with such an input are for contains().
[[nodiscard]] Vector kernel_lower(const Domain& domain);

// A 0/1 input that belongs to no group.
[[nodiscard]] bool is_binary(const Domain& domain, Eigen::Index input);

}  // namespace polyrx
