// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/policy_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "polyrx/baselines/level_sides.hpp"
#include "polyrx/baselines/stump_costs.hpp"
#include "polyrx/core/parallel_for.hpp"

namespace polyrx {
namespace {

// Nested sets of rows that splits by one feature may have on their left: the first ends[i] of the order.
struct Chain {
    std::size_t feature = 0;
    bool missing_left = false;  // of a number
    std::vector<std::uint32_t> order;
    std::vector<std::size_t> ends;
};

bool leaves_enough(std::size_t left, std::size_t rows, std::size_t leaf_rows) {
    const std::size_t least = std::max<std::size_t>(1, leaf_rows);
    return left >= least && rows - left >= least;
}

// Where what divides the rows changes.
void find_ends(Chain& chain, const SlottedFeature& feature, std::size_t leaf_rows, std::size_t step) {
    const std::size_t rows = chain.order.size();
    // Values that stand alone on the left are those that stand alone on the right of the other chain.
    const std::size_t first = chain.missing_left ? feature.missing + 1 : 1;
    std::size_t last = 0;
    for (std::size_t i = first; i < rows; ++i) {
        if (feature.slot[chain.order[i - 1]] == feature.slot[chain.order[i]] || i - last < step ||
            !leaves_enough(i, rows, leaf_rows))
            continue;
        chain.ends.push_back(i);
        last = i;
    }
}

// By how much better the node's best treatment is in a category than the others.
std::vector<std::uint32_t> slots_by_effect(const PolicyRows& rows, const SlottedFeature& feature) {
    const std::vector<PolicyCost> totals = total_costs(rows);
    const auto best = static_cast<std::size_t>(std::ranges::min_element(totals) - totals.begin());
    std::vector<double> effect(feature.slots);
    std::vector<double> count(feature.slots);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        const std::uint32_t slot = feature.slot[i];
        for (const std::vector<PolicyCost>& costs : rows.costs)
            effect[slot] += static_cast<double>(rows.costs[best][i] - costs[i]);
        ++count[slot];
    }
    std::vector<std::uint32_t> slots(feature.slots);
    std::iota(slots.begin(), slots.end(), std::uint32_t{0});
    std::ranges::sort(slots, {}, [&](std::uint32_t slot) { return std::pair(effect[slot] / count[slot], slot); });
    return slots;
}

Chain number_chain(const PolicyRows& rows, std::size_t f, bool missing_left, std::size_t leaf_rows, std::size_t step) {
    const SlottedFeature& feature = rows.features[f];
    Chain chain{f, missing_left, feature.order, {}};
    if (missing_left)
        std::ranges::rotate(chain.order, chain.order.end() - static_cast<std::ptrdiff_t>(feature.missing));
    find_ends(chain, feature, leaf_rows, step);
    return chain;
}

// Of categories in the order of their effects.
Chain category_chain(const PolicyRows& rows, std::size_t f, std::size_t leaf_rows) {
    const SlottedFeature& feature = rows.features[f];
    Chain chain{f, false, std::vector<std::uint32_t>(rows.rows()), {}};
    std::vector<std::uint32_t> place(feature.slots);
    const std::vector<std::uint32_t> slots = slots_by_effect(rows, feature);
    for (std::uint32_t i = 0; i < feature.slots; ++i) place[slots[i]] = i;
    std::iota(chain.order.begin(), chain.order.end(), std::uint32_t{0});
    std::ranges::stable_sort(chain.order, {}, [&](std::uint32_t row) { return place[feature.slot[row]]; });
    find_ends(chain, feature, leaf_rows, 1);
    return chain;
}

std::vector<char> left_slots_of(const Chain& chain, const SlottedFeature& feature, std::size_t end) {
    std::vector<char> left(feature.slots);
    for (std::size_t i = 0; i < end; ++i)
        if (const std::uint32_t slot = feature.slot[chain.order[i]]; slot < feature.slots) left[slot] = 1;
    return left;
}

// ---- one split

// The best single split, if it costs less than `best`.
class StumpSearch {
public:
    StumpSearch(const PolicyRows& rows, std::size_t leaf_rows) : rows_(rows), leaf_rows_(leaf_rows) {
        totals_ = total_costs(rows);
        best_.cost = std::ranges::min(totals_);
    }

