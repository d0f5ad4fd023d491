// SPDX-License-Identifier: Apache-2.0
// Greedily grows a tree of splits on single features. The criterion defines the quality of splits.
//
// A criterion keeps tallies of rows: it adds rows to a tally, joins two tallies, and evaluates a split from the tally
// of its left side; it knows that of the whole node. Numbers are cut between any two neighboring values. Categories are
// divided into any two sets if there are at most ten, otherwise in the order that the criterion gives. Missing values
// are tried on either side, and alone. A value that does not occur in the node goes to the side with more rows.
//
// Nodes with more than `exact_rows` rows are cut between 256 bins of similar size instead.
#pragma once

#include <algorithm>
#include <concepts>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "polyrx/learners/trees/axis_tree.hpp"
#include "polyrx/learners/trees/binned_feature.hpp"
#include "polyrx/learners/trees/grow_limits.hpp"
#include "polyrx/learners/trees/moved_rows.hpp"
#include "polyrx/learners/trees/ranked_features.hpp"
#include "polyrx/learners/trees/sort_by_rank.hpp"

namespace polyrx {

// The gain of a split that is not allowed.
inline constexpr double not_admissible = -std::numeric_limits<double>::infinity();

template <class C>
concept SplitCriterion =
    requires(C c, const C k, typename C::Tally tally, std::span<const Position> rows, Position row) {
        c.move(std::size_t{}, rows);              // moves its data on rows, like move_along()
        { c.enter(rows) } -> std::same_as<bool>;  // starts a node with these rows; false makes it a leaf
        { k.nothing() } -> std::same_as<typename C::Tally>;
        k.add(tally, row);
        k.join(tally, std::as_const(tally));
        // Evaluates the split with this left side. The best split is made if its gain is above least_gain(); the first
        // wins ties.
        { k.gain(std::as_const(tally)) } -> std::convertible_to<double>;
        { k.least_gain() } -> std::convertible_to<double>;
        { k.order_of(std::as_const(tally)) } -> std::convertible_to<double>;  // sort key of a category among many
        c.close(0, rows);  // the node of this index is a leaf with these rows
    };

template <SplitCriterion Criterion>
class AxisTreeGrower {
public:
    // `sample` are rows of the features. The other arguments must outlive the grower. The criterion's rows are
    // reordered.
    AxisTreeGrower(const RankedFeatures& ranked, const BinnedFeatures& binned, std::span<const RowIndex> sample,
                   Criterion& criterion, const GrowLimits& limits, Rng rng)
        : ranked_(ranked),
          binned_(binned),
          sample_(sample.begin(), sample.end()),
          criterion_(criterion),
          limits_(limits),
          rng_(rng),
          rows_(sample.size()),
          to_the_left_(sample.size()),
          orders_(ranked.features.size()) {
        std::iota(rows_.begin(), rows_.end(), Position{0});
    }

    [[nodiscard]] AxisTree grow() {
        tree_ = {{AxisNode{}}, {}};
        std::vector<int> features(ranked_.features.size());
        std::iota(features.begin(), features.end(), 0);
        std::vector<Task> large = {{0, 0, rows_.size(), 0, std::move(features)}};
        while (!large.empty()) {
            Task task = std::move(large.back());
            large.pop_back();
            if (task.rows() > binned_.exact_rows)
                divide(std::move(task), large);
            else
                grow_exactly(std::move(task));
        }
        tree_.nodes.shrink_to_fit();  // forests keep the tree for long
        return std::move(tree_);
    }

private:
    using Tally = typename Criterion::Tally;

    // A node to process, with a range of rows_.
    struct Task {
        int node = 0;
        std::size_t begin = 0;
        std::size_t end = 0;
        int depth = 0;
        std::vector<int> features;  // that may vary there
        [[nodiscard]] std::size_t rows() const { return end - begin; }
    };

    struct Best {
        double gain = not_admissible;
        int feature = -1;
        std::uint32_t lower = 0;  // for numbers: ranks up to this go left, ranks from `upper` on go right
        std::uint32_t upper = 0;
        std::vector<char> left;  // for categories, by level, missing values last: 1 left, 0 right, -1 absent
        bool missing_left = false;
        bool saw_missing = false;
    };

    // Grows everything below a node that is small enough to keep all orders of its rows.
    void grow_exactly(Task task) {
        base_ = task.begin;
        for (const int f : task.features)
            if (ranked_.features[static_cast<std::size_t>(f)].levels == 0) make_order(task, f);
        is_exact_ = true;
        std::vector<Task> tasks;
        tasks.push_back(std::move(task));
        while (!tasks.empty()) {
            Task next = std::move(tasks.back());
            tasks.pop_back();
            divide(std::move(next), tasks);
        }
        is_exact_ = false;
    }

