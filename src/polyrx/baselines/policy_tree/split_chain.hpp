// SPDX-License-Identifier: Apache-2.0
// Splits of a node by one feature whose left sides are nested in each other.
#pragma once

#include <algorithm>
#include <vector>

#include "polyrx/baselines/policy_tree/policy_rows.hpp"

namespace polyrx {

// The left sides are the first ends[i] rows of the order.
struct SplitChain {
    std::size_t feature = 0;
    bool missing_left = false;  // of a number
    std::vector<std::uint32_t> order;
    std::vector<std::size_t> ends;
};

[[nodiscard]] inline bool leaves_enough(std::size_t left, std::size_t rows, std::size_t leaf_rows) {
    const std::size_t least = std::max<std::size_t>(1, leaf_rows);
    return left >= least && rows - left >= least;
}

// Cuts of a number that are at least `step` rows apart and keep at least `leaf_rows` rows on either side. That what is
// missing stands alone is among those where it goes to the right.
[[nodiscard]] SplitChain number_chain(const PolicyRows& rows, std::size_t feature, bool missing_left,
                                      std::size_t leaf_rows, std::size_t step);

// Cuts of categories in the order of their effects: by how much better the node's best treatment is there than the
// others.
[[nodiscard]] SplitChain category_chain(const PolicyRows& rows, std::size_t feature, std::size_t leaf_rows);

// By slot of the chain's feature: whether it is among the first `end` rows.
[[nodiscard]] std::vector<char> left_slots_of(const SplitChain& chain, const SlottedFeature& feature, std::size_t end);

}  // namespace polyrx
