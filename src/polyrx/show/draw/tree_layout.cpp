// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/draw/tree_layout.hpp"

#include <algorithm>
#include <utility>

namespace polyrx {
namespace {

using Nodes = std::span<const DrawnNode>;

bool is_split(const DrawnNode& node) {
    return node.yes > 0;
}

// A child begins one gap to the right of its parent: columns as wide as their widest box would waste half of the page.
double place_across(Nodes nodes, std::vector<Box>& boxes, double gap) {
    double width = 0;
    for (Box& box : boxes) box.x = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {  // parents come first
        width = std::max(width, boxes[i].right());
        if (is_split(nodes[i])) {
            const auto& [node, yes, no] = nodes[i];
            boxes[yes].x = boxes[no].x = boxes[i].right() + gap;
        }
    }
    return width;
}

// The height of the strip of each subtree: that of its box, or of the strips of its children.
std::vector<double> strips(Nodes nodes, const std::vector<Box>& boxes, const Gaps& gaps) {
    std::vector<double> strip(boxes.size());
    for (std::size_t i = boxes.size(); i-- > 0;) {  // children come after their parent
        strip[i] = boxes[i].height + gaps.rows;
        if (is_split(nodes[i])) {
            const auto& [node, yes, no] = nodes[i];
            strip[i] = std::max(strip[i], strip[yes] + strip[no]) + gaps.subtrees;
        }
    }
    return strip;
}

double place_rows(Nodes nodes, std::vector<Box>& boxes, const Gaps& gaps) {
    const std::vector<double> strip = strips(nodes, boxes, gaps);
    std::vector<double> top(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (is_split(nodes[i])) {
            const auto& [node, yes, no] = nodes[i];
            top[yes] = top[i] + (strip[i] - strip[yes] - strip[no]) / 2;
            top[no] = top[yes] + strip[yes];
        }
    }
    for (std::size_t i = boxes.size(); i-- > 0;) {
        const double first = top[i] + gaps.rows / 2;
        const double last = top[i] + strip[i] - gaps.rows / 2 - boxes[i].height;
        boxes[i].y = first;
        if (is_split(nodes[i])) {
            const auto& [node, yes, no] = nodes[i];
            const double middle = (boxes[yes].middle() + boxes[no].middle()) / 2;
            // Children of unequal height would pull a tall box out of its strip.
            boxes[i].y = std::max(first, std::min(last, middle - boxes[i].height / 2));
        }
    }
    return strip.front();
}

}  // namespace

Layout lay_out(std::span<const DrawnNode> nodes, std::vector<Box> boxes, const Gaps& gaps) {
    Layout layout;
    layout.width = place_across(nodes, boxes, gaps.across);
    layout.height = place_rows(nodes, boxes, gaps);
    layout.boxes = std::move(boxes);
    return layout;
}

}  // namespace polyrx
