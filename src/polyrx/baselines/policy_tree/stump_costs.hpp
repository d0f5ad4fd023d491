// SPDX-License-Identifier: Apache-2.0
// The costs of the best trees with at most one split, for growing sets of rows. The search for trees of two levels
// spends most of its time here.
#pragma once

#include <span>
#include <vector>

#include "polyrx/baselines/policy_tree/policy_rows.hpp"

namespace polyrx {

// For each of the ascending `ends`: the lowest cost of the rows order[0] .. order[end - 1] with one treatment for all,
// or with two treatments on the sides of a split by any feature. Each side keeps at least `leaf_rows` rows.
//
// Rows are added one by one. For a pair of treatments, the best cut of a feature is where the prefix sum of their cost
// differences is smallest or largest. A tree of prefix sums finds it after each row in O(log rows).
[[nodiscard]] std::vector<PolicyCost> stump_costs(const PolicyRows& rows, std::span<const std::uint32_t> order,
                                                  std::span<const std::size_t> ends, std::size_t leaf_rows);

}  // namespace polyrx