    [[nodiscard]] PolicyChoice find() {
        for (std::size_t f = 0; f < rows_.features.size(); ++f) {
            const SlottedFeature& feature = rows_.features[f];
            if (!feature.is_number) {
                try_categories(f);
                continue;
            }
            for (const bool missing_left : {false, true})
                if (!missing_left || feature.missing > 0)
                    try_chain(number_chain(rows_, f, missing_left, leaf_rows_, 1));
        }
        return std::move(best_);
    }

private:
    void try_chain(const Chain& chain) {
        std::vector<PolicyCost> left(totals_.size());
        std::size_t i = 0;
        std::size_t cut = 0;
        for (const std::size_t end : chain.ends) {
            for (; i < end; ++i)
                for (std::size_t k = 0; k < left.size(); ++k) left[k] += rows_.costs[k][chain.order[i]];
            PolicyCost on_left = left[0];
            PolicyCost on_right = totals_[0] - left[0];
            for (std::size_t k = 1; k < left.size(); ++k) {
                on_left = std::min(on_left, left[k]);
                on_right = std::min(on_right, totals_[k] - left[k]);
            }
            if (on_left + on_right >= best_.cost) continue;
            best_.cost = on_left + on_right;
            cut = end;
        }
        if (cut > 0) note(chain.feature, left_slots_of(chain, rows_.features[chain.feature], cut), chain.missing_left);
    }

    void try_categories(std::size_t f) {
        const SlottedFeature& feature = rows_.features[f];
        std::vector<LevelCosts> levels(feature.slots);
        for (std::size_t i = 0; i < rows_.rows(); ++i) ++levels[feature.slot[i]].rows;
        for (std::size_t a = 0; a < totals_.size(); ++a)
            for (std::size_t b = a + 1; b < totals_.size(); ++b) {
                for (LevelCosts& level : levels) level.left = level.right = 0;
                for (std::size_t i = 0; i < rows_.rows(); ++i) {
                    levels[feature.slot[i]].left += rows_.costs[a][i];
                    levels[feature.slot[i]].right += rows_.costs[b][i];
                }
                std::vector<char> sides;
                const PolicyCost cost = LevelSides(levels, leaf_rows_, best_.cost, &sides).find();
                if (cost >= best_.cost) continue;
                best_.cost = cost;
                note(f, std::move(sides), false);
            }
    }

    void note(std::size_t f, std::vector<char> left_slots, bool missing_left) {
        best_.levels = 1;
        best_.feature = static_cast<int>(f);
        best_.left_slots = std::move(left_slots);
        best_.missing_left = missing_left;
    }

    const PolicyRows& rows_;
    std::size_t leaf_rows_;
    std::vector<PolicyCost> totals_;
    PolicyChoice best_;
};

// ---- more

// The best split so far, from all threads: of equal costs the first, so that the order of finding them means nothing.
class Incumbent {
public:
    // What was found before any split: it stays unless one costs less.
    explicit Incumbent(PolicyChoice choice) : choice_(std::move(choice)) {}

    // Whether a split of this task, from this one of its splits on, that costs at least `bound` may still be the one.
    [[nodiscard]] bool may_fall(PolicyCost bound, std::size_t task, std::size_t split) const {
        const std::lock_guard lock(mutex_);
        return is_better(bound, task, split);
    }
    template <class Make>
    void offer(PolicyCost cost, std::size_t task, std::size_t split, const Make& make_choice) {
        const std::lock_guard lock(mutex_);
        if (!is_better(cost, task, split)) return;
        choice_ = make_choice();
        choice_.cost = cost;
        place_ = std::pair(task, split);
    }
    [[nodiscard]] PolicyChoice take() { return std::move(choice_); }

private:
    [[nodiscard]] bool is_better(PolicyCost cost, std::size_t task, std::size_t split) const {
        return cost < choice_.cost || (cost == choice_.cost && place_ && std::pair(task, split) < *place_);
    }

    mutable std::mutex mutex_;
    PolicyChoice choice_;
    std::optional<std::pair<std::size_t, std::size_t>> place_;
};

// Which splits of a node one thread looks at.
struct SplitTask {
    enum class Kind { number, number_missing_left, ordered_categories, sets_of_categories };
    std::size_t feature = 0;
    Kind kind = Kind::number;
};

std::vector<SplitTask> tasks_of(const PolicyRows& rows) {
    std::vector<SplitTask> tasks;
    for (std::size_t f = 0; f < rows.features.size(); ++f) {
        const SlottedFeature& feature = rows.features[f];
        if (feature.slots + (feature.missing > 0 ? 1 : 0) < 2) continue;
        if (feature.is_number) {
            tasks.push_back({f, SplitTask::Kind::number});
            if (feature.missing > 0) tasks.push_back({f, SplitTask::Kind::number_missing_left});
        } else {
            tasks.push_back({f, feature.slots > PolicySearch::most_exact_slots ? SplitTask::Kind::ordered_categories
                                                                               : SplitTask::Kind::sets_of_categories});
        }
    }
    return tasks;
}

// Splits with at least one level of others below them.
class SplitSearch {
public:
    SplitSearch(const PolicyRows& rows, int depth, const PolicySearch& search, Incumbent& incumbent,
                const std::function<void()>& tick)
        : rows_(rows), depth_(depth), search_(search), incumbent_(incumbent), tick_(tick) {}

