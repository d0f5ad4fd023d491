// SPDX-License-Identifier: Apache-2.0
// A tree as one line of text, for model files: a forest has too many nodes to be a JSON value each.
//
//     0<=1.5? =2 3:0,7 =4 =5
//
// Nodes are separated by spaces, a node before its left and then its right side. "0<=1.5" splits on feature 0, "3:0,7"
// on the categories 0 and 7 of feature 3; with a "?" missing values go to the left. "=2" is a leaf, whose numbers are
// separated by commas.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/learners/trees/axis_tree.hpp"

namespace polyrx {

// As many of each leaf, by node; those of splits mean nothing.
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
    AxisTree tree;  // whose own values of leaves are 0
    LeafNumbers leaves;
};

// Throws a data error that begins with `place` unless it is a tree of features with these levels (as in FeatureRows)
// and of leaves with so many numbers, which may be infinite.
[[nodiscard]] TreeWithLeaves parse_axis_tree(std::string_view text, std::span<const int> levels, std::size_t numbers,
                                             std::string_view place);

}  // namespace polyrx