    void make_order(const Task& task, int f) {
        const RankedFeature& feature = ranked_.features[static_cast<std::size_t>(f)];
        std::vector<RankedRow>& order = orders_[static_cast<std::size_t>(f)];
        order.clear();
        if (task.rows() == sample_.size() && sample_.size() * 4 > ranked_.rows) {
            // For most of all rows, filtering the order of all rows is faster than sorting.
            if (position_of_.empty()) {
                position_of_.assign(ranked_.rows, absent);
                for (std::size_t i = 0; i < sample_.size(); ++i) position_of_[sample_[i]] = static_cast<Position>(i);
            }
            for (const RowIndex row : feature.order)
                if (position_of_[row] != absent) order.push_back({feature.rank[row], position_of_[row]});
            return;
        }
        for (std::size_t i = task.begin; i < task.end; ++i)
            order.push_back({feature.rank[sample_[rows_[i]]], rows_[i]});
        sort_by_rank(order, moved_entries_, feature.missing());
    }

    void divide(Task task, std::vector<Task>& tasks) {
        const std::span<const Position> rows(rows_.data() + task.begin, task.rows());
        const bool deep = limits_.depth > 0 && task.depth >= limits_.depth;
        if (!criterion_.enter(rows) || deep || rows.size() < limits_.split_rows || !find_best(task)) {
            criterion_.close(task.node, rows);
            return;
        }
        const std::size_t middle = move_rows(task);
        if (!is_exact_) renumber(task);
        const int left = static_cast<int>(tree_.nodes.size());
        tree_.nodes.resize(tree_.nodes.size() + 2);
        tree_.nodes[static_cast<std::size_t>(task.node)] = {split_of(best_, middle - task.begin, task.rows()), left};
        tasks.push_back({left + 1, middle, task.end, task.depth + 1, task.features});
        tasks.push_back({left, task.begin, middle, task.depth + 1, std::move(task.features)});
    }

    // Removes features with a single value from the task.
    [[nodiscard]] bool find_best(Task& task) {
        best_ = {};
        best_.gain = criterion_.least_gain();
        std::vector<int>& features = task.features;
        const auto wanted = limits_.features > 0 ? static_cast<std::size_t>(limits_.features) : features.size();
        std::vector<int> left_out;  // a single value only
        std::size_t examined = 0;
        for (std::size_t i = 0; i < features.size() && examined < wanted; ++i) {
            if (wanted < features.size()) std::swap(features[i], features[i + rng_.below(features.size() - i)]);
            if (examine(task, features[i]))
                ++examined;
            else
                left_out.push_back(features[i]);
        }
        std::erase_if(features, [&](int f) { return std::ranges::find(left_out, f) != left_out.end(); });
        std::ranges::sort(features);
        return best_.feature >= 0;
    }

    // Returns false if all rows have the same value.
    bool examine(const Task& task, int f) {
        if (ranked_.features[static_cast<std::size_t>(f)].levels > 0) return examine_categories(task, f);
        return is_exact_ ? examine_order(task, f) : examine_bins(task, f);
    }

    bool examine_order(const Task& task, int f) {
        const std::uint32_t missing = ranked_.features[static_cast<std::size_t>(f)].missing();
        const RankedRow* begin = orders_[static_cast<std::size_t>(f)].data() + (task.begin - base_);
        const RankedRow* end = begin + task.rows();
        if (begin->rank == (end - 1)->rank) return false;
        const RankedRow* present = end;
        Tally none = criterion_.nothing();
        while ((present - 1)->rank == missing) criterion_.add(none, (--present)->row);
        sweep(begin, present, f, criterion_.nothing(), false, present != end);
        if (present != end) sweep(begin, present, f, none, true, true);
        return true;
    }

    void sweep(const RankedRow* begin, const RankedRow* end, int f, Tally left, bool missing_left, bool saw_missing) {
        double most = best_.gain;
        const RankedRow* cut = nullptr;
        criterion_.add(left, begin->row);
        for (const RankedRow* entry = begin + 1; entry != end; ++entry) {
            if (entry->rank != (entry - 1)->rank) {
                const double gain = criterion_.gain(left);
                if (gain > most) {
                    most = gain;
                    cut = entry;
                }
            }
            criterion_.add(left, entry->row);
        }
        if (cut) note_cut(most, f, (cut - 1)->rank, cut->rank, missing_left, saw_missing);
        if (saw_missing && !missing_left) note_missing_apart(f, (end - 1)->rank, left);
    }

