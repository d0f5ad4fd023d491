// SPDX-License-Identifier: Apache-2.0
// A tree that is a whole model, with the splits that its rules and its support add: each leaf prescribes what the model
// does.
#pragma once

#include <vector>

#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

// `preferences`, by node, of leaves: the treatments from the best to the worst. A leaf becomes a tree of the rules on
// the rows that reach it. In the guard bands of its splits the model is asked, as in other trees. Throws BudgetSpent.
[[nodiscard]] Tree tree_within_rules(const Tree& tree, const std::vector<std::vector<int>>& preferences,
                                     const BoundRules& rules);

}  // namespace polyrx
