// SPDX-License-Identifier: Apache-2.0
// Adds the splits of rules and support to a tree that is itself a model, so that each leaf prescribes what the model
// does.
#pragma once

#include <vector>

#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

// `preferences` has, for each leaf node, the treatments from best to worst. Each leaf is replaced by a tree of the
// rules on the rows that reach it. In guard bands, the model answers, as in other trees. Throws BudgetSpent.
[[nodiscard]] Tree tree_within_rules(const Tree& tree, const std::vector<std::vector<int>>& preferences,
                                     const BoundRules& rules);

}  // namespace polyrx
