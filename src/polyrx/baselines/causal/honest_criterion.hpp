// SPDX-License-Identifier: Apache-2.0
// The honest criterion of causal trees (Athey & Imbens 2016): splits maximize the differences of effects between
// leaves, less the variance of estimating them.
//
// In a sample of N rows with treated share p, a leaf with N_l rows, effect t (treated minus control mean) and arm
// variances S1, S0 is worth
//
//     N_l/N t^2 - (1/N + 1/N_est) (S1/p + S0/(1-p)),
//
// where N_est is the number of separate rows that will estimate the leaf's effect. With weights, N_l/N and p are shares
// of the weight, means are weighted, and S is n/(n-1) sum w (y - mean)^2 / sum w with n rows of the arm. N and N_est
// remain counts of rows.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "polyrx/learners/trees/grow_axis_tree.hpp"

namespace polyrx {

struct ArmSums {
    double weight = 0;
    double sum = 0;      // of weight * outcome
    double squares = 0;  // of weight * outcome^2
    std::size_t rows = 0;

    void add(double w, double outcome) {
        weight += w;
        sum += w * outcome;
        squares += w * outcome * outcome;
        ++rows;
    }
    void add(const ArmSums& other) {
        weight += other.weight;
        sum += other.sum;
        squares += other.squares;
        rows += other.rows;
    }
    [[nodiscard]] double mean() const { return sum / weight; }
    [[nodiscard]] double variance() const {  // needs at least two rows
        return std::max(0.0, squares / weight - mean() * mean()) * static_cast<double>(rows) /
               static_cast<double>(rows - 1);
    }
};
using BothArms = std::array<ArmSums, 2>;  // control, treated

// The worth of leaves according to a sample.
class HonestWorth {
public:
    HonestWorth() = default;
    // The whole sample must have rows of both arms.
    HonestWorth(const BothArms& all, std::size_t estimation_rows)
        : weight_(all[0].weight + all[1].weight),
          cost_(1 / static_cast<double>(all[0].rows + all[1].rows) + 1 / static_cast<double>(estimation_rows)),
          share_{all[0].weight / weight_, all[1].weight / weight_},
          // Smaller differences are rounding errors.
          room_(1e-12 * (all[0].squares + all[1].squares) / weight_) {}

    // The leaf must have at least two rows of each arm.
    [[nodiscard]] double of(const BothArms& leaf) const {
        const double effect = leaf[1].mean() - leaf[0].mean();
        return (leaf[0].weight + leaf[1].weight) / weight_ * (effect * effect) -
               cost_ * (leaf[0].variance() / share_[0] + leaf[1].variance() / share_[1]);
    }
    [[nodiscard]] double room() const { return room_; }

private:
    double weight_ = 1;
    double cost_ = 0;
    std::array<double, 2> share_ = {0.5, 0.5};
    double room_ = 0;
};

class HonestCriterion {
public:
    // The criterion uses outcomes of structure rows. Of other rows, it only counts those of each arm on each side.
    enum class Part : std::uint8_t { structure, estimation, held_out };
    static constexpr std::size_t parts = 3;

    // In the order of the sample.
    struct Row {
        double weight = 0;  // 0 for rows outside the structure part, as is the outcome
        double weighted = 0;
        double square = 0;
        std::uint32_t arm = 0;
        Part part = Part::structure;
    };

    struct Tally {
        std::array<double, 2> weight = {};
        std::array<double, 2> sum = {};
        std::array<double, 2> squares = {};
        std::array<std::array<std::uint32_t, 2>, parts> rows = {};
    };

    // Each side keeps at least `least[part]` rows of each arm, and at least two in the structure part.
    HonestCriterion(std::vector<Row> rows, const HonestWorth& worth, const std::array<std::size_t, parts>& least)
        : rows_(std::move(rows)), worth_(worth), least_(least) {}

    void move(std::size_t first, std::span<const Position> from) { move_along(rows_, first, from); }
    bool enter(std::span<const Position> rows) {
        total_ = {};
        for (const Position row : rows) add(total_, row);
        for (std::size_t part = 0; part < parts; ++part)
            for (const std::uint32_t count : total_.rows[part])
                if (count < 2 * least_[part]) return false;
        return true;
    }
    [[nodiscard]] Tally nothing() const { return {}; }
    void add(Tally& tally, Position at) const {
        const Row& row = rows_[at];
        tally.weight[row.arm] += row.weight;
        tally.sum[row.arm] += row.weighted;
        tally.squares[row.arm] += row.square;
        ++tally.rows[static_cast<std::size_t>(row.part)][row.arm];
    }
    void join(Tally& tally, const Tally& other) const {
        for (std::size_t arm = 0; arm < 2; ++arm) {
            tally.weight[arm] += other.weight[arm];
            tally.sum[arm] += other.sum[arm];
            tally.squares[arm] += other.squares[arm];
            for (std::size_t part = 0; part < parts; ++part) tally.rows[part][arm] += other.rows[part][arm];
        }
    }
    [[nodiscard]] double gain(const Tally& left) const {
        for (std::size_t part = 0; part < parts; ++part)
            for (std::size_t arm = 0; arm < 2; ++arm)
                if (left.rows[part][arm] < least_[part] || total_.rows[part][arm] - left.rows[part][arm] < least_[part])
                    return not_admissible;
        return worth_.of(arms_of(left)) + worth_.of(arms_of(rest_of(left)));
    }
    // A split must be worth more than the node as a leaf.
    [[nodiscard]] double least_gain() const { return worth_.of(arms_of(total_)) + worth_.room(); }
    // The effect in the category; the node's effect if an arm has no rows there.
    [[nodiscard]] double order_of(const Tally& tally) const {
        const Tally& known = tally.weight[0] > 0 && tally.weight[1] > 0 ? tally : total_;
        return known.sum[1] / known.weight[1] - known.sum[0] / known.weight[0];
    }
    void close(int, std::span<const Position>) {}

private:
    static BothArms arms_of(const Tally& tally) {
        const auto& rows = tally.rows[static_cast<std::size_t>(Part::structure)];
        return {ArmSums{tally.weight[0], tally.sum[0], tally.squares[0], rows[0]},
                ArmSums{tally.weight[1], tally.sum[1], tally.squares[1], rows[1]}};
    }
    [[nodiscard]] Tally rest_of(const Tally& left) const {
        Tally right = total_;
        for (std::size_t arm = 0; arm < 2; ++arm) {
            right.weight[arm] -= left.weight[arm];
            right.sum[arm] -= left.sum[arm];
            right.squares[arm] -= left.squares[arm];
            for (std::size_t part = 0; part < parts; ++part) right.rows[part][arm] -= left.rows[part][arm];
        }
        return right;
    }

    std::vector<Row> rows_;
    HonestWorth worth_;
    std::array<std::size_t, parts> least_;
    Tally total_;
};

}  // namespace polyrx
