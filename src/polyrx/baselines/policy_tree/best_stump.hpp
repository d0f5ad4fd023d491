// SPDX-License-Identifier: Apache-2.0
// The best split of a node whose sides are leaves.
#pragma once

#include "polyrx/baselines/policy_tree/policy_choice.hpp"

namespace polyrx {

// A leaf where no split is better. Numbers are cut anywhere, and categories divided into any two sets, however many
// there are; both sides keep at least `leaf_rows` rows.
[[nodiscard]] PolicyChoice best_stump(const PolicyRows& rows, std::size_t leaf_rows);

}  // namespace polyrx
