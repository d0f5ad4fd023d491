// SPDX-License-Identifier: Apache-2.0
// The splits of causal forests (Athey, Tibshirani & Wager 2019). At each node, the outcome of a row is replaced by its
// influence on the node's effect (its pull). A split maximizes the difference of pulls between its sides.
//
// With residuals T of the treatment and Y of the outcome, and b the slope of Y over T in the node, the pull is
//
//     r = (T - mean T) (Y - mean Y - b (T - mean T)) / Var T.
//
// A split is worth the sum over its sides of (sum r)^2 / n. With weights, all sums are weighted and n is the weight.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "polyrx/baselines/causal/residual_sums.hpp"
#include "polyrx/learners/trees/grow_axis_tree.hpp"

namespace polyrx {

class RelabeledCriterion {
public:
    // In the order of the sample.
    struct Row {
        double weight = 1;
        double treatment = 0;
        double outcome = 0;
        bool estimates = false;  // an estimation row; otherwise a structure row
    };

    struct Tally {
        double weight = 0;
        double pull = 0;
        std::array<std::uint32_t, 2> rows = {};  // of the structure half, of the estimation half
    };

    struct Limits {
        std::size_t leaf_rows = 5;  // minimum per side, in each half
        double least_share = 0.05;  // minimum share of the node's rows per side, in each half
        double least_variance = 0;  // of the treatment, in a node that may be split
    };

    RelabeledCriterion(std::vector<Row> rows, const Limits& limits)
        : rows_(std::move(rows)), limits_(limits), pulls_(rows_.size()) {}

    void move(std::size_t first, std::span<const Position> from) { move_along(rows_, first, from); }
    bool enter(std::span<const Position> rows) {
        ResidualSums sums;
        std::array<std::size_t, 2> count = {};
        for (const Position at : rows) {
            const Row& row = rows_[at];
            ++count[row.estimates ? 1 : 0];
            if (!row.estimates) sums.add(row.weight, row.treatment, row.outcome);
        }
        for (std::size_t half = 0; half < 2; ++half) {
            if (count[half] < 2 * limits_.leaf_rows) return false;
            least_[half] = std::max(static_cast<double>(limits_.leaf_rows),
                                    limits_.least_share * static_cast<double>(count[half]));
        }
        const double variance = sums.variance();
        if (!(variance > limits_.least_variance)) return false;
        const double slope = sums.slope();
        const double mean_treatment = sums.treatment / sums.weight;
        const double mean_outcome = sums.outcome / sums.weight;
        total_ = {};
        for (const Position at : rows) {
            const Row& row = rows_[at];
            const double t = row.treatment - mean_treatment;
            const double pull = t * (row.outcome - mean_outcome - slope * t) / variance;
            pulls_[at] = row.estimates ? Pull{0, 0, 1} : Pull{row.weight, row.weight * pull, 0};
            add(total_, at);
        }
        return true;
    }
    [[nodiscard]] Tally nothing() const { return {}; }
    void add(Tally& tally, Position at) const {
        const Pull& pull = pulls_[at];
        tally.weight += pull.weight;
        tally.pull += pull.weighted;
        ++tally.rows[pull.half];
    }
    void join(Tally& tally, const Tally& other) const {
        tally.weight += other.weight;
        tally.pull += other.pull;
        for (std::size_t half = 0; half < 2; ++half) tally.rows[half] += other.rows[half];
    }
    [[nodiscard]] double gain(const Tally& left) const {
        for (std::size_t half = 0; half < 2; ++half)
            if (left.rows[half] < least_[half] || total_.rows[half] - left.rows[half] < least_[half])
                return not_admissible;
        const double weight = total_.weight - left.weight;
        const double pull = total_.pull - left.pull;
        return left.pull * left.pull / left.weight + pull * pull / weight;
    }
    // The pulls of a node sum to 0, so every split is worth at least 0.
    [[nodiscard]] double least_gain() const { return 0; }
    // A category without structure rows has no pull.
    [[nodiscard]] double order_of(const Tally& tally) const { return tally.weight > 0 ? tally.pull / tally.weight : 0; }
    void close(int node, std::span<const Position> rows) {
        if (leaves.size() <= static_cast<std::size_t>(node)) leaves.resize(static_cast<std::size_t>(node) + 1);
        for (const Position at : rows)
            if (const Row& row = rows_[at]; row.estimates)
                leaves[static_cast<std::size_t>(node)].add(row.weight, row.treatment, row.outcome);
    }

    std::vector<ResidualSums> leaves;  // per node: sums over the estimation rows

private:
    struct Pull {
        double weight = 0;
        double weighted = 0;
        std::uint32_t half = 0;
    };

    std::vector<Row> rows_;
    Limits limits_;
    std::vector<Pull> pulls_;  // of the node's rows
    std::array<double, 2> least_ = {};
    Tally total_;
};

}  // namespace polyrx
