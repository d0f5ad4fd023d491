// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/optimal/fit_optimal_tree.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/study/splits/grouped_folds.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {
namespace {

using Clock = std::chrono::steady_clock;

// Reports progress, and stops the searches when time is up or the caller cancels.
class Watch {
public:
    Watch(const Progress& progress, double max_seconds, std::size_t planned)
        : progress_(progress), began_(Clock::now()), max_seconds_(max_seconds), planned_(planned) {}

    // Searches stop after this share of the time.
    void allow(double share_of_time) {
        out_of_time_ = false;
        share_ = share_of_time;
    }
    [[nodiscard]] bool stops() {
        if (canceled_ || out_of_time_) return true;
        const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
        if (max_seconds_ > 0 && seconds > share_ * max_seconds_) out_of_time_ = ever_out_of_time_ = true;
        const double share_done = static_cast<double>(done_) / static_cast<double>(planned_);
        if (progress_ && !progress_(std::min(1.0, share_done), "searching trees")) canceled_ = true;
        return canceled_ || out_of_time_;
    }
    void begun() { ++begun_; }
    void done() { ++done_; }

    [[nodiscard]] bool canceled() const { return canceled_; }
    [[nodiscard]] bool out_of_time() const { return ever_out_of_time_; }
    [[nodiscard]] std::size_t searches() const { return begun_; }

private:
    const Progress& progress_;
    Clock::time_point began_;
    double max_seconds_;
    std::size_t planned_;
    double share_ = 1;
    std::atomic<std::size_t> begun_{0};
    std::atomic<std::size_t> done_{0};
    std::atomic<bool> canceled_{false};
    std::atomic<bool> out_of_time_{false};
    std::atomic<bool> ever_out_of_time_{false};
};

// The best result of several searches; the lowest restart number among equals, so that timing does not matter.
struct Best {
    std::optional<Descent> descent;
    std::size_t restart = 0;

    void add(Descent found, std::size_t number) {
        if (descent &&
            (descent->objective < found.objective || (descent->objective == found.objective && restart < number)))
            return;
        descent = std::move(found);
        restart = number;
    }
};

// Searches with each setting, from the same number of starts. Settings alternate, so each gets searches before time is
// up.
std::vector<Best> search_all(const OptimalRows& data, std::span<const RowNumber> learned,
                             std::span<const OptimalTreeOptions> settings, const OptimalTreeSearch& search,
                             Watch& watch) {
    std::vector<LeafJudge> judges;
    for (const OptimalTreeOptions& options : settings) judges.emplace_back(data, learned, options);
    std::vector<Best> best(settings.size());
    std::mutex mutex;
    const auto restarts = static_cast<std::size_t>(restarts_of(search));
    parallel_for(restarts * settings.size(), search.threads, [&](std::size_t task) {
        const std::size_t setting = task % settings.size();
        const std::size_t restart = task / settings.size();
        // Each setting gets a tree, even if time is up.
        if (watch.stops() && (restart > 0 || watch.canceled())) return;
        watch.begun();
        Descent found = descend(judges[setting], learned, settings[setting], Rng(search.seed, Draw::restart, restart),
                                [&] { return watch.stops(); });
        watch.done();
        const std::lock_guard lock(mutex);
        best[setting].add(std::move(found), restart);
    });
    return best;
}

struct Choice {
    OptimalTreeOptions options;
    SearchTree tree;
    double cost = std::numeric_limits<double>::infinity();  // on held-out rows
    // False if no split was found: the complexity that would prevent splits is then unknown.
    bool has_complexity = true;
};

// Prunes the best trees and returns the tree with the lowest cost on held-out rows; the first and smallest among
// equals.
Choice choose(const OptimalRows& data, const RowSplit& split, std::span<const RowNumber> learned,
              std::span<const OptimalTreeOptions> settings, std::span<const Best> best,
              std::vector<OptimalTreeTrial>& tried) {
    const std::vector<RowNumber> held_out(split.held_out.begin(), split.held_out.end());
    Choice choice;
    for (std::size_t s = 0; s < settings.size(); ++s) {
        if (!best[s].descent) continue;
        const LeafJudge judge(data, learned, settings[s]);
        const std::vector<PrunedTree> sequence = weakest_links(best[s].descent->tree, judge);
        for (std::size_t i = sequence.size(); i-- > 0;) {
            OptimalTreeOptions options = settings[s];
            // Within the range of complexities where this tree is best.
            const double from = sequence[i].complexity;
            const bool is_last = i + 1 == sequence.size();
            options.complexity = is_last  ? 2 * from
                                 : i == 0 ? sequence[1].complexity / 2
                                          : std::sqrt(from * sequence[i + 1].complexity);
            const double cost = held_out.empty() ? 0 : cost_on(sequence[i].tree, judge, held_out);
            tried.push_back({options, split_count(sequence[i].tree), cost});
            if (!choice.tree.nodes.empty() && !(cost < choice.cost)) continue;
            choice = {options, sequence[i].tree, cost, sequence.size() > 1};
        }
    }
    return choice;
}

}  // namespace

