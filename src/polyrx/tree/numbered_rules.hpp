// SPDX-License-Identifier: Apache-2.0
// Numbers the half-spaces of rules, for reference in proofs.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/rules/bound_rules.hpp"

namespace polyrx {

// A condition that refers to half-spaces by number.
struct NumberedCondition {
    BoundCondition::Kind kind = BoundCondition::Kind::all_of;
    std::size_t half_space = 0;
    std::vector<NumberedCondition> operands = {};
};

struct NumberedRule {
    NumberedCondition applies;
    TreatmentSet allowed = 0;  // the allowed treatments
};

// A SupportRule with numbered half-spaces.
struct NumberedSupport {
    int treatment = 0;
    int instead = 0;
    NumberedCondition applies;
};

// Half-spaces are numbered from 0 in order of first appearance: rule by rule, then support, operands from first to
// last. Equal half-spaces share a number.
struct NumberedRules {
    NumberedRules(const BoundRules& rules, std::size_t treatments);

    std::vector<HalfSpace> half_spaces;
    std::vector<NumberedRule> rules;
    std::vector<NumberedSupport> support;
    TreatmentSet all = 0;
};

}  // namespace polyrx
