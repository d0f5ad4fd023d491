// SPDX-License-Identifier: Apache-2.0
// Outcomes in the direction of all learners: smaller is better.
#pragma once

#include <vector>

#include "polyrx/evaluate/value/outcome_range.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/study/observations.hpp"

namespace polyrx {

// A policy that maximizes is trained on negated outcomes.
[[nodiscard]] inline std::vector<double> minimized_outcome(const Observations& observations, Objective objective) {
    std::vector<double> outcome = observations.outcome;
    if (objective == Objective::max)
        for (double& value : outcome) value = -value;
    return outcome;
}

[[nodiscard]] inline OutcomeRange minimized_range(const OutcomeRange& range, Objective objective) {
    return objective == Objective::max ? OutcomeRange{-range.greatest, -range.least, range.origin} : range;
}

}  // namespace polyrx
