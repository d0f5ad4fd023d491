// SPDX-License-Identifier: Apache-2.0
// Converts a baseline to a tree if it is one, with splits for its rules and its support.
#pragma once

#include <optional>

#include "polyrx/policy/policy.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

// Empty for a network or a baseline that is not a single tree. Throws BudgetSpent if rules make the tree too large.
[[nodiscard]] std::optional<Tree> baseline_tree(const Policy& policy);

}  // namespace polyrx
