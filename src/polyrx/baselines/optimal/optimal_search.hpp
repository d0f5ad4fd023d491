// SPDX-License-Identifier: Apache-2.0
// The search for optimal trees: from a random greedy tree, one node after the other is changed for the better until
// none can be.
#pragma once

#include <functional>

#include "polyrx/baselines/optimal/optimal_leaf.hpp"
#include "polyrx/baselines/optimal/optimal_split.hpp"
#include "polyrx/core/rng.hpp"

namespace polyrx {

// A tree in the units of OptimalRows, with the rows that it was made from.
struct SearchNode {
    OptimalSplit split;
    int low = -1;
    int high = -1;
    std::vector<RowNumber> rows;  // ascending
    LeafFit fit;                  // of a leaf; of others only if it is known
    bool fit_known = false;
    bool settled = false;  // nothing better was found, and nothing has changed above or below

    [[nodiscard]] bool is_leaf() const { return low < 0; }
};

struct SearchTree {
    std::vector<SearchNode> nodes;  // the root first; a node before its low and then its high side
};

[[nodiscard]] int leaf_of(const SearchTree& tree, const OptimalRows& data, RowNumber row);
[[nodiscard]] std::size_t split_count(const SearchTree& tree);

// The cost of leaves per weight of the rows they were fitted to, and of splits.
[[nodiscard]] double objective_of(const SearchTree& tree, const LeafJudge& judge, double complexity);
// What the leaves of the tree cost other rows, per weight: splits cost nothing here.
[[nodiscard]] double cost_on(const SearchTree& tree, const LeafJudge& judge, std::span<const RowNumber> rows);

struct Descent {
    SearchTree tree;
    double objective = 0;
    std::vector<double> trace;  // the objective at the start and after every change
};

// The start is drawn: a greedy tree that looks at the root of the number of inputs in each node, pruned for the
// objective, or one of random cuts. Then nodes are visited in random order, and of these changes the one that lowers
// the objective most is made, if any does: a leaf in place of the node; its low or its high side in place of it;
// another split, both sides kept and rows rerouted; and a split of a leaf. Ends with a round of no change, or between
// nodes as soon as stop() says so.
[[nodiscard]] Descent descend(const LeafJudge& judge, std::span<const RowNumber> learned,
                              const OptimalTreeOptions& options, Rng rng, const std::function<bool()>& stop = {});

// The trees that are best for some complexity among those that come of replacing splits by leaves, the whole tree
// first: each is the best from its complexity up to that of the next (weakest links, Breiman et al. 1984).
struct PrunedTree {
    double complexity = 0;
    SearchTree tree;
};
[[nodiscard]] std::vector<PrunedTree> weakest_links(const SearchTree& tree, const LeafJudge& judge);

}  // namespace polyrx
