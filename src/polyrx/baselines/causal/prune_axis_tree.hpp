// SPDX-License-Identifier: Apache-2.0
// Cost-complexity pruning (Breiman et al. 1984): among all trees that result from collapsing nodes, finds the one with
// the largest total worth of leaves less a price per leaf.
#pragma once

#include <span>
#include <vector>

#include "polyrx/learners/trees/axis_tree.hpp"

namespace polyrx {

// `worth` is the worth of each node as a leaf. The best tree maximizes the sum over leaves of worth - price; among
// equals it is the smallest. Returns for each node whether it is a leaf of that tree.
[[nodiscard]] std::vector<char> leaves_at_price(const AxisTree& tree, std::span<const double> worth, double price);

// The prices at which the best tree becomes smaller (weakest links): nonnegative, ascending.
[[nodiscard]] std::vector<double> weakest_links(const AxisTree& tree, std::span<const double> worth);

// The tree that ends in these leaves, with its nodes renumbered.
[[nodiscard]] AxisTree pruned(const AxisTree& tree, std::span<const char> is_leaf);

}  // namespace polyrx
