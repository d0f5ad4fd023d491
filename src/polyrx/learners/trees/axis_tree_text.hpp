// SPDX-License-Identifier: Apache-2.0
// A tree as one line of text, for model files: forests have too many nodes for a JSON value per node.
//
//     0<=1.5? =2 3:0,7 =4 =5
//
// Nodes are separated by spaces, in preorder (left before right). "0<=1.5" splits on feature 0, "3:0,7" on the
// categories 0 and 7 of feature 3; with "?", missing values go left. "=2" is a leaf; several numbers of a leaf are
// separated by commas.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/learners/trees/axis_tree.hpp"

namespace polyrx {

// The same number of values for each leaf, by node; the values of splits are unused.
struct LeafNumbers {
    std::size_t each = 1;
    std::vector<double> numbers;

    [[nodiscard]] std::span<const double> of(std::size_t node) const {
        return std::span(numbers).subspan(node * each, each);
    }
    friend bool operator==(const LeafNumbers&, const LeafNumbers&) = default;
};

[[nodiscard]] std::string to_text(const AxisTree& tree, const LeafNumbers& leaves);

struct TreeWithLeaves {
    AxisTree tree;  // its own leaf values are 0
    LeafNumbers leaves;
};

// Throws a data error that begins with `place` unless the tree fits features with these levels (as in FeatureRows) and
// its leaves have the given number of values, which may be infinite.
[[nodiscard]] TreeWithLeaves parse_axis_tree(std::string_view text, std::span<const int> levels, std::size_t numbers,
                                             std::string_view place);

}  // namespace polyrx
