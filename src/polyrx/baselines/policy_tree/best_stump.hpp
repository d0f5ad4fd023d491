// SPDX-License-Identifier: Apache-2.0
// The best split of a node into two leaves.
#pragma once

#include "polyrx/baselines/policy_tree/policy_choice.hpp"

namespace polyrx {

// Returns a leaf if no split is better. Numbers may be cut anywhere, and any number of categories divided into any two
// sets. Both sides keep at least `leaf_rows` rows.
[[nodiscard]] PolicyChoice best_stump(const PolicyRows& rows, std::size_t leaf_rows);

}  // namespace polyrx
