// SPDX-License-Identifier: Apache-2.0
// Cost-complexity pruning (Breiman et al. 1984): of all trees that collapsing nodes can make, the one whose leaves are
// worth most together, less a price for each leaf.
#pragma once

#include <span>
#include <vector>

#include "polyrx/learners/trees/axis_tree.hpp"

namespace polyrx {

// `worth` is by node what it would be worth as a leaf; the best tree has the largest sum over leaves of worth - price.
// Of equally good trees the smallest. By node: whether it is a leaf of that tree.
[[nodiscard]] std::vector<char> leaves_at_price(const AxisTree& tree, std::span<const double> worth, double price);

// The prices, ascending and not negative, at which the best tree becomes smaller: the links that are weakest first.
[[nodiscard]] std::vector<double> weakest_links(const AxisTree& tree, std::span<const double> worth);

// The tree that ends in these leaves, its nodes numbered anew.
[[nodiscard]] AxisTree pruned(const AxisTree& tree, std::span<const char> is_leaf);

}  // namespace polyrx
