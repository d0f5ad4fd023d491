// SPDX-License-Identifier: Apache-2.0
// A chain of splits of a node by one feature: each left side contains the previous one.
#pragma once

#include <algorithm>
#include <vector>

#include "polyrx/baselines/policy_tree/policy_rows.hpp"

namespace polyrx {

// The left sides are the first ends[i] rows of the order.
struct SplitChain {
    std::size_t feature = 0;
    bool missing_left = false;  // for numbers
    std::vector<std::uint32_t> order;
    std::vector<std::size_t> ends;
};

[[nodiscard]] inline bool leaves_enough(std::size_t left, std::size_t rows, std::size_t leaf_rows) {
    const std::size_t least = std::max<std::size_t>(1, leaf_rows);
    return left >= least && rows - left >= least;
}

// The cuts of a number that are at least `step` rows apart and keep at least `leaf_rows` rows on either side. The split
// of missing against present values is in the chain with missing values on the right.
[[nodiscard]] SplitChain number_chain(const PolicyRows& rows, std::size_t feature, bool missing_left,
                                      std::size_t leaf_rows, std::size_t step);

// The cuts of categories in the order of their effects: the margin of the node's best treatment over the others.
[[nodiscard]] SplitChain category_chain(const PolicyRows& rows, std::size_t feature, std::size_t leaf_rows);

// Per slot of the chain's feature: whether it is among the first `end` rows.
[[nodiscard]] std::vector<char> left_slots_of(const SplitChain& chain, const SlottedFeature& feature, std::size_t end);

}  // namespace polyrx
