// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/optimal/optimal_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "polyrx/baselines/optimal/optimal_change.hpp"
#include "polyrx/baselines/optimal/optimal_hyperplane.hpp"

namespace polyrx {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Relative to outcomes with deviation 1. Differences due to summation order are smaller.
constexpr double least_gain = 1e-10;
constexpr int random_directions = 5;
// For linear leaves the fork's costs are estimates. This number of changes is therefore evaluated with refitted leaves,
// and the best is kept.
constexpr std::size_t changes_tried = 3;

enum class Change { leaf, low_side, high_side, split };

struct Proposal {
    double cost = infinite;  // estimated by the fork, including splits
    Change change = Change::split;
    OptimalSplit split;
};

class Searcher {
public:
    Searcher(const LeafJudge& judge, std::span<const RowNumber> learned, const OptimalTreeOptions& options, Rng rng)
        : judge_(judge),
          data_(judge.data()),
          options_(options),
          rng_(rng),
          split_cost_(options.complexity * judge.weight()),
          least_gain_(least_gain * judge.weight()),
          tree_(judge, learned, split_cost_) {}

    [[nodiscard]] Descent run(const std::function<bool()>& stop) {
        const bool greedy = rng_.bernoulli(0.5);
        grow(greedy);
        if (greedy) prune();
        Descent descent;
        descent.trace.push_back(tree_.cost_below(0) / judge_.weight());
        for (bool changed = true; changed;) {
            changed = false;
            std::vector<int> order = tree_.below(0);
            rng_.shuffle(std::span(order));
            for (const int node : order) {
                if (stop && stop()) break;
                if (!tree_.is_live(node) || tree_.node(node).settled) continue;
                if (!improve(node)) {
                    tree_.settle(node);
                    continue;
                }
                tree_.unsettle(node);
                changed = true;
                descent.trace.push_back(tree_.cost_below(0) / judge_.weight());
            }
            if (stop && stop()) break;
        }
        descent.objective = descent.trace.back();
        descent.tree = std::move(tree_).taken();
        return descent;
    }

private:
    static std::size_t at(int node) { return static_cast<std::size_t>(node); }

    // ---- start

