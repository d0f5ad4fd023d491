// SPDX-License-Identifier: Apache-2.0
// A split under evaluation, with fixed subtrees on both sides: the total cost of all leaves as rows change sides one at
// a time.
//
// The leaf of a row on either side is known in advance, so a step moves the row between the sums of two leaves. For
// linear leaves, slopes stay fixed while rows move, and only the constants follow: refitting regressions for thousands
// of splits would take hours, and constants show most of a split's effect on the cost. The caller refits the leaves of
// the split that it takes.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "polyrx/baselines/optimal/optimal_leaf.hpp"

namespace polyrx {

// For each row of the node, in the node's order: its leaf on either side. Leaves are numbered from 0, those of the low
// side first.
struct ForkedRows {
    std::span<const RowNumber> rows;
    std::vector<int> low_leaf;
    std::vector<int> high_leaf;
    int leaves = 0;
    std::vector<const LeafFit*> fits;  // per leaf; only linear leaves, for their slopes
};

template <OptimalLeaves kind>
class Fork {
public:
    Fork(const LeafJudge& judge, ForkedRows forked)
        : data_(judge.data()),
          arms_(data_.treatments),
          mu_(judge.mu()),
          leaf_rows_(judge.leaf_rows()),
          arm_rows_(judge.arm_rows()),
          forked_(std::move(forked)) {
        const auto leaves = static_cast<std::size_t>(forked_.leaves);
        if constexpr (is_linear) {
            low_slope_terms_ = slope_terms(forked_.low_leaf);
            high_slope_terms_ = slope_terms(forked_.high_leaf);
        }
        for (const RowNumber at : forked_.rows) {
            const double w = data_.weight[at];
            const double y = data_.outcome[at];
            arm_.push_back(static_cast<std::size_t>(data_.treatment[at]));
            targets_.push_back({1, w, w * y, w * y * y});
        }
        all_low_ = State(leaves, arms_);
        all_high_ = all_low_;
        dirty_.resize(leaves);
        touched_.resize(leaves);
        is_dirty_.assign(leaves, 0);
        is_touched_.assign(leaves, 0);
        for (const bool to_high : {false, true}) {
            now_ = State(leaves, arms_);
            for (std::size_t i = 0; i < size(); ++i)
                shift(i, to_high ? forked_.high_leaf[i] : forked_.low_leaf[i], to_high, 1);
            for (int leaf = 0; leaf < forked_.leaves; ++leaf) mark(leaf);
            (void)cost();
            (to_high ? all_high_ : all_low_) = now_;
        }
        base_ = &all_high_;
        forget_touched();
    }

    Fork(const Fork&) = delete;
    Fork& operator=(const Fork&) = delete;

    [[nodiscard]] std::size_t size() const { return forked_.rows.size(); }
    [[nodiscard]] RowNumber row(std::size_t place) const { return forked_.rows[place]; }

    void all_low() { begin(all_low_); }
    void all_high() { begin(all_high_); }
    void to_high(std::size_t place) { move(place, forked_.low_leaf[place], false, forked_.high_leaf[place], true); }
    void to_low(std::size_t place) { move(place, forked_.high_leaf[place], true, forked_.low_leaf[place], false); }

    // Saves the sides of all rows. Restoring costs as much as moving one row per leaf.
    void remember() {
        (void)cost();
        remembered_ = now_;
    }
    void come_back() {
        now_ = remembered_;
        for (std::size_t i = 0; i < dirty_count_; ++i) is_dirty_[static_cast<std::size_t>(dirty_[i])] = 0;
        dirty_count_ = 0;
    }
    [[nodiscard]] std::size_t leaves() const { return static_cast<std::size_t>(forked_.leaves); }