    // Tallies the node's rows by bin or category; the last one is for missing values. Returns the nonempty others.
    template <class Number>
    std::vector<std::size_t> fill_bins(const Task& task, const std::vector<Number>& bin_of, std::size_t missing) {
        bins_.assign(missing + 1, criterion_.nothing());
        counts_.assign(missing + 1, 0);
        for (std::size_t i = task.begin; i < task.end; ++i) {
            const std::size_t bin = bin_of[sample_[rows_[i]]];
            criterion_.add(bins_[bin], rows_[i]);
            ++counts_[bin];
        }
        std::vector<std::size_t> filled;
        for (std::size_t bin = 0; bin < missing; ++bin)
            if (counts_[bin] > 0) filled.push_back(bin);
        return filled;
    }

    bool examine_bins(const Task& task, int f) {
        const BinnedFeature& feature = binned_.features[static_cast<std::size_t>(f)];
        const std::size_t missing = feature.bins();
        const std::vector<std::size_t> filled = fill_bins(task, feature.bin, missing);
        const bool saw_missing = counts_[missing] > 0;
        if (filled.size() + (saw_missing ? 1 : 0) < 2) return false;
        for (const bool missing_left : {false, true}) {
            if (missing_left && !saw_missing) break;
            Tally left = missing_left ? bins_[missing] : criterion_.nothing();
            for (std::size_t i = 0; i < filled.size(); ++i) {
                if (i > 0)
                    note_cut(criterion_.gain(left), f, feature.last[filled[i - 1]], feature.first[filled[i]],
                             missing_left, saw_missing);
                criterion_.join(left, bins_[filled[i]]);
            }
            if (saw_missing && !missing_left) note_missing_apart(f, feature.last[filled.back()], left);
        }
        return true;
    }

    void note_cut(double gain, int f, std::uint32_t lower, std::uint32_t upper, bool missing_left, bool saw_missing) {
        if (gain > best_.gain) best_ = {gain, f, lower, upper, {}, missing_left, saw_missing};
    }
    // All present values go left.
    void note_missing_apart(int f, std::uint32_t last, const Tally& left) {
        note_cut(criterion_.gain(left), f, last, ranked_.features[static_cast<std::size_t>(f)].missing(), false, true);
    }

    bool examine_categories(const Task& task, int f) {
        const RankedFeature& feature = ranked_.features[static_cast<std::size_t>(f)];
        const std::size_t missing = feature.missing();
        std::vector<std::size_t> filled = fill_bins(task, feature.rank, missing);
        const bool saw_missing = counts_[missing] > 0;
        if (filled.size() + (saw_missing ? 1 : 0) < 2) return false;
        std::vector<char> left(missing + 1, -1);
        if (filled.size() <= most_exact_levels) {
            if (saw_missing) filled.push_back(missing);
            divide_sets(f, filled, 0, criterion_.nothing(), left);
            return true;
        }
        std::vector<double> keys(missing);
        for (const std::size_t level : filled) keys[level] = criterion_.order_of(bins_[level]);
        std::ranges::sort(filled, {}, [&](std::size_t level) { return std::pair(keys[level], level); });
        for (const bool missing_left : {false, true}) {
            if (missing_left && !saw_missing) break;
            for (const std::size_t level : filled) left[level] = 0;
            if (saw_missing) left[missing] = missing_left ? 1 : 0;
            Tally tally = missing_left ? bins_[missing] : criterion_.nothing();
            for (std::size_t i = 0; i < filled.size(); ++i) {
                if (i > 0) note_sets(f, tally, left);
                criterion_.join(tally, bins_[filled[i]]);
                left[filled[i]] = 1;
            }
            if (saw_missing && !missing_left) note_sets(f, tally, left);
        }
        return true;
    }

    // Tries every division of the levels from `next` on. The last level stays on the right, because mirrored divisions
    // are equivalent.
    void divide_sets(int f, const std::vector<std::size_t>& levels, std::size_t next, const Tally& tally,
                     std::vector<char>& left) {
        if (next + 1 == levels.size()) {
            left[levels[next]] = 0;
            if (std::ranges::find(left, 1) != left.end()) note_sets(f, tally, left);
            return;
        }
        left[levels[next]] = 0;
        divide_sets(f, levels, next + 1, tally, left);
        Tally more = tally;
        criterion_.join(more, bins_[levels[next]]);
        left[levels[next]] = 1;
        divide_sets(f, levels, next + 1, more, left);
    }

