// SPDX-License-Identifier: Apache-2.0
// What rules and support imply for all rows of a box, as the policy computes them.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/tree/numbered_rules.hpp"
#include "polyrx/verify/linear_bounds.hpp"

namespace polyrx::checking {

// By half-space: bounds of the real sum of its terms, without the constant.
using HalfSpaceSums = std::vector<Interval>;

class RuleClaims {
public:
    // Throws a data error if a rule uses an input that the domain does not have.
    RuleClaims(const BoundRules& rules, const Domain& domain, std::size_t treatments);

    [[nodiscard]] std::size_t half_spaces() const { return numbered_.half_spaces.size(); }
    // True if there are rules or support.
    [[nodiscard]] bool any() const { return !numbered_.rules.empty() || !numbered_.support.empty(); }
    // Unbounded sums.
    [[nodiscard]] HalfSpaceSums unknown() const;
    // The sum of a half-space's terms as a form over the inputs.
    [[nodiscard]] LinearForm sum(std::size_t half_space) const;

    struct Verdict {
        TreatmentSet perhaps = 0;      // not forbidden by a rule that applies to all rows, and possibly supported
        TreatmentSet surely = 0;       // not forbidden by any rule that may apply, and supported for all rows
        TreatmentSet unsupported = 0;  // unsupported for all rows
        std::vector<char> applies;     // by rule: applies to all rows
    };
    // The verdict on the rows of the box whose sums are within these bounds.
    [[nodiscard]] Verdict verdict(const Box& box, const HalfSpaceSums& sums) const;

private:
    enum class Truth { never, always, perhaps };

    [[nodiscard]] Truth truth(const NumberedCondition& condition, const Box& box, const HalfSpaceSums& sums) const;
    [[nodiscard]] Truth truth(std::size_t half_space, const Box& box, const Interval& sum) const;

    NumberedRules numbered_;
    Eigen::Index inputs_;
    std::vector<char> whole_;  // by half-space: its sum is a whole number, computed without rounding
};

}  // namespace polyrx::checking
