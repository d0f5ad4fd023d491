// SPDX-License-Identifier: Apache-2.0
// A classification tree that chooses each split together with the best splits below it.
//
// A greedy tree misses interactions. If the class depends on whether two inputs have the same sign, neither input alone
// separates anything. Here, a split is evaluated by the Gini impurity after one more split on either side. The search
// uses at most eight groups of values per feature; the chosen threshold is then moved to its best place among all
// values. The last level of splits is greedy, because no splits follow.
#pragma once

#include <span>

#include "polyrx/learners/trees/axis_tree.hpp"

namespace polyrx {

struct LookaheadOptions {
    int depth = 2;
    std::size_t leaf_rows = 1;
    // With more features, each node considers those that are best on their own.
    static constexpr std::size_t most_features = 40;
    static constexpr std::size_t most_groups = 8;
};

// Learns from the named rows. Labels (0 .. classes-1, at most 64) and weights cover all rows of the features. No
// weights: all rows have weight 1.
[[nodiscard]] AxisTree grow_lookahead_tree(const FeatureRows& features, std::span<const std::size_t> rows,
                                           std::span<const int> label, int classes, std::span<const double> weight,
                                           const LookaheadOptions& options);

}  // namespace polyrx