    void grow(bool greedy) {
        std::vector<int> inputs(at(data_.inputs()));
        std::iota(inputs.begin(), inputs.end(), 0);
        const auto looked_at = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(inputs.size()))));
        std::vector<int> pending = {0};
        while (!pending.empty()) {
            const int node = pending.back();
            pending.pop_back();
            if (is_deepest(node)) continue;
            rng_.shuffle(std::span(inputs));
            const std::optional<OptimalSplit> split =
                greedy ? greedy_split(tree_.node(node).rows, std::span(inputs).first(looked_at))
                       : random_split(tree_.node(node).rows, inputs);
            if (!split) continue;
            tree_.divide(node, *split);
            pending.push_back(tree_.node(node).high);
            pending.push_back(tree_.node(node).low);
        }
    }
    // Uses the cost of constant leaves for all kinds of leaves: it is only a start.
    [[nodiscard]] std::optional<OptimalSplit> greedy_split(std::span<const RowNumber> rows,
                                                           std::span<const int> inputs) const {
        FoundSplit best;
        if (static_cast<double>(rows.size()) < 2 * judge_.leaf_rows()) return std::nullopt;
        Fork<OptimalLeaves::constant> fork(judge_, two_leaves(rows));
        const NodeColumns columns(data_, rows);
        for (const int input : inputs) try_cuts(fork, columns.of(input), input, best);
        return best.cost < infinite ? std::optional(best.split) : std::nullopt;
    }
    // A cut between the values of two random rows, on the first input where it is admissible.
    [[nodiscard]] std::optional<OptimalSplit> random_split(std::span<const RowNumber> rows,
                                                           std::span<const int> inputs) {
        if (static_cast<double>(rows.size()) < 2 * judge_.leaf_rows()) return std::nullopt;
        for (const int input : inputs) {
            const double one = data_.value(rows[rng_.below(rows.size())], input);
            const double other = data_.value(rows[rng_.below(rows.size())], input);
            OptimalSplit split{{{input, 1}}, 0};
            if (!cut_between(std::min(one, other), std::max(one, other), split.threshold)) continue;
            std::vector<RowNumber> sides[2];
            for (const RowNumber row : rows) sides[split.goes_high(data_, row) ? 1 : 0].push_back(row);
            if (judge_.is_admissible(sides[0]) && judge_.is_admissible(sides[1])) return split;
        }
        return std::nullopt;
    }
    [[nodiscard]] static ForkedRows two_leaves(std::span<const RowNumber> rows) {
        return {rows, std::vector<int>(rows.size(), 0), std::vector<int>(rows.size(), 1), 2, {}};
    }
    [[nodiscard]] bool is_deepest(int node) const {
        return options_.depth > 0 && tree_.depth_of(node) >= options_.depth;
    }

    // Bottom-up: collapses splits that are not worth their cost.
    void prune() {
        std::vector<double> cost(tree_.numbers());
        std::vector<int> order = tree_.below(0);
        std::ranges::reverse(order);
        for (const int node : order) {
            const LeafFit& fit = tree_.fit_of(node);
            cost[at(node)] = fit.admissible ? fit.cost : infinite;
            if (tree_.node(node).is_leaf()) continue;
            const double split = split_cost_ + cost[at(tree_.node(node).low)] + cost[at(tree_.node(node).high)];
            if (split < cost[at(node)] - least_gain_)
                cost[at(node)] = split;
            else
                tree_.become_leaf(node);
        }
    }

    // ---- changes

    void make(int node, const Proposal& proposal) {
        switch (proposal.change) {
            case Change::leaf:
                tree_.become_leaf(node);
                break;
            case Change::low_side:
                tree_.replace_by(node, tree_.node(node).low);
                break;
            case Change::high_side:
                tree_.replace_by(node, tree_.node(node).high);
                break;
            case Change::split:
                if (tree_.node(node).is_leaf())
                    tree_.divide(node, proposal.split);
                else
                    tree_.split_anew(node, proposal.split);
                break;
        }
    }

    // Makes the best change at a node if it lowers the cost. The cost is that of refitted leaves, so the objective
    // never rises.
    bool improve(int node) {
        const double now = tree_.cost_below(node);
        std::vector<Proposal> proposals =
            judge_.is_linear() ? propose<OptimalLeaves::linear>(node) : propose<OptimalLeaves::constant>(node);
        std::erase_if(proposals, [&](const Proposal& each) { return !(each.cost < now - least_gain_); });
        std::ranges::stable_sort(proposals, {}, &Proposal::cost);
        const std::size_t tried = std::min(proposals.size(), judge_.is_linear() ? changes_tried : 1);
        if (tried == 0) return false;
        const ChangingTree::Saved before = tree_.save(node);
        double best_cost = now - least_gain_;
        std::optional<std::size_t> best;
        std::size_t made = 0;
        for (std::size_t i = 0; i < tried; ++i) {
            if (i > 0) tree_.restore(before);
            make(node, proposals[i]);
            made = i;
            const double cost = tree_.cost_below(node);
            if (!(cost < best_cost)) continue;
            best_cost = cost;
            best = i;
        }
        if (best && *best == made) return true;
        tree_.restore(before);
        if (best) make(node, proposals[*best]);
        return best.has_value();
    }

    // ---- proposals

    // The leaf of each row in the subtree below a node; leaves are numbered from `leaves` on.
    void find_leaves(int top, const std::vector<RowNumber>& rows, std::vector<int>& leaf, ForkedRows& forked) {
        std::vector<int> number(tree_.numbers(), -1);
        for (const int each : tree_.below(top)) {
            if (!tree_.node(each).is_leaf()) continue;
            number[at(each)] = forked.leaves++;
            forked.fits.push_back(&tree_.fit_of(each));
        }
        leaf.reserve(rows.size());
        for (const RowNumber row : rows) {
            int node = top;
            while (!tree_.node(node).is_leaf())
                node = tree_.node(node).split.goes_high(data_, row) ? tree_.node(node).high : tree_.node(node).low;
            leaf.push_back(number[at(node)]);
        }
    }

    template <OptimalLeaves kind>
    std::vector<Proposal> propose(int node) {
        std::vector<Proposal> proposals;
        const bool was_leaf = tree_.node(node).is_leaf();
        if (was_leaf &&
            (is_deepest(node) || static_cast<double>(tree_.node(node).rows.size()) < 2 * judge_.leaf_rows()))
            return proposals;
        const std::vector<RowNumber>& rows = tree_.node(node).rows;
        ForkedRows forked;
        double splits = 1;
        double low_splits = 0;
        int low_leaves = 1;
        if (was_leaf) {
            forked = two_leaves(rows);
            forked.fits.assign(2, &tree_.fit_of(node));
        } else {
            forked.rows = rows;
            find_leaves(tree_.node(node).low, rows, forked.low_leaf, forked);
            low_leaves = forked.leaves;
            find_leaves(tree_.node(node).high, rows, forked.high_leaf, forked);
            splits = forked.leaves - 1;
            low_splits = low_leaves - 1;
        }
        Fork<kind> fork(judge_, std::move(forked));
        if (!was_leaf) {
            const LeafFit& leaf = tree_.fit_of(node);
            if (leaf.admissible) proposals.push_back({leaf.cost, Change::leaf, {}});
            proposals.push_back({fork.cost_of_all(false, low_leaves) + low_splits * split_cost_, Change::low_side, {}});
            proposals.push_back(
                {fork.cost_of_all(true, low_leaves) + (splits - 1 - low_splits) * split_cost_, Change::high_side, {}});
        }
        const NodeColumns columns(data_, rows);
        FoundSplit best;
        for (int input = 0; input < data_.inputs(); ++input) {
            FoundSplit found;
            try_cuts(fork, columns.of(input), input, found);
            if (found.cost < infinite)
                proposals.push_back({found.cost + splits * split_cost_, Change::split, found.split});
            if (found.cost < best.cost) best = found;
        }
        if (options_.splits == OptimalSplits::axis) return proposals;
        Hyperplane<kind> plane(data_, fork, columns, least_gain_);
        const auto propose_improved = [&](const OptimalSplit& from) {
            FoundSplit found = plane.improved(from, rng_);
            if (found.cost < infinite)
                proposals.push_back({found.cost + splits * split_cost_, Change::split, std::move(found.split)});
        };
        if (!was_leaf) propose_improved(tree_.node(node).split);
        if (best.cost < infinite) propose_improved(best.split);
        for (int i = 0; i < random_directions; ++i) propose_improved(plane.random_direction(rng_));
        return proposals;
    }

    const LeafJudge& judge_;
    const OptimalRows& data_;
    const OptimalTreeOptions& options_;
    Rng rng_;
    double split_cost_;
    double least_gain_;
    ChangingTree tree_;
};

}  // namespace