    void run(std::size_t number, const SplitTask& task) const {
        const std::size_t step = depth_ > 2 ? search_.split_step : 1;
        switch (task.kind) {
            case SplitTask::Kind::number:
            case SplitTask::Kind::number_missing_left:
                try_chain(number, number_chain(rows_, task.feature, task.kind == SplitTask::Kind::number_missing_left,
                                               search_.leaf_rows, step));
                break;
            case SplitTask::Kind::ordered_categories:
                try_chain(number, category_chain(rows_, task.feature, search_.leaf_rows));
                break;
            case SplitTask::Kind::sets_of_categories:
                try_sets(number, task.feature);
                break;
        }
    }

private:
    void try_chain(std::size_t number, const Chain& chain) const {
        if (depth_ == 2)
            sweep(number, chain);
        else
            bisect(number, chain);
    }

    void offer(PolicyCost cost, std::size_t number, std::size_t split, const Chain& chain) const {
        incumbent_.offer(cost, number, split, [&] {
            return PolicyChoice{cost, depth_, static_cast<int>(chain.feature),
                                left_slots_of(chain, rows_.features[chain.feature], chain.ends[split]),
                                chain.missing_left};
        });
    }

    // Every cut, with the best single splits of both sides.
    void sweep(std::size_t number, const Chain& chain) const {
        const std::size_t rows = rows_.rows();
        const std::vector<PolicyCost> left = stump_costs(rows_, chain.order, chain.ends, search_.leaf_rows);
        const std::vector<std::uint32_t> backwards(chain.order.rbegin(), chain.order.rend());
        std::vector<std::size_t> ends;
        for (auto end = chain.ends.rbegin(); end != chain.ends.rend(); ++end) ends.push_back(rows - *end);
        const std::vector<PolicyCost> right = stump_costs(rows_, backwards, ends, search_.leaf_rows);
        std::size_t best = 0;
        const auto cost_of = [&](std::size_t split) { return left[split] + right[right.size() - 1 - split]; };
        for (std::size_t split = 1; split < left.size(); ++split)
            if (cost_of(split) < cost_of(best)) best = split;
        if (!left.empty()) offer(cost_of(best), number, best, chain);
    }

    // More rows never cost less. So the cuts between two that are known cost at least what the left side of the lower
    // and the right side of the upper one do.
    void bisect(std::size_t number, const Chain& chain) const {
        struct Range {
            std::size_t begin;  // splits from here
            std::size_t end;    // to before here
            PolicyCost left;    // what their sides cost at least
            PolicyCost right;
        };
        std::vector<Range> ranges = {{0, chain.ends.size(), 0, 0}};
        while (!ranges.empty()) {
            const Range range = ranges.back();
            ranges.pop_back();
            if (range.begin >= range.end || !incumbent_.may_fall(range.left + range.right, number, range.begin))
                continue;
            tick_();
            const std::size_t middle = range.begin + (range.end - range.begin) / 2;
            std::vector<char> is_left(rows_.rows());
            for (std::size_t i = 0; i < chain.ends[middle]; ++i) is_left[chain.order[i]] = 1;
            const PolicyCost left = side_cost(is_left, true);
            PolicyCost right = range.right;
            if (incumbent_.may_fall(left + right, number, range.begin)) {
                right = side_cost(is_left, false);
                offer(left + right, number, middle, chain);
            }
            ranges.push_back({middle + 1, range.end, left, range.right});
            ranges.push_back({range.begin, middle, range.left, right});
        }
    }

