// SPDX-License-Identifier: Apache-2.0
// The inputs that a proof still has to think of: the domain, narrowed by what was proved of single inputs.
#pragma once

#include <vector>

#include "polyrx/geometry/domain.hpp"
#include "polyrx/verify/interval.hpp"

namespace polyrx::checking {

class Box {
public:
    // All of the domain, which must outlive the box. Throws a data error if bounds, whole numbers and groups do not fit
    // together: inputs() of each, groups disjoint and of whole numbers in 0..1.
    explicit Box(const Domain& domain);

    // Of a group, the member that must be 1 is, and then the others are 0. What stands for a missing value does so
    // where it must be missing, and where it cannot the value is not missing.
    [[nodiscard]] Interval operator[](Eigen::Index input) const { return {lower_[input], upper_[input]}; }
    // Whether it certainly has no row.
    [[nodiscard]] bool is_empty() const;

    // Learns x_input <= bound or x_input >= bound; the bound of a whole number is rounded inwards. Returns whether that
    // is news.
    bool narrow_upper(Eigen::Index input, double bound);
    bool narrow_lower(Eigen::Index input, double bound);

    // At least max over the box of sum_j r_j x_j, for all numbers r_j in the intervals. In a group that is the largest
    // r_j among the members that can still be 1. The box is not empty.
    [[nodiscard]] double greatest(const std::vector<Interval>& r) const;
    // A corner where the sum is about that large; bounds may be infinite, and so may the corner.
    [[nodiscard]] Vector corner(const std::vector<Interval>& r) const;

private:
    // After news of this input.
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
