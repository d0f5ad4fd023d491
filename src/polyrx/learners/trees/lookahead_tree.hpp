// SPDX-License-Identifier: Apache-2.0
// A classification tree that chooses each split together with the best splits below it.
//
// A greedy tree misses interactions. Where the class depends on whether two inputs have the same sign, neither input
// alone separates anything. Here a split is as good as the least Gini impurity that one more split on either side
// leaves. This is searched over at most eight groups of values per feature. The threshold of the chosen split is then
// moved to its best place among all values. The last level of splits is greedy, since nothing follows it.
#pragma once

#include <span>

#include "polyrx/learners/trees/axis_tree.hpp"

namespace polyrx {

struct LookaheadOptions {
    int depth = 2;
    std::size_t leaf_rows = 1;
    // Above this, each node looks at the features that are best on their own.
    static constexpr std::size_t most_features = 40;
    static constexpr std::size_t most_groups = 8;
};

// Learns from some rows of the features; labels (0 .. classes-1, at most 64) and weights are those of all rows. No
// weights: every row counts once.
[[nodiscard]] AxisTree grow_lookahead_tree(const FeatureRows& features, std::span<const std::size_t> rows,
                                           std::span<const int> label, int classes, std::span<const double> weight,
                                           const LookaheadOptions& options);

}  // namespace polyrx
