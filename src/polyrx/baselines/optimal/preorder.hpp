// SPDX-License-Identifier: Apache-2.0
// Trees whose nodes are in preorder: a split is followed by its low side, and that by its high side.
#pragma once

#include <cstddef>
#include <vector>

namespace polyrx {

// Sets the sides of every split. Leaves are the nodes without a low side so far.
template <class Node>
void link_preorder(std::vector<Node>& nodes) {
    std::vector<std::size_t> open;  // splits whose high side has not come yet
    for (std::size_t number = 0; number < nodes.size(); ++number) {
        if (!nodes[number].is_leaf()) {
            nodes[number].low = static_cast<int>(number) + 1;
            open.push_back(number);
        } else if (!open.empty()) {
            nodes[open.back()].high = static_cast<int>(number) + 1;
            open.pop_back();
        }
    }
}

}  // namespace polyrx
