// SPDX-License-Identifier: Apache-2.0
// The costs of the best trees of at most one split, of growing sets of rows: what the search for trees of two levels
// spends its time on.
#pragma once

#include <span>
#include <vector>

#include "polyrx/baselines/policy_tree/policy_rows.hpp"

namespace polyrx {

// For each of the ascending `ends`: of the rows order[0] .. order[end - 1], the least cost of giving all of them one
// treatment, or two treatments on the sides of a split by any feature, each of which keeps at least `leaf_rows` rows.
//
// Rows join one by one. The best cut of a feature for a pair of treatments is where the sum, up to the cut, of their
// costs' differences is least or greatest: a tree of prefix sums knows it after each row in O(log rows).
[[nodiscard]] std::vector<PolicyCost> stump_costs(const PolicyRows& rows, std::span<const std::uint32_t> order,
                                                  std::span<const std::size_t> ends, std::size_t leaf_rows);

}  // namespace polyrx
