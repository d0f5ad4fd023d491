// SPDX-License-Identifier: Apache-2.0
// Selects the nodes of a tree that are drawn if some leaves are left out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct LeftOut {
    std::vector<char> leaves = {};  // per node; empty: every leaf is drawn
    std::size_t unreachable = 0;    // leaves that no row can reach
    std::size_t without_rows = 0;   // other leaves that none of the counted rows reached
};

// Leaves out unreachable leaves (given per node) and, if rows were counted, leaves that none of them reached.
[[nodiscard]] LeftOut leaves_to_leave_out(const Tree& tree, const std::vector<char>& unreachable);

struct DrawnNode {
    std::size_t node = 0;  // of the tree
    std::size_t yes = 0;   // for splits: drawn nodes, after this one
    std::size_t no = 0;
};

// The root first. If no leaf on one side of a split is drawn, the split is replaced by its other side.
[[nodiscard]] std::vector<DrawnNode> drawn_nodes(const Tree& tree, const LeftOut& left_out = {});

// The number of leaves that are not drawn, and why. Empty if all are drawn.
[[nodiscard]] std::string left_out_words(const LeftOut& left_out);

}  // namespace polyrx
