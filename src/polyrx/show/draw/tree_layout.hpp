// SPDX-License-Identifier: Apache-2.0
// Where the boxes of a tree go on a page: from left to right, with a row for each leaf.
//
// Left to right, since words are wider than they are high: thirty leaves under each other fit on a page, side by side
// they do not. Every subtree has a strip of the page for itself, to the right of its parent, so that boxes never
// overlap and links never cross.
#pragma once

#include <span>
#include <vector>

#include "polyrx/show/draw/svg.hpp"
#include "polyrx/show/drawn_nodes.hpp"

namespace polyrx {

struct Gaps {
    double across = 48;   // from a box to its children: room for links and their labels
    double rows = 6;      // between boxes under each other
    double subtrees = 6;  // added around every subtree that is not a leaf
};

struct Layout {
    std::vector<Box> boxes;  // of the drawn nodes; x and y begin at 0
    double width = 0;
    double height = 0;
};

// For boxes of the given widths and heights; their x and y are ignored. A split stands in the middle between its
// children.
[[nodiscard]] Layout lay_out(std::span<const DrawnNode> nodes, std::vector<Box> boxes, const Gaps& gaps = {});

}  // namespace polyrx
