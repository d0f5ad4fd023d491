// SPDX-License-Identifier: Apache-2.0
// The search for optimal trees: starts from a random greedy tree and improves one node at a time until no change helps.
#pragma once

#include <functional>

#include "polyrx/baselines/optimal/optimal_leaf.hpp"
#include "polyrx/baselines/optimal/optimal_split.hpp"
#include "polyrx/core/rng.hpp"

namespace polyrx {

// In the units of OptimalRows, with the rows that the tree was learned from.
struct SearchNode {
    OptimalSplit split;
    int low = -1;
    int high = -1;
    std::vector<RowNumber> rows;  // ascending
    LeafFit fit;                  // set for leaves; for splits only if computed
    bool fit_known = false;
    bool settled = false;  // no better change was found, and nothing changed above or below since

    [[nodiscard]] bool is_leaf() const { return low < 0; }
};

struct SearchTree {
    std::vector<SearchNode> nodes;  // the root first; a node before its low and then its high side
};

[[nodiscard]] int leaf_of(const SearchTree& tree, const OptimalRows& data, RowNumber row);
[[nodiscard]] std::size_t split_count(const SearchTree& tree);

// Cost of the leaves per weight of their rows, plus the cost of splits.
[[nodiscard]] double objective_of(const SearchTree& tree, const LeafJudge& judge, double complexity);
// Cost of the tree's leaves on other rows, per weight, without the cost of splits.
[[nodiscard]] double cost_on(const SearchTree& tree, const LeafJudge& judge, std::span<const RowNumber> rows);

struct Descent {
    SearchTree tree;
    double objective = 0;
    std::vector<double> trace;  // objective at the start and after every change
};

// The start is random: either a greedy tree that considers sqrt(inputs) inputs per node, pruned for the objective, or a
// tree of random cuts. Then the search visits nodes in random order and makes the change that lowers the objective
// most, if any does:
// - replace the node by a leaf, its low side, or its high side;
// - change its split, keep both sides, and reroute the rows;
// - split a leaf.
// It ends after a round without a change, or between nodes when stop() returns true.
[[nodiscard]] Descent descend(const LeafJudge& judge, std::span<const RowNumber> learned,
                              const OptimalTreeOptions& options, Rng rng, const std::function<bool()>& stop = {});

// The pruned trees that are optimal for some complexity, the whole tree first. Each is optimal from its complexity up
// to that of the next (weakest links, Breiman et al. 1984).
struct PrunedTree {
    double complexity = 0;
    SearchTree tree;
};
[[nodiscard]] std::vector<PrunedTree> weakest_links(const SearchTree& tree, const LeafJudge& judge);

}  // namespace polyrx
