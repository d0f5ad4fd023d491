// SPDX-License-Identifier: Apache-2.0
// A tree under modification: nodes keep their numbers, and removed nodes stay unused.
#pragma once

#include "polyrx/baselines/optimal/optimal_search.hpp"

namespace polyrx {

class ChangingTree {
public:
    // One leaf with these rows. `split_cost` is the cost per split.
    ChangingTree(const LeafJudge& judge, std::span<const RowNumber> rows, double split_cost);

    [[nodiscard]] const SearchNode& node(int number) const { return nodes_[static_cast<std::size_t>(number)]; }
    [[nodiscard]] std::size_t numbers() const { return nodes_.size(); }  // including unused ones
    // The node and all below it, in preorder (low side before high side).
    [[nodiscard]] std::vector<int> below(int node) const;
    [[nodiscard]] bool is_live(int node) const;
    [[nodiscard]] int depth_of(int node) const;
    [[nodiscard]] SearchTree taken() &&;

    // Fits the node as one leaf, regardless of what is below it.
    [[nodiscard]] const LeafFit& fit_of(int node);
    // Of leaves and splits; infinite if a leaf is not admissible.
    [[nodiscard]] double cost_below(int node);

    void become_leaf(int node);
    // Turns a leaf into a split with two leaves.
    void divide(int node, const OptimalSplit& split);
    // Changes the split and keeps its sides.
    void split_anew(int node, const OptimalSplit& split);
    // Puts a side in the node's place, under the node's number.
    void replace_by(int node, int side);

    // settle: no better change was found at the node. unsettle: the node changed, which affects all nodes above.
    void settle(int node) { at(node).settled = true; }
    void unsettle(int node);

    // The parts that a change of a node may touch, for undoing it.
    struct Saved {
        std::vector<int> numbers;
        std::vector<SearchNode> nodes;
        std::vector<int> parents;
        std::size_t size = 0;
    };
    [[nodiscard]] Saved save(int node) const;
    void restore(const Saved& saved);

private:
    [[nodiscard]] SearchNode& at(int node) { return nodes_[static_cast<std::size_t>(node)]; }
    [[nodiscard]] int& parent_of(int node) { return parents_[static_cast<std::size_t>(node)]; }
    [[nodiscard]] int parent_of(int node) const { return parents_[static_cast<std::size_t>(node)]; }
    // Sends the node's rows down again. Subtrees that receive the same rows stay unchanged.
    void reroute(int node);

    const LeafJudge& judge_;
    const OptimalRows& data_;
    double split_cost_;
    std::vector<SearchNode> nodes_;
    std::vector<int> parents_;
};

}  // namespace polyrx
