// SPDX-License-Identifier: Apache-2.0
// A tree while it is changed: nodes keep their numbers, and those that fall away stay unused.
#pragma once

#include "polyrx/baselines/optimal/optimal_search.hpp"

namespace polyrx {

class ChangingTree {
public:
    // A leaf of these rows. A split costs so much.
    ChangingTree(const LeafJudge& judge, std::span<const RowNumber> rows, double split_cost);

    [[nodiscard]] const SearchNode& node(int number) const { return nodes_[static_cast<std::size_t>(number)]; }
    [[nodiscard]] std::size_t numbers() const { return nodes_.size(); }  // all that were ever given
    // A node, and all below it: a node before its low and then its high side.
    [[nodiscard]] std::vector<int> below(int node) const;
    [[nodiscard]] bool is_live(int node) const;
    [[nodiscard]] int depth_of(int node) const;
    [[nodiscard]] SearchTree taken() &&;

    // As one leaf, whatever is below it.
    [[nodiscard]] const LeafFit& fit_of(int node);
    // Of leaves and splits, infinite if a leaf is not admissible.
    [[nodiscard]] double cost_below(int node);

    void become_leaf(int node);
    // A leaf becomes a split with two leaves.
    void divide(int node, const OptimalSplit& split);
    // Another split with the same sides.
    void split_anew(int node, const OptimalSplit& split);
    // A side takes the node's place, and its number.
    void replace_by(int node, int side);

    // Nothing better was found; or something has changed here, which concerns all above.
    void settle(int node) { at(node).settled = true; }
    void unsettle(int node);

    // What a change of a node may touch, to undo it.
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
    // Sends the rows of the node down anew. Where the same rows arrive, all stays as it is.
    void reroute(int node);

    const LeafJudge& judge_;
    const OptimalRows& data_;
    double split_cost_;
    std::vector<SearchNode> nodes_;
    std::vector<int> parents_;
};

}  // namespace polyrx