    // Total cost; infinite if a leaf is not admissible.
    [[nodiscard]] double cost() {
        for (std::size_t i = 0; i < dirty_count_; ++i) {
            const auto at = static_cast<std::size_t>(dirty_[i]);
            now_.total -= now_.costs[at];
            now_.bad -= now_.is_bad[at];
            const double* sums = now_.sums.data() + at * of_leaf();
            // The common numbers of arms run without a loop.
            now_.costs[at] = arms_ == 2 ? cost_of<2>(sums) : arms_ == 3 ? cost_of<3>(sums) : cost_of<0>(sums);
            now_.is_bad[at] = now_.costs[at] == infinite ? 1 : 0;
            if (now_.is_bad[at] != 0) now_.costs[at] = 0;
            now_.total += now_.costs[at];
            now_.bad += now_.is_bad[at];
            is_dirty_[at] = 0;
        }
        dirty_count_ = 0;
        return now_.bad > 0 ? infinite : now_.total;
    }
    // The cost with all rows on one side; the leaves of the other side are then empty.
    [[nodiscard]] double cost_of_all(bool high, int low_leaves) const {
        const State& state = high ? all_high_ : all_low_;
        double sum = 0;
        for (int leaf = high ? low_leaves : 0; leaf < (high ? forked_.leaves : low_leaves); ++leaf) {
            if (state.is_bad[static_cast<std::size_t>(leaf)] != 0) return infinite;
            sum += state.costs[static_cast<std::size_t>(leaf)];
        }
        return sum;
    }

private:
    static constexpr bool is_linear = kind == OptimalLeaves::linear;
    static constexpr double infinite = std::numeric_limits<double>::infinity();
    // Offsets into the sums of one arm of a leaf.
    static constexpr std::size_t rows_at = 0;
    static constexpr std::size_t weight_at = 1;
    static constexpr std::size_t outcome_at = 2;
    static constexpr std::size_t squares_at = 3;
    static constexpr std::size_t left_at = 4;  // outcomes minus slope terms, over rows that received the arm
    static constexpr std::size_t left_squares_at = 5;
    static constexpr std::size_t sloped_at = 6;  // slope terms over all rows
    static constexpr std::size_t each = is_linear ? 8 : 4;

    using Target = std::array<double, 4>;  // a row's contribution to the first four sums

    struct State {
        State() = default;
        State(std::size_t leaves, int arms)
            : sums(leaves * static_cast<std::size_t>(arms) * each), costs(leaves), is_bad(leaves) {}
        std::vector<double> sums;
        std::vector<double> costs;
        std::vector<char> is_bad;
        double total = 0;
        int bad = 0;
    };

    [[nodiscard]] std::size_t of_leaf() const { return each * static_cast<std::size_t>(arms_); }

    // The slope terms (without the constant) of each row in its leaf, per arm.
    [[nodiscard]] std::vector<double> slope_terms(const std::vector<int>& leaf) const {
        std::vector<double> list;
        list.reserve(size() * static_cast<std::size_t>(arms_));
        for (std::size_t i = 0; i < size(); ++i)
            for (int k = 0; k < arms_; ++k)
                list.push_back(forked_.fits[static_cast<std::size_t>(leaf[i])]->sloped(data_, row(i), k));
        return list;
    }

    void begin(const State& base) {
        if (base_ != &base) {
            now_ = base;
            base_ = &base;
            forget_touched();
            return;
        }
        for (std::size_t i = 0; i < touched_count_; ++i) {
            const auto at = static_cast<std::size_t>(touched_[i]);
            std::copy_n(base.sums.data() + at * of_leaf(), of_leaf(), now_.sums.data() + at * of_leaf());
            now_.costs[at] = base.costs[at];
            now_.is_bad[at] = base.is_bad[at];
        }
        now_.total = base.total;
        now_.bad = base.bad;
        forget_touched();
    }
    void forget_touched() {
        for (std::size_t i = 0; i < touched_count_; ++i) is_touched_[static_cast<std::size_t>(touched_[i])] = 0;
        for (std::size_t i = 0; i < dirty_count_; ++i) is_dirty_[static_cast<std::size_t>(dirty_[i])] = 0;
        touched_count_ = dirty_count_ = 0;
    }
    void mark(int leaf) {
        const auto at = static_cast<std::size_t>(leaf);
        if (is_dirty_[at] == 0) {
            is_dirty_[at] = 1;
            dirty_[dirty_count_++] = leaf;
            if (is_touched_[at] == 0) {
                is_touched_[at] = 1;
                touched_[touched_count_++] = leaf;
            }
        }
    }

