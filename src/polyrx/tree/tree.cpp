// SPDX-License-Identifier: Apache-2.0
#include "polyrx/tree/tree.hpp"

#include <algorithm>

namespace polyrx {

std::string_view name_of(TreeMode mode) {
    switch (mode) {
        case TreeMode::exact:
            return "exact";
        case TreeMode::supported:
            return "supported";
        case TreeMode::whole:
            break;
    }
    return "whole";
}

std::size_t leaf_count(const Tree& tree) {
    return static_cast<std::size_t>(std::count_if(tree.nodes.begin(), tree.nodes.end(), [](const Node& node) {
        return std::holds_alternative<Leaf>(node.what);
    }));
}

std::size_t depth(const Tree& tree) {
    std::vector<std::size_t> above(tree.nodes.size());
    std::size_t deepest = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {  // parents precede children
        deepest = std::max(deepest, above[i]);
        if (const auto* split = std::get_if<Split>(&tree.nodes[i].what))
            above[static_cast<std::size_t>(split->yes)] = above[static_cast<std::size_t>(split->no)] = above[i] + 1;
    }
    return deepest;
}

Arrival descend(const Tree& tree, const Eigen::Ref<const Vector>& row) {
    int at = 0;
    for (;;) {
        const Node& node = tree.nodes[static_cast<std::size_t>(at)];
        const auto* split = std::get_if<Split>(&node.what);
        if (!split) return {at, std::get<Leaf>(node.what).certificate.has_value()};
        const double value = split->function(row);
        if (value > split->guard)
            at = split->yes;
        else if (value < -split->guard)
            at = split->no;
        else
            return {at, false};
    }
}

int leaf_of(const Tree& tree, const Eigen::Ref<const Vector>& row) {
    int at = 0;
    while (const auto* split = std::get_if<Split>(&tree.nodes[static_cast<std::size_t>(at)].what))
        at = split->function(row) > 0 ? split->yes : split->no;
    return at;
}

}  // namespace polyrx
