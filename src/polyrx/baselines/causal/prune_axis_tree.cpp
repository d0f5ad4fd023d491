// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/causal/prune_axis_tree.hpp"

#include <algorithm>
#include <limits>

namespace polyrx {
namespace {

std::size_t left_of(const AxisTree& tree, std::size_t node) {
    return static_cast<std::size_t>(tree.nodes[node].left());
}

// The leaves below a node: the sum of their worth, and their number.
struct Branch {
    double worth = 0;
    double leaves = 1;
};

// The remaining nodes and their branches, as the weakest links are collapsed one after the other.
class ShrinkingTree {
public:
    ShrinkingTree(const AxisTree& tree, std::span<const double> worth)
        : tree_(tree), worth_(worth), branches_(worth.size()), links_(worth.size()), parents_(worth.size()) {
        for (std::size_t node = worth.size(); node-- > 0;) {
            branches_[node].worth = worth[node];
            links_[node] = never;
            if (tree.nodes[node].is_leaf()) continue;
            const std::size_t left = left_of(tree, node);
            parents_[left] = parents_[left + 1] = node;
            branches_[node] = {branches_[left].worth + branches_[left + 1].worth,
                               branches_[left].leaves + branches_[left + 1].leaves};
            links_[node] = link_of(node);
        }
    }

    [[nodiscard]] bool is_root() const { return branches_.front().leaves == 1; }

    // Collapses the weakest link and returns its price.
    double shrink() {
        const auto weakest = static_cast<std::size_t>(std::ranges::min_element(links_) - links_.begin());
        const double price = links_[weakest];
        const double worth = worth_[weakest] - branches_[weakest].worth;
        const double leaves = 1 - branches_[weakest].leaves;
        forget_below(weakest);
        branches_[weakest] = {worth_[weakest], 1};
        for (std::size_t node = weakest; node != 0;) {
            node = parents_[node];
            branches_[node].worth += worth;
            branches_[node].leaves += leaves;
            links_[node] = link_of(node);
        }
        return price;
    }

private:
    static constexpr double never = std::numeric_limits<double>::infinity();

    // The price per leaf above which this node is better as a leaf.
    [[nodiscard]] double link_of(std::size_t node) const {
        return (branches_[node].worth - worth_[node]) / (branches_[node].leaves - 1);
    }
    void forget_below(std::size_t top) {
        std::vector<std::size_t> nodes = {top};
        while (!nodes.empty()) {
            const std::size_t node = nodes.back();
            nodes.pop_back();
            if (links_[node] == never) continue;  // already a leaf
            links_[node] = never;
            nodes.push_back(left_of(tree_, node));
            nodes.push_back(left_of(tree_, node) + 1);
        }
    }

    const AxisTree& tree_;
    std::span<const double> worth_;
    std::vector<Branch> branches_;
    std::vector<double> links_;  // `never` for leaves
    std::vector<std::size_t> parents_;
};

}  // namespace

std::vector<char> leaves_at_price(const AxisTree& tree, std::span<const double> worth, double price) {
    std::vector<char> is_leaf(tree.nodes.size(), 1);
    std::vector<Branch> best(tree.nodes.size());
    for (std::size_t node = tree.nodes.size(); node-- > 0;) {
        best[node].worth = worth[node];
        if (tree.nodes[node].is_leaf()) continue;
        const std::size_t left = left_of(tree, node);
        const Branch branch = {best[left].worth + best[left + 1].worth, best[left].leaves + best[left + 1].leaves};
        if (branch.worth - worth[node] <= price * (branch.leaves - 1)) continue;
        best[node] = branch;
        is_leaf[node] = 0;
    }
    // Nodes below a leaf are not part of the best tree.
    std::vector<char> is_part(tree.nodes.size());
    is_part[0] = 1;
    for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
        if (!tree.nodes[node].is_leaf() && is_part[node] && !is_leaf[node])
            is_part[left_of(tree, node)] = is_part[left_of(tree, node) + 1] = 1;
        if (!is_part[node]) is_leaf[node] = 0;
    }
    return is_leaf;
}

std::vector<double> weakest_links(const AxisTree& tree, std::span<const double> worth) {
    ShrinkingTree shrinking(tree, worth);
    std::vector<double> prices;
    while (!shrinking.is_root()) {
        const double price = std::max(0.0, shrinking.shrink());
        if (prices.empty() || price > prices.back()) prices.push_back(price);
    }
    return prices;
}

AxisTree pruned(const AxisTree& tree, std::span<const char> is_leaf) {
    AxisTree result{{AxisNode{}}, {}};
    std::vector<std::size_t> origin = {0};
    for (std::size_t node = 0; node < origin.size(); ++node) {
        if (is_leaf[origin[node]]) continue;
        AxisSplit split = tree.nodes[origin[node]].split();
        if (split.set >= 0) {
            result.sets.push_back(tree.sets[static_cast<std::size_t>(split.set)]);
            split.set = static_cast<int>(result.sets.size()) - 1;
        }
        const std::size_t left = left_of(tree, origin[node]);
        result.nodes[node] = {split, static_cast<int>(result.nodes.size())};
        result.nodes.resize(result.nodes.size() + 2);
        origin.push_back(left);
        origin.push_back(left + 1);
    }
    return result;
}

}  // namespace polyrx
