// SPDX-License-Identifier: Apache-2.0
#include "polyrx/tree/tree_size.hpp"

namespace polyrx {

TreeSize size_of(const Tree& tree) {
    TreeSize size{.leaves = leaf_count(tree)};
    for (const Node& node : tree.nodes)
        if (const auto* split = std::get_if<Split>(&node.what))
            size.terms += static_cast<std::size_t>((split->function.weights.array() != 0).count());
    return size;
}

}  // namespace polyrx
