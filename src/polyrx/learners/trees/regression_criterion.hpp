// SPDX-License-Identifier: Apache-2.0
// Splits that minimize the squared error around the means of both sides (CART).
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "polyrx/learners/trees/grow_axis_tree.hpp"

namespace polyrx {

class RegressionCriterion {
public:
    // In the order of the sample. Each side keeps at least `leaf_rows` rows.
    struct Target {
        double weight = 1;
        double weighted = 0;  // weight * target
    };

    struct Tally {
        double weight = 0;
        double sum = 0;
        std::size_t rows = 0;
    };

    RegressionCriterion(std::vector<Target> targets, std::size_t leaf_rows)
        : targets_(std::move(targets)), leaf_rows_(leaf_rows) {}

    void move(std::size_t first, std::span<const Position> from) { move_along(targets_, first, from); }
    bool enter(std::span<const Position> rows) {
        total_ = {};
        double lowest = std::numeric_limits<double>::infinity();
        double highest = -lowest;
        for (const Position row : rows) {
            add(total_, row);
            const double target = targets_[row].weighted / targets_[row].weight;
            lowest = std::min(lowest, target);
            highest = std::max(highest, target);
        }
        return lowest < highest;
    }
    [[nodiscard]] Tally nothing() const { return {}; }
    void add(Tally& tally, Position row) const {
        tally.weight += targets_[row].weight;
        tally.sum += targets_[row].weighted;
        ++tally.rows;
    }
    void join(Tally& tally, const Tally& other) const {
        tally.weight += other.weight;
        tally.sum += other.sum;
        tally.rows += other.rows;
    }
    // The squared error is a constant of the node minus this.
    [[nodiscard]] double gain(const Tally& left) const {
        if (left.rows < leaf_rows_ || total_.rows - left.rows < leaf_rows_) return not_admissible;
        const double weight = total_.weight - left.weight;
        const double sum = total_.sum - left.sum;
        return (left.sum * left.sum * weight + sum * sum * left.weight) / (left.weight * weight);
    }
    // A split without a gain may enable one with a gain.
    [[nodiscard]] double least_gain() const { return not_admissible; }
    [[nodiscard]] double order_of(const Tally& tally) const { return tally.sum / tally.weight; }
    void close(int node, std::span<const Position>) {
        if (means.size() <= static_cast<std::size_t>(node)) means.resize(static_cast<std::size_t>(node) + 1);
        means[static_cast<std::size_t>(node)] = order_of(total_);
    }

    std::vector<double> means;  // per node, only for leaves

private:
    std::vector<Target> targets_;
    std::size_t leaf_rows_;
    Tally total_;
};

}  // namespace polyrx
