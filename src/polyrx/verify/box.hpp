// SPDX-License-Identifier: Apache-2.0
// The inputs that a proof still has to cover: the domain, narrowed by proved bounds of inputs.
#pragma once

#include <vector>

#include "polyrx/geometry/domain.hpp"
#include "polyrx/verify/interval.hpp"

namespace polyrx::checking {

class Box {
public:
    // Starts with the whole domain, which must outlive the box. Throws a data error if it is inconsistent: sizes must
    // equal inputs(), and groups must be disjoint and of 0/1 inputs.
    explicit Box(const Domain& domain);

    // The current bounds of an input. In a group, if one member must be 1, the others are 0. A fill value and its
    // indicator narrow each other.
    [[nodiscard]] Interval operator[](Eigen::Index input) const { return {lower_[input], upper_[input]}; }
    // True only if no row is left.
    [[nodiscard]] bool is_empty() const;

    // Adds x_input <= bound or x_input >= bound, rounded inwards for whole numbers. Returns true if the box changed.
    bool narrow_upper(Eigen::Index input, double bound);
    bool narrow_lower(Eigen::Index input, double bound);

    // An upper bound of max over the box of sum_j r_j x_j, for all r_j in the intervals. A group contributes the
    // largest r_j of the members that can be 1. The box must not be empty.
    [[nodiscard]] double greatest(const std::vector<Interval>& r) const;
    // A corner that about attains greatest(). It may have infinite coordinates if bounds are infinite.
    [[nodiscard]] Vector corner(const std::vector<Interval>& r) const;

private:
    // Propagates a changed bound of this input.
    void settle(Eigen::Index input);
    void settle_group_of(Eigen::Index input);
    void settle_fills_of(Eigen::Index input);
    [[nodiscard]] std::vector<Eigen::Index> candidates(const std::vector<Eigen::Index>& group) const;

    const Domain* domain_;
    Vector lower_;
    Vector upper_;
    std::vector<char> grouped_;
};

}  // namespace polyrx::checking
