// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/axis_tree.hpp"

#include <algorithm>
#include <cmath>

namespace polyrx {

bool goes_left(const AxisTree& tree, const AxisSplit& split, double value) {
    if (std::isnan(value)) return split.missing_left;
    if (split.set < 0) return value <= split.threshold;
    return tree.sets[static_cast<std::size_t>(split.set)].has(static_cast<int>(value));
}

int leaf_of(const AxisTree& tree, const double* row, Eigen::Index stride) {
    int at = 0;
    for (;;) {
        const AxisNode& node = tree.nodes[static_cast<std::size_t>(at)];
        if (node.is_leaf()) return at;
        const AxisSplit split = node.split();
        at = node.left() + (goes_left(tree, split, row[split.feature * stride]) ? 0 : 1);
    }
}

std::size_t leaf_count(const AxisTree& tree) {
    return static_cast<std::size_t>(std::ranges::count_if(tree.nodes, &AxisNode::is_leaf));
}

}  // namespace polyrx