    void note_sets(int f, const Tally& tally, const std::vector<char>& left) {
        const double gain = criterion_.gain(tally);
        if (gain > best_.gain) best_ = {gain, f, 0, 0, left, left.back() == 1, left.back() >= 0};
    }

    // Moves the rows of the left side to the front, keeping the order on each side. Returns where the right side
    // begins.
    std::size_t move_rows(const Task& task) {
        const RankedFeature& feature = ranked_.features[static_cast<std::size_t>(best_.feature)];
        const auto note_side = [&](Position row, std::uint32_t rank) {
            to_the_left_[row] = feature.levels > 0          ? best_.left[rank] == 1
                                : rank == feature.missing() ? best_.missing_left
                                                            : rank <= best_.lower;
        };
        if (is_exact_ && feature.levels == 0) {
            // Reading ranks from the order is contiguous; reading them by row is not.
            const RankedRow* order = orders_[static_cast<std::size_t>(best_.feature)].data() + (task.begin - base_);
            for (std::size_t i = 0; i < task.rows(); ++i) note_side(order[i].row, order[i].rank);
        } else {
            for (std::size_t i = task.begin; i < task.end; ++i) note_side(rows_[i], feature.rank[sample_[rows_[i]]]);
        }
        moved_rows_.resize(task.rows());
        const std::size_t left = left_first(rows_.data() + task.begin, task.rows(), moved_rows_.data(),
                                            [&](Position row) { return to_the_left_[row]; });
        if (is_exact_) {
            moved_entries_.resize(task.rows());
            for (const int f : task.features)
                if (ranked_.features[static_cast<std::size_t>(f)].levels == 0)
                    left_first(orders_[static_cast<std::size_t>(f)].data() + (task.begin - base_), task.rows(),
                               moved_entries_.data(), [&](const RankedRow& entry) { return to_the_left_[entry.row]; });
        }
        return task.begin + left;
    }

    // Makes the data on a node's rows contiguous. Otherwise a small part of a large sample would fill the cache.
    void renumber(const Task& task) {
        const std::span<const Position> from(rows_.data() + task.begin, task.rows());
        criterion_.move(task.begin, from);
        move_along(sample_, task.begin, from);
        std::iota(rows_.begin() + static_cast<std::ptrdiff_t>(task.begin),
                  rows_.begin() + static_cast<std::ptrdiff_t>(task.end), static_cast<Position>(task.begin));
    }

    AxisSplit split_of(const Best& best, std::size_t left_rows, std::size_t rows) {
        const RankedFeature& feature = ranked_.features[static_cast<std::size_t>(best.feature)];
        const bool most_left = 2 * left_rows >= rows;
        AxisSplit split{best.feature, 0, -1, best.saw_missing ? best.missing_left : most_left};
        if (feature.levels > 0) {
            LevelSet set(feature.levels);
            for (int level = 0; level < feature.levels; ++level) {
                const char side = best.left[static_cast<std::size_t>(level)];
                if (side == 1 || (side < 0 && most_left)) set.insert(level);
            }
            split.set = static_cast<int>(tree_.sets.size());
            tree_.sets.push_back(std::move(set));
        } else {
            // If only missing values go right, all numbers go left.
            split.threshold = best.upper == feature.missing() ? std::numeric_limits<double>::max()
                                                              : feature.between(best.lower, best.upper);
        }
        return split;
    }

    static constexpr std::size_t most_exact_levels = 10;
    static constexpr Position absent = std::numeric_limits<Position>::max();

    const RankedFeatures& ranked_;
    const BinnedFeatures& binned_;
    std::vector<RowIndex> sample_;  // by position
    Criterion& criterion_;
    GrowLimits limits_;
    Rng rng_;
    AxisTree tree_;
    std::vector<Position> rows_;                  // rows of a node are contiguous
    std::vector<unsigned char> to_the_left_;      // by position
    std::vector<std::vector<RankedRow>> orders_;  // by feature: the rows from base_ on; rows of a node are contiguous
    std::size_t base_ = 0;
    bool is_exact_ = false;
    Best best_;
    std::vector<Tally> bins_;
    std::vector<std::size_t> counts_;
    std::vector<Position> position_of_;  // by row of the features
    std::vector<Position> moved_rows_;
    std::vector<RankedRow> moved_entries_;
};

}  // namespace polyrx
