// SPDX-License-Identifier: Apache-2.0
#include "polyrx/export/tree_layout.hpp"

#include <algorithm>
#include <utility>

namespace polyrx {
namespace {

struct Children {
    std::size_t yes;
    std::size_t no;
};

Children children_of(const Split& split) {
    return {static_cast<std::size_t>(split.yes), static_cast<std::size_t>(split.no)};
}

const Split* split_at(const Tree& tree, std::size_t node) {
    return std::get_if<Split>(&tree.nodes[node].what);
}

// A column is as wide as its widest box.
double place_columns(const Tree& tree, std::vector<Box>& boxes, double gap) {
    std::vector<std::size_t> level(boxes.size());
    std::vector<double> widths;
    for (std::size_t i = 0; i < boxes.size(); ++i) {  // parents come first
        if (level[i] == widths.size()) widths.push_back(0);
        widths[level[i]] = std::max(widths[level[i]], boxes[i].width);
        if (const Split* split = split_at(tree, i)) {
            const auto [yes, no] = children_of(*split);
            level[yes] = level[no] = level[i] + 1;
        }
    }
    std::vector<double> lefts{0};
    for (const double width : widths) lefts.push_back(lefts.back() + width + gap);
    for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i].x = lefts[level[i]];
    return lefts.back() - gap;
}

// The height of the strip of each subtree: that of its box, or of the strips of its children.
std::vector<double> strips(const Tree& tree, const std::vector<Box>& boxes, const Gaps& gaps) {
    std::vector<double> strip(boxes.size());
    for (std::size_t i = boxes.size(); i-- > 0;) {  // children come after their parent
        strip[i] = boxes[i].height + gaps.rows;
        if (const Split* split = split_at(tree, i)) {
            const auto [yes, no] = children_of(*split);
            strip[i] = std::max(strip[i], strip[yes] + strip[no]) + gaps.subtrees;
        }
    }
    return strip;
}

double place_rows(const Tree& tree, std::vector<Box>& boxes, const Gaps& gaps) {
    const std::vector<double> strip = strips(tree, boxes, gaps);
    std::vector<double> top(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (const Split* split = split_at(tree, i)) {
            const auto [yes, no] = children_of(*split);
            top[yes] = top[i] + (strip[i] - strip[yes] - strip[no]) / 2;
            top[no] = top[yes] + strip[yes];
        }
    }
    for (std::size_t i = boxes.size(); i-- > 0;) {
        const double first = top[i] + gaps.rows / 2;
        const double last = top[i] + strip[i] - gaps.rows / 2 - boxes[i].height;
        boxes[i].y = first;
        if (const Split* split = split_at(tree, i)) {
            const auto [yes, no] = children_of(*split);
            const double middle = (boxes[yes].middle() + boxes[no].middle()) / 2;
            // Children of unequal height would pull a tall box out of its strip.
            boxes[i].y = std::max(first, std::min(last, middle - boxes[i].height / 2));
        }
    }
    return strip.front();
}

}  // namespace

Layout lay_out(const Tree& tree, std::vector<Box> boxes, const Gaps& gaps) {
    Layout layout;
    layout.width = place_columns(tree, boxes, gaps.columns);
    layout.height = place_rows(tree, boxes, gaps);
    layout.boxes = std::move(boxes);
    return layout;
}

}  // namespace polyrx
