// SPDX-License-Identifier: Apache-2.0
// How the search for a policy tree divides a node.
#pragma once

#include <vector>

#include "polyrx/baselines/policy_tree/policy_rows.hpp"

namespace polyrx {

// Among equally good trees: the one with fewer levels, then the first feature, then the first cut.
struct PolicyChoice {
    PolicyCost cost = 0;  // of the best tree
    int levels = 0;       // of splits; 0 = a leaf
    int feature = -1;
    std::vector<char> left_slots;  // per slot of the feature
    bool missing_left = false;     // for numbers
};

// For each row: whether it goes left.
[[nodiscard]] inline std::vector<char> sides_of(const PolicyRows& rows, const PolicyChoice& choice) {
    const SlottedFeature& feature = rows.features[static_cast<std::size_t>(choice.feature)];
    std::vector<char> is_left;
    is_left.reserve(rows.rows());
    for (const std::uint32_t slot : feature.slot)
        is_left.push_back(slot < feature.slots ? choice.left_slots[slot] : static_cast<char>(choice.missing_left));
    return is_left;
}

}  // namespace polyrx