int leaf_of(const SearchTree& tree, const OptimalRows& data, RowNumber row) {
    int node = 0;
    while (!tree.nodes[static_cast<std::size_t>(node)].is_leaf()) {
        const SearchNode& of = tree.nodes[static_cast<std::size_t>(node)];
        node = of.split.goes_high(data, row) ? of.high : of.low;
    }
    return node;
}

std::size_t split_count(const SearchTree& tree) {
    return tree.nodes.size() / 2;
}

double objective_of(const SearchTree& tree, const LeafJudge& judge, double complexity) {
    double sum = 0;
    for (const SearchNode& node : tree.nodes)
        if (node.is_leaf()) sum += node.fit.cost;
    return sum / judge.weight() + complexity * static_cast<double>(split_count(tree));
}

double cost_on(const SearchTree& tree, const LeafJudge& judge, std::span<const RowNumber> rows) {
    const OptimalRows& data = judge.data();
    double sum = 0;
    double weight = 0;
    for (const RowNumber row : rows) {
        const LeafFit& leaf = tree.nodes[static_cast<std::size_t>(leaf_of(tree, data, row))].fit;
        const int given = data.treatment[row];
        const double y = data.outcome[row];
        const double expected = given == leaf.treatment ? y : leaf.predicted(data, row, leaf.treatment);
        const double error = y - leaf.predicted(data, row, given);
        sum += data.weight[row] * (judge.mu() * expected + (1 - judge.mu()) * error * error);
        weight += data.weight[row];
    }
    return sum / weight;
}

Descent descend(const LeafJudge& judge, std::span<const RowNumber> learned, const OptimalTreeOptions& options, Rng rng,
                const std::function<bool()>& stop) {
    return Searcher(judge, learned, options, rng).run(stop);
}

}  // namespace polyrx
