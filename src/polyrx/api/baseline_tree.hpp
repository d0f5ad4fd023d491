// SPDX-License-Identifier: Apache-2.0
// The tree of a baseline that is one, with the splits of its rules and its support.
#pragma once

#include <optional>

#include "polyrx/policy/policy.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

// Nothing for a network, or a baseline that is no single tree. Throws BudgetSpent if rules make it too large.
[[nodiscard]] std::optional<Tree> baseline_tree(const Policy& policy);

}  // namespace polyrx