    // Adds the row to a leaf of a side (sign 1) or removes it (sign -1).
    void shift(std::size_t place, int leaf, bool high, double sign) {
        const std::size_t arm = arm_[place];
        const Target& target = targets_[place];
        double* of_leaf_sums = now_.sums.data() + static_cast<std::size_t>(leaf) * of_leaf();
        double* sums = of_leaf_sums + arm * each;
        const Eigen::Map<const Eigen::Array4d> added(target.data());
        Eigen::Map<Eigen::Array4d> first_sums(sums);
        if (sign > 0)
            first_sums += added;
        else
            first_sums -= added;
        if constexpr (is_linear) {
            const double w = sign * target[weight_at];
            const double y = data_.outcome[row(place)];
            const double* terms =
                (high ? high_slope_terms_ : low_slope_terms_).data() + place * static_cast<std::size_t>(arms_);
            const double left = y - terms[arm];
            sums[left_at] += w * left;
            sums[left_squares_at] += w * left * left;
            for (int k = 0; k < arms_; ++k)
                of_leaf_sums[static_cast<std::size_t>(k) * each + sloped_at] += w * terms[k];
        }
    }
    void move(std::size_t place, int from, bool from_high, int to, bool to_high) {
        shift(place, from, from_high, -1);
        shift(place, to, to_high, 1);
        mark(from);
        mark(to);
    }

    // Same formula as LeafJudge::fit(), with fixed slopes.
    template <int known_arms>
    [[nodiscard]] double cost_of(const double* leaf) const {
        const int arms = known_arms > 0 ? known_arms : arms_;
        double rows = 0;
        double weight = 0;
        double outcome = 0;
        for (int k = 0; k < arms; ++k) {
            const double* sums = leaf + static_cast<std::size_t>(k) * each;
            rows += sums[rows_at];
            weight += sums[weight_at];
            outcome += sums[outcome_at];
        }
        if (rows < leaf_rows_) return infinite;
        double least = infinite;
        double squares = 0;
        for (int k = 0; k < arms; ++k) {
            const double* sums = leaf + static_cast<std::size_t>(k) * each;
            if (sums[rows_at] >= arm_rows_) {
                if constexpr (is_linear) {
                    const double constant = sums[left_at] / sums[weight_at];
                    squares += sums[left_squares_at] - sums[left_at] * constant;
                    least = std::min(least, sums[sloped_at] + weight * constant);
                } else {
                    const double mean = sums[outcome_at] / sums[weight_at];
                    squares += sums[squares_at] - sums[outcome_at] * mean;
                    least = std::min(least, weight * mean);
                }
            } else if (sums[rows_at] > 0) {
                const double mean = outcome / weight;
                squares += sums[squares_at] - 2 * mean * sums[outcome_at] + mean * mean * sums[weight_at];
            }
        }
        return least == infinite ? infinite : mu_ * least + (1 - mu_) * squares;
    }

    const OptimalRows& data_;
    int arms_;
    double mu_;
    double leaf_rows_;
    double arm_rows_;
    ForkedRows forked_;
    std::vector<double> low_slope_terms_;  // for linear leaves: by row, then arm
    std::vector<double> high_slope_terms_;
    std::vector<std::size_t> arm_;  // per row
    std::vector<Target> targets_;
    State all_low_;
    State all_high_;
    State now_;
    State remembered_;
    const State* base_ = nullptr;  // the state from which the touched leaves differ
    std::vector<int> dirty_;       // leaves whose cost is out of date
    std::vector<int> touched_;
    std::size_t dirty_count_ = 0;
    std::size_t touched_count_ = 0;
    std::vector<char> is_dirty_;
    std::vector<char> is_touched_;
};

}  // namespace polyrx