    // Every way to divide the categories, the last of which stays on the right.
    void try_sets(std::size_t number, std::size_t f) const {
        const SlottedFeature& feature = rows_.features[f];
        std::vector<char> is_left(rows_.rows());
        for (std::size_t set = 1; set < std::size_t{1} << (feature.slots - 1); ++set) {
            tick_();
            std::size_t count = 0;
            for (std::size_t i = 0; i < rows_.rows(); ++i) {
                is_left[i] = static_cast<char>(set >> feature.slot[i] & 1);
                count += set >> feature.slot[i] & 1;
            }
            if (!leaves_enough(count, rows_.rows(), search_.leaf_rows)) continue;
            const PolicyCost left = side_cost(is_left, true);
            if (!incumbent_.may_fall(left, number, set)) continue;
            const PolicyCost cost = left + side_cost(is_left, false);
            incumbent_.offer(cost, number, set, [&] {
                std::vector<char> left_slots(feature.slots);
                for (std::size_t slot = 0; slot < feature.slots; ++slot)
                    left_slots[slot] = static_cast<char>(set >> slot & 1);
                return PolicyChoice{cost, depth_, static_cast<int>(f), std::move(left_slots), false};
            });
        }
    }

    [[nodiscard]] PolicyCost side_cost(const std::vector<char>& is_left, bool left) const {
        return best_choice(one_side(rows_, is_left, left), depth_ - 1, search_, 1).cost;
    }

    const PolicyRows& rows_;
    int depth_;
    const PolicySearch& search_;
    Incumbent& incumbent_;
    const std::function<void()>& tick_;  // from time to time
};

}  // namespace

PolicyChoice best_choice(const PolicyRows& rows, int depth, const PolicySearch& search, int threads,
                         const Progress& progress) {
    if (depth == 0) return {std::ranges::min(total_costs(rows)), 0, -1, {}, false};
    if (depth == 1) return StumpSearch(rows, search.leaf_rows).find();
    Incumbent incumbent(best_choice(rows, depth - 1, search, threads));
    const std::vector<SplitTask> tasks = tasks_of(rows);
    std::atomic<std::size_t> done{0};
    const std::function<void()> tick = [&] {
        report(progress, static_cast<double>(done) / static_cast<double>(tasks.size()), "searching trees");
    };
    const SplitSearch splits(rows, depth, search, incumbent, tick);
    parallel_for(tasks.size(), threads, [&](std::size_t task) {
        tick();
        splits.run(task, tasks[task]);
        ++done;
    });
    return incumbent.take();
}

std::vector<char> sides_of(const PolicyRows& rows, const PolicyChoice& choice) {
    const SlottedFeature& feature = rows.features[static_cast<std::size_t>(choice.feature)];
    std::vector<char> is_left;
    is_left.reserve(rows.rows());
    for (const std::uint32_t slot : feature.slot)
        is_left.push_back(slot < feature.slots ? choice.left_slots[slot] : static_cast<char>(choice.missing_left));
    return is_left;
}

bool is_exact(const PolicyRows& rows, int depth, const PolicySearch& search) {
    if (depth < 2) return true;
    const auto is_ordered = [](const SplitTask& task) { return task.kind == SplitTask::Kind::ordered_categories; };
    if (std::ranges::any_of(tasks_of(rows), is_ordered)) return false;
    if (depth == 2 || search.split_step <= 1) return true;
    // Nodes below have fewer rows between their cuts.
    if (depth > 3) return false;
    for (std::size_t f = 0; f < rows.features.size(); ++f)
        for (const bool missing_left : {false, true})
            if (rows.features[f].is_number &&
                number_chain(rows, f, missing_left, search.leaf_rows, 1).ends.size() !=
                    number_chain(rows, f, missing_left, search.leaf_rows, search.split_step).ends.size())
                return false;
    return true;
}

double search_work(const PolicyRows& rows, int depth, const PolicySearch& search) {
    const auto count = static_cast<double>(rows.rows());
    const auto features = static_cast<double>(rows.features.size());
    const auto treatments = static_cast<double>(rows.treatments());
    double work = count * features * treatments;
    for (int level = 2; level <= depth; ++level) {
        double splits = 0;
        for (const SplitTask& task : tasks_of(rows)) {
            const auto slots = static_cast<double>(rows.features[task.feature].slots);
            const bool is_number = rows.features[task.feature].is_number;
            if (task.kind == SplitTask::Kind::sets_of_categories)
                splits += std::exp2(slots - 1) - 1;
            else if (level == 2)  // a sweep of both sides, whatever the number of cuts
                splits += treatments - 1;
            else
                splits += is_number ? std::min(slots, count / static_cast<double>(search.split_step)) : slots;
        }
        work *= splits;
    }
    return work;
}

}  // namespace polyrx
