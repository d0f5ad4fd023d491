// SPDX-License-Identifier: Apache-2.0
// The half-spaces of rules by number, so that a proof can name them.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/rules/bound_rules.hpp"

namespace polyrx {

// A condition that names its half-spaces by number.
struct NumberedCondition {
    BoundCondition::Kind kind = BoundCondition::Kind::all_of;
    std::size_t half_space = 0;
    std::vector<NumberedCondition> operands = {};
};

struct NumberedRule {
    NumberedCondition applies;
    TreatmentSet allowed = 0;  // of the treatments that there are
};

// A SupportRule.
struct NumberedSupport {
    int treatment = 0;
    int instead = 0;
    NumberedCondition applies;
};

// Half-spaces are numbered from 0 as they first appear, rule after rule and then support, operands from first to last.
// Equal ones have one number.
struct NumberedRules {
    NumberedRules(const BoundRules& rules, std::size_t treatments);

    std::vector<HalfSpace> half_spaces;
    std::vector<NumberedRule> rules;
    std::vector<NumberedSupport> support;
    TreatmentSet all = 0;
};

}  // namespace polyrx
