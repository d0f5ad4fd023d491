// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "polyrx/baselines/optimal/optimal_search.hpp"
#include "polyrx/baselines/optimal/preorder.hpp"

namespace polyrx {
namespace {

// The tree that remains if some nodes become leaves, without rows.
SearchTree kept(const SearchTree& tree, const std::vector<char>& is_leaf) {
    SearchTree left;
    std::vector<std::size_t> pending = {0};
    while (!pending.empty()) {
        const std::size_t from = pending.back();
        pending.pop_back();
        SearchNode& node = left.nodes.emplace_back();
        node.fit = tree.nodes[from].fit;
        node.fit_known = true;
        if (is_leaf[from] != 0) continue;
        node.split = tree.nodes[from].split;
        node.low = tree.nodes[from].low;
        pending.push_back(static_cast<std::size_t>(tree.nodes[from].high));
        pending.push_back(static_cast<std::size_t>(tree.nodes[from].low));
    }
    link_preorder(left.nodes);
    return left;
}

}  // namespace

std::vector<PrunedTree> weakest_links(const SearchTree& tree, const LeafJudge& judge) {
    SearchTree whole = tree;
    std::vector<char> is_leaf;
    for (SearchNode& node : whole.nodes) {
        if (!node.fit_known) node.fit = judge.fit(node.rows);
        is_leaf.push_back(node.is_leaf() ? 1 : 0);
    }
    std::vector<PrunedTree> sequence = {{0, kept(whole, is_leaf)}};
    std::vector<double> cost(whole.nodes.size());  // cost below a node after pruning
    std::vector<std::size_t> splits(whole.nodes.size());
    while (is_leaf[0] == 0) {
        double weakest = std::numeric_limits<double>::infinity();
        std::vector<double> strength(whole.nodes.size(), weakest);
        for (std::size_t node = whole.nodes.size(); node-- > 0;) {  // children before parents
            const SearchNode& of = whole.nodes[node];
            cost[node] = of.fit.cost;
            splits[node] = 0;
            if (is_leaf[node] != 0) continue;
            const auto low = static_cast<std::size_t>(of.low);
            const auto high = static_cast<std::size_t>(of.high);
            splits[node] = 1 + splits[low] + splits[high];
            cost[node] = cost[low] + cost[high];
            strength[node] = (of.fit.cost - cost[node]) / static_cast<double>(splits[node]) / judge.weight();
            weakest = std::min(weakest, strength[node]);
        }
        // Nodes below a new leaf are no longer part of the tree and must not count.
        for (std::size_t node = 0; node < whole.nodes.size(); ++node) {
            if (is_leaf[node] == 0 && strength[node] <= weakest) is_leaf[node] = 1;
            if (is_leaf[node] != 0 && !whole.nodes[node].is_leaf())
                is_leaf[static_cast<std::size_t>(whole.nodes[node].low)] =
                    is_leaf[static_cast<std::size_t>(whole.nodes[node].high)] = 1;
        }
        const double complexity = std::max(weakest, sequence.back().complexity);
        sequence.push_back({complexity, kept(whole, is_leaf)});
    }
    return sequence;
}

}  // namespace polyrx
