// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/policy_tree/policy_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "polyrx/baselines/policy_tree/best_stump.hpp"
#include "polyrx/baselines/policy_tree/split_chain.hpp"
#include "polyrx/baselines/policy_tree/stump_costs.hpp"
#include "polyrx/core/parallel_for.hpp"

namespace polyrx {
namespace {

// The best split so far, from all threads; the first among equals, so that timing does not matter.
class Incumbent {
public:
    // A choice without a split here; a split replaces it only at a lower cost.
    explicit Incumbent(PolicyChoice choice) : choice_(std::move(choice)) {}

    // Whether this task's splits from `split` on, whose cost is at least `bound`, can still win.
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

// The splits of a node that one thread examines.
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

// Splits with at least one more level of splits below them.
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
    void try_chain(std::size_t number, const SplitChain& chain) const {
        if (depth_ == 2)
            sweep(number, chain);
        else if (search_.leaf_rows <= 1)
            bisect(number, chain);
        else
            try_each(number, chain);
    }

    void offer(PolicyCost cost, std::size_t number, std::size_t split, const SplitChain& chain) const {
        incumbent_.offer(cost, number, split, [&] {
            return PolicyChoice{cost, depth_, static_cast<int>(chain.feature),
                                left_slots_of(chain, rows_.features[chain.feature], chain.ends[split]),
                                chain.missing_left};
        });
    }

    // Every cut, with the best single split on both sides.
    void sweep(std::size_t number, const SplitChain& chain) const {
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

    // Every cut, with the best trees of both sides. Bisection is not possible here: a side with more rows may cost
    // less, because a minimum leaf size can then permit a split.
    void try_each(std::size_t number, const SplitChain& chain) const {
        std::vector<char> is_left(rows_.rows());
        std::size_t next = 0;
        for (std::size_t split = 0; split < chain.ends.size(); ++split) {
            tick_();
            for (; next < chain.ends[split]; ++next) is_left[chain.order[next]] = 1;
            const PolicyCost left = side_cost(is_left, true);
            if (incumbent_.may_fall(left, number, split)) offer(left + side_cost(is_left, false), number, split, chain);
        }
    }

    // Cost does not fall as rows are added. The cuts between two evaluated ones therefore cost at least the left side
    // of the lower plus the right side of the upper.
    void bisect(std::size_t number, const SplitChain& chain) const {
        struct Range {
            std::size_t begin;  // first split
            std::size_t end;    // one past the last split
            PolicyCost left;    // lower bound on their cost
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

    // Every division of the categories in two; the last category stays on the right.
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
    const std::function<void()>& tick_;  // called regularly, for progress
};

bool are_ordered(const SplitTask& task) {
    return task.kind == SplitTask::Kind::ordered_categories;
}

// Whether bounds rule out splits exactly. They do not if the lower splits depend on the rows, through steps or an order
// of categories. The tree is then approximate and may miss a split.
bool bounds_hold(const PolicySearch& search, int depth, std::span<const SplitTask> tasks) {
    return (depth <= 3 || search.split_step <= 1) && std::ranges::none_of(tasks, are_ordered);
}

}  // namespace

PolicyChoice best_choice(const PolicyRows& rows, int depth, const PolicySearch& search, int threads,
                         const Progress& progress) {
    if (depth == 0) return {std::ranges::min(total_costs(rows)), 0, -1, {}, false};
    if (depth == 1) return best_stump(rows, search.leaf_rows);
    const PolicyChoice with_fewer_levels = best_choice(rows, depth - 1, search, threads);
    const std::vector<SplitTask> tasks = tasks_of(rows);
    // If bounds are not exact, pruning must not depend on the timing of other threads, so each task uses only its own
    // results.
    const bool together = bounds_hold(search, depth, tasks);
    std::deque<Incumbent> incumbents;
    for (std::size_t i = 0; i < (together ? 1 : tasks.size()); ++i) incumbents.emplace_back(with_fewer_levels);
    std::atomic<std::size_t> done{0};
    const std::function<void()> tick = [&] {
        report(progress, static_cast<double>(done) / static_cast<double>(tasks.size()), "searching trees");
    };
    parallel_for(tasks.size(), threads, [&](std::size_t task) {
        tick();
        SplitSearch(rows, depth, search, incumbents[together ? 0 : task], tick).run(task, tasks[task]);
        ++done;
    });
    PolicyChoice best = with_fewer_levels;
    for (Incumbent& incumbent : incumbents)
        if (PolicyChoice found = incumbent.take(); found.cost < best.cost) best = std::move(found);
    return best;
}

bool is_exact(const PolicyRows& rows, int depth, const PolicySearch& search) {
    if (depth < 2) return true;
    if (std::ranges::any_of(tasks_of(rows), are_ordered)) return false;
    if (depth == 2 || search.split_step <= 1) return true;
    // Lower nodes have fewer rows between the same cuts, so the step may exclude some of these.
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
            else if (level == 2)  // one sweep of both sides covers all cuts
                splits += treatments - 1;
            else
                splits += is_number ? std::min(slots, count / static_cast<double>(search.split_step)) : slots;
        }
        work *= splits;
    }
    return work;
}

}  // namespace polyrx
