// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/optimal/optimal_change.hpp"

#include <array>
#include <limits>
#include <utility>

#include "polyrx/baselines/optimal/preorder.hpp"

namespace polyrx {

ChangingTree::ChangingTree(const LeafJudge& judge, std::span<const RowNumber> rows, double split_cost)
    : judge_(judge), data_(judge.data()), split_cost_(split_cost), nodes_(1), parents_{-1} {
    nodes_[0].rows.assign(rows.begin(), rows.end());
}

std::vector<int> ChangingTree::below(int node) const {
    std::vector<int> list;
    std::vector<int> pending = {node};
    while (!pending.empty()) {
        const int next = pending.back();
        pending.pop_back();
        list.push_back(next);
        if (this->node(next).is_leaf()) continue;
        pending.push_back(this->node(next).high);
        pending.push_back(this->node(next).low);
    }
    return list;
}

bool ChangingTree::is_live(int node) const {
    for (int above = parent_of(node); above >= 0; node = above, above = parent_of(node))
        if (this->node(above).low != node && this->node(above).high != node) return false;
    return node == 0;
}

int ChangingTree::depth_of(int node) const {
    int depth = 0;
    while ((node = parent_of(node)) >= 0) ++depth;
    return depth;
}

SearchTree ChangingTree::taken() && {
    SearchTree tree;
    for (const int number : below(0)) tree.nodes.push_back(std::move(at(number)));
    link_preorder(tree.nodes);
    return tree;
}

const LeafFit& ChangingTree::fit_of(int node) {
    SearchNode& of = at(node);
    if (!of.fit_known) of.fit = judge_.fit(of.rows);
    of.fit_known = true;
    return of.fit;
}

double ChangingTree::cost_below(int node) {
    double sum = 0;
    for (const int each : below(node)) {
        if (!at(each).is_leaf()) {
            sum += split_cost_;
            continue;
        }
        const LeafFit& fit = fit_of(each);
        if (!fit.admissible) return std::numeric_limits<double>::infinity();
        sum += fit.cost;
    }
    return sum;
}

void ChangingTree::become_leaf(int node) {
    at(node).low = at(node).high = -1;
    at(node).split = {};
}

void ChangingTree::divide(int node, const OptimalSplit& split) {
    const int low = static_cast<int>(nodes_.size());
    nodes_.resize(nodes_.size() + 2);
    parents_.resize(nodes_.size(), node);
    at(node).split = split;
    at(node).low = low;
    at(node).high = low + 1;
    for (const RowNumber row : at(node).rows) at(split.goes_high(data_, row) ? low + 1 : low).rows.push_back(row);
}

void ChangingTree::split_anew(int node, const OptimalSplit& split) {
    at(node).split = split;
    reroute(node);
}

void ChangingTree::replace_by(int node, int side) {
    at(node).split = at(side).split;
    at(node).low = at(side).low;
    at(node).high = at(side).high;
    if (at(node).is_leaf()) return;
    parent_of(at(node).low) = parent_of(at(node).high) = node;
    reroute(node);
}

void ChangingTree::reroute(int node) {
    std::vector<int> pending = {node};
    while (!pending.empty()) {
        const int next = pending.back();
        pending.pop_back();
        if (at(next).is_leaf()) continue;
        std::array<std::vector<RowNumber>, 2> sides;
        for (const RowNumber row : at(next).rows) sides[at(next).split.goes_high(data_, row) ? 1 : 0].push_back(row);
        for (const std::size_t side : {0U, 1U}) {
            const int child = side == 0 ? at(next).low : at(next).high;
            SearchNode& to = at(child);
            if (to.rows == sides[side]) continue;
            to.rows = std::move(sides[side]);
            to.fit_known = to.settled = false;
            pending.push_back(child);
        }
    }
}

void ChangingTree::unsettle(int node) {
    for (; node >= 0; node = parent_of(node)) at(node).settled = false;
}

ChangingTree::Saved ChangingTree::save(int node) const {
    Saved saved{below(node), {}, {}, nodes_.size()};
    for (const int each : saved.numbers) {
        saved.nodes.push_back(this->node(each));
        saved.parents.push_back(parent_of(each));
    }
    return saved;
}

void ChangingTree::restore(const Saved& saved) {
    nodes_.resize(saved.size);
    parents_.resize(saved.size);
    for (std::size_t i = 0; i < saved.numbers.size(); ++i) {
        at(saved.numbers[i]) = saved.nodes[i];
        parent_of(saved.numbers[i]) = saved.parents[i];
    }
}

}  // namespace polyrx
