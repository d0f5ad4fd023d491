// SPDX-License-Identifier: Apache-2.0
// Which nodes of a tree are drawn, where some of its leaves are left out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct LeftOut {
    std::vector<char> leaves = {};  // by node; empty: every leaf is drawn
    std::size_t unreachable = 0;    // of them: no row can reach them
    std::size_t without_rows = 0;   // the others: none of the rows that were counted reached them
};

// Leaves that no row can reach (by node); and if rows were counted, those that none of these reached.
[[nodiscard]] LeftOut leaves_to_leave_out(const Tree& tree, const std::vector<char>& unreachable);

struct DrawnNode {
    std::size_t node = 0;  // of the tree
    std::size_t yes = 0;   // drawn nodes, after this one; of a split
    std::size_t no = 0;
};

// The root first. A split of which one side has no leaf that is drawn is not drawn either: its other side stands in its
// place.
[[nodiscard]] std::vector<DrawnNode> drawn_nodes(const Tree& tree, const LeftOut& left_out = {});

// How many leaves are not drawn, and why. Empty if all are.
[[nodiscard]] std::string left_out_words(const LeftOut& left_out);

}  // namespace polyrx