int restarts_of(const OptimalTreeSearch& search) {
    if (search.restarts > 0) return search.restarts;
    return search.options.splits == OptimalSplits::axis ? 100 : 20;
}

std::vector<OptimalTreeOptions> optimal_tree_grid(const OptimalTreeOptions& options) {
    std::vector<OptimalTreeOptions> grid;
    for (const int depth : {5, 0})
        for (const std::size_t leaf_rows : {20U, 10U}) {
            grid.push_back(options);
            grid.back().depth = depth;
            grid.back().leaf_rows = leaf_rows;
        }
    return grid;
}

OptimalTreeFit fit_optimal_tree(const Matrix& encoded, const TreatedRows& study, std::span<const std::size_t> rows,
                                const OptimalTreeSearch& search, const Progress& progress) {
    if (rows.empty()) throw data_error("there are no rows to learn from");
    if (rows.size() > std::numeric_limits<RowNumber>::max())
        throw usage_error("optimal trees support at most 4,294,967,295 rows");
    if (search.options.treatment_rows < 1 || search.options.leaf_rows < 1)
        throw usage_error("the minimum rows per leaf and per prescribed treatment must be at least 1, not 0");
    if (search.restarts < 0)
        throw usage_error(fmt::format("the number of restarts must be at least 0, not {}", search.restarts));

    const OptimalRows data(encoded, study, rows);
    std::vector<RowNumber> all(data.count());
    std::iota(all.begin(), all.end(), RowNumber{0});
    const std::vector<OptimalTreeOptions> grid = optimal_tree_grid(search.options);
    OptimalTreeFit fit;
    fit.planned = (grid.size() + 1) * static_cast<std::size_t>(restarts_of(search));
    Watch watch(progress, search.max_seconds, fit.planned);

    std::vector<std::size_t> group;
    if (!study.group.empty()) group = picked(study.group, rows);
    const RowSplit split = group.empty() ? stratified_split(data.treatment, search.held_out, search.seed)
                                         : grouped_split(group, search.held_out, search.seed);
    const std::vector<RowNumber> learned(split.kept.begin(), split.kept.end());
    constexpr double share_of_choosing = 0.75;
    watch.allow(share_of_choosing);
    const std::vector<Best> of_settings = search_all(data, learned, grid, search, watch);
    if (watch.canceled() && watch.searches() == 0) throw Error(ErrorKind::canceled, "canceled");
    Choice choice = choose(data, split, learned, grid, of_settings, fit.tried);
    fit.chosen = choice.options;
    if (!split.held_out.empty()) fit.held_out_cost = choice.cost;

    const LeafJudge judge(data, all, fit.chosen);
    if (!watch.canceled() && choice.has_complexity) {
        watch.allow(1);
        std::vector<Best> best = search_all(data, all, std::span(&fit.chosen, 1), search, watch);
        if (best[0].descent) choice.tree = std::move(best[0].descent->tree);
    }
    fit.tree = in_original_units(choice.tree, judge, encoded, study, rows);
    fit.searches = watch.searches();
    fit.canceled = watch.canceled();
    fit.out_of_time = watch.out_of_time();
    return fit;
}

}  // namespace polyrx
