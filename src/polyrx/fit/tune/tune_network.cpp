// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/tune/tune_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <set>
#include <string_view>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/core/rng.hpp"

namespace polyrx {
namespace {

using Clock = std::chrono::steady_clock;

// The share of folds used so far, and the share of candidates that continue in the next round.
struct Round {
    double folds;  // share of all folds
    double kept;   // share of a family's candidates
};
constexpr Round rounds[] = {{0.2, 0.3}, {0.6, 0.2}, {1.0, 0}};
constexpr std::size_t least_survivors = 6;  // leaves enough candidates to choose among

// Remarks on eliminated candidates.
constexpr std::string_view diverged = "diverged";
constexpr std::string_view cannot_learn = "cannot learn from a fold";  // for example, if all of its outcomes are equal

// Shares of the progress bar.
constexpr double judging_share = 0.1;

// Approximate training time, in the same unit for all candidates.
double work_of(const NetworkOptions& options, std::size_t inputs, std::size_t rows) {
    double weights = 0;
    double before = static_cast<double>(inputs);
    for (const int width : options.hidden) {
        weights += before * width;
        before = width;
    }
    return (weights + before) * epochs_for(options, rows) * options.members;
}

// Propensities from few rows are unreliable, so this prefers a candidate without balance.
Tuning untried(const std::vector<NetworkOptions>& candidates, std::string_view why) {
    const auto without = std::ranges::find(candidates, 0, &NetworkOptions::balance);
    const NetworkOptions& first = without == candidates.end() ? candidates.front() : *without;
    Tuning tuning;
    tuning.chosen = {first};
    tuning.trials.push_back({.options = first, .loss = {}, .chosen = 1});
    tuning.why_untried = why;
    return tuning;
}

// A treatment that only one group received cannot be learned without that group.
std::size_t fewest_groups_of_a_treatment(const Observations& observations, std::span<const std::size_t> group) {
    std::vector<std::set<std::size_t>> groups(observations.treatments.size());
    for (std::size_t i = 0; i < group.size(); ++i)
        groups[static_cast<std::size_t>(observations.treatment[i])].insert(group[i]);
    return std::ranges::min(groups, {}, [](const auto& each) { return each.size(); }).size();
}

class Tuner {
public:
    Tuner(const NetworkStudy& study, const std::vector<NetworkOptions>& candidates, std::span<const std::size_t> group,
          const TuningOptions& options, std::uint64_t seed, int threads, const Progress& progress)
        : study_(study),
          options_(options),
          seed_(seed),
          threads_(threads),
          progress_(progress),
          began_(Clock::now()),
          treated_{study.features,
                   study.observations.treatment,
                   static_cast<int>(study.observations.treatments.size()),
                   study.outcome,
                   study.observations.weight,
                   group,
                   study.observations.known_design()},
          held_out_allowed_(study.allowed_from ? study.observations.rows() : study.allowed.size()),
          judge_(treated_,
                 {.criterion = options.criterion,
                  .folds = options.folds,
                  .least_propensity = options.least_propensity,
                  .group = group,
                  .allowed = held_out_allowed_,
                  .seed = seed,
                  .threads = threads},
                 part(0, judging_share)),
          held_out_(candidates.size(), std::vector<Matrix>(judge_.folds().size())) {
        study_.propensity = judge_.propensity();
        if (study_.allowed_from)
            learn_support_of_folds();
        else
            std::ranges::copy(study_.allowed, held_out_allowed_.begin());
        for (const NetworkOptions& candidate : candidates) {
            Family& family = candidate.effects.wanted() ? families_[0] : families_[1];
            family.alive.push_back(result_.trials.size());
            ++family.candidates;
            result_.trials.push_back({.options = candidate});
        }
    }

    Tuning run() {
        const auto folds = static_cast<double>(judge_.folds().size());
        std::size_t from = 0;
        double share_done = judging_share;
        for (const Round& round : rounds) {
            const auto to = std::max(from + 1, static_cast<std::size_t>(std::lround(round.folds * folds)));
            if (to > judge_.folds().size()) break;
            const double share_after =
                judging_share + (1 - judging_share) * round.folds;  // later rounds take less than this share
            try_on(from, to, part(share_done, share_after));
            share_done = share_after;
            from = to;
            for (Family& family : families_) rank(family.alive, to);
            if (result_.out_of_time) break;
            for (Family& family : families_) {
                const auto kept =
                    static_cast<std::size_t>(std::ceil(round.kept * static_cast<double>(family.candidates)));
                family.alive.resize(std::min(family.alive.size(), std::max(kept, least_survivors)));
            }
        }
        choose();
        result_.propensity = judge_.propensity();
        return std::move(result_);
    }

private:
    // Settings that are halved and averaged separately.
    struct Family {
        std::vector<std::size_t> alive;
        std::size_t candidates = 0;  // initial number
    };

    [[nodiscard]] Progress part(double from, double to) const { return part_of_work(progress_, from, to, "tuning"); }

    [[nodiscard]] bool is_late() const {
        return options_.max_seconds > 0 &&
               std::chrono::duration<double>(Clock::now() - began_).count() > options_.max_seconds;
    }

    // Trains the candidates on the folds from..to-1, the longest first, so that no core waits for the last.
    void try_on(std::size_t from, std::size_t to, const Progress& progress) {
        std::vector<std::pair<std::size_t, std::size_t>> tasks;
        for (std::size_t fold = from; fold < to; ++fold)
            for (const Family& family : families_)
                for (const std::size_t candidate : family.alive) tasks.emplace_back(candidate, fold);
        const auto work = [&](const std::pair<std::size_t, std::size_t>& task) {
            return work_of(result_.trials[task.first].options, static_cast<std::size_t>(study_.encoded.cols()),
                           study_.outcome.size());
        };
        std::ranges::stable_sort(tasks, std::greater(), work);
        double total = 0;
        for (const auto& task : tasks) total += work(task);
        double done = 0;
        std::mutex lock;
        const Progress training = side_by_side(
            progress,
            [&] {
                const std::scoped_lock held(lock);
                return done / total;
            },
            "tuning");
        parallel_for(tasks.size(), threads_, [&](std::size_t i) {
            const auto [candidate, fold] = tasks[i];
            if (is_late()) return;
            try {
                held_out_[candidate][fold] = predicted(candidate, fold, training);
            } catch (const Diverged&) {
                const std::scoped_lock held(lock);
                rule_out(candidate, diverged);
            } catch (const Error& error) {
                if (error.kind() != ErrorKind::data) throw;
                const std::scoped_lock held(lock);
                rule_out(candidate, cannot_learn);
            }
            const std::scoped_lock held(lock);
            done += work(tasks[i]);
        });
        result_.out_of_time = result_.out_of_time || is_late();
    }

    void rule_out(std::size_t candidate, std::string_view why) {
        result_.trials[candidate].remark = why;
        result_.trials[candidate].loss.reset();
    }
    [[nodiscard]] bool is_out(std::size_t candidate) const {
        return result_.trials[candidate].remark == diverged || result_.trials[candidate].remark == cannot_learn;
    }

    // Learns the support of each fold without its held-out rows.
    void learn_support_of_folds() {
        allowed_.resize(judge_.folds().size());
        parallel_for(allowed_.size(), threads_, [&](std::size_t fold) {
            const RowSplit& split = judge_.folds()[fold];
            allowed_[fold] = study_.allowed_from(split.kept);
            for (const std::size_t row : split.held_out) held_out_allowed_[row] = allowed_[fold][row];
        });
    }

    [[nodiscard]] Matrix predicted(std::size_t candidate, std::size_t fold, const Progress& progress) const {
        const RowSplit& split = judge_.folds()[fold];
        // Networks of one fold start from the same seed, so that candidates differ by their settings, not by chance.
        const std::uint64_t seed = Rng(seed_, Draw::member, fold).next();
        NetworkStudy study = study_;
        if (!allowed_.empty()) study.allowed = allowed_[fold];
        const LearnedNetwork learned =
            learn_network(study, split.kept, result_.trials[candidate].options, seed, 1, progress);
        return forward(learned.network, study_.encoded(split.held_out, Eigen::all));
    }

    // Rows of the first `folds` folds, one fold after the other.
    [[nodiscard]] std::vector<std::size_t> held_out_rows(std::size_t folds) const {
        std::vector<std::size_t> rows;
        for (std::size_t fold = 0; fold < folds; ++fold)
            rows.insert(rows.end(), judge_.folds()[fold].held_out.begin(), judge_.folds()[fold].held_out.end());
        return rows;
    }

    // Scores the candidates that were tried on the first `folds` folds, and sorts them by loss.
    void rank(std::vector<std::size_t>& alive, std::size_t folds) {
        const std::vector<std::size_t> rows = held_out_rows(folds);
        for (const std::size_t candidate : alive) {
            TuningTrial& trial = result_.trials[candidate];
            const std::optional<Matrix> together = joined(candidate, folds);
            if (trial.remark.empty() && !together) trial.remark = "out of time";
            if (!trial.remark.empty()) continue;
            trial.loss = judge_.loss(rows, *together);
            trial.folds = folds;
        }
        std::erase_if(alive, [&](std::size_t candidate) { return is_out(candidate); });
        std::vector<std::size_t> finished;
        std::ranges::copy_if(alive, std::back_inserter(finished),
                             [&](std::size_t candidate) { return result_.trials[candidate].folds == folds; });
        // If time ran out before any finished, the survivors of the previous round stay as they are.
        if (!finished.empty()) alive = std::move(finished);
        std::erase_if(alive, [&](std::size_t candidate) { return !result_.trials[candidate].loss; });
        std::ranges::stable_sort(alive, {}, [&](std::size_t candidate) { return *result_.trials[candidate].loss; });
    }

    // Predictions of a candidate for held_out_rows(); nothing unless it was tried on all of these folds.
    [[nodiscard]] std::optional<Matrix> joined(std::size_t candidate, std::size_t folds) const {
        Eigen::Index rows = 0;
        for (std::size_t fold = 0; fold < folds; ++fold) rows += held_out_[candidate][fold].rows();
        Matrix together(rows, treated_.treatments);
        Eigen::Index first = 0;
        for (std::size_t fold = 0; fold < folds; ++fold) {
            const Matrix& part = held_out_[candidate][fold];
            if (part.rows() == 0) return std::nullopt;
            together.middleRows(first, part.rows()) = part;
            first += part.rows();
        }
        return together;
    }

    // A set of networks, with their mean prediction for held_out_rows().
    struct Average {
        std::vector<std::size_t> candidates;  // some more than once
        std::size_t folds = 0;
        Matrix predicted;
    };

    // A network whose errors differ from the others' adds more than one that is slightly better alone. Selection is
    // with replacement, so an average can weight one setting more than another.
    [[nodiscard]] Average average_of(const std::vector<std::size_t>& alive) const {
        Average average;
        average.folds = result_.trials[alive.front()].folds;
        const std::vector<std::size_t> rows = held_out_rows(average.folds);
        std::vector<Matrix> predicted;
        for (const std::size_t candidate : alive) predicted.push_back(*joined(candidate, average.folds));
        Matrix sum = Matrix::Zero(static_cast<Eigen::Index>(rows.size()), treated_.treatments);
        for (std::size_t count = 1; count <= std::max<std::size_t>(options_.averaged, 1); ++count) {
            std::vector<double> losses(alive.size());
            parallel_for(alive.size(), threads_, [&](std::size_t i) {
                losses[i] = judge_.loss(rows, (sum + predicted[i]) / static_cast<double>(count));
            });
            const auto best = static_cast<std::size_t>(std::ranges::min_element(losses) - losses.begin());
            sum += predicted[best];
            average.candidates.push_back(alive[best]);
        }
        average.predicted = sum / static_cast<double>(average.candidates.size());
        return average;
    }

    // Better by more than a standard error of the difference, on the folds that both were tried on (time may have run
    // out).
    [[nodiscard]] bool is_better(const Average& other, const Average& preferred) const {
        const std::vector<std::size_t> rows = held_out_rows(std::min(other.folds, preferred.folds));
        const auto count = static_cast<Eigen::Index>(rows.size());
        const MeanEstimate excess =
            judge_.excess(rows, preferred.predicted.topRows(count), other.predicted.topRows(count));
        return excess.known && excess.known->value > excess.known->standard_error;
    }

    void choose() {
        std::optional<Average> best;
        for (const Family& family : families_) {
            if (family.alive.empty()) continue;
            Average average = average_of(family.alive);
            if (!best || is_better(average, *best)) best = std::move(average);
        }
        if (!best && result_.out_of_time) {  // no candidate has a loss
            result_.chosen = {result_.trials.front().options};
            result_.trials.front().chosen = 1;
            return;
        }
        if (!best && std::ranges::find(result_.trials, cannot_learn, &TuningTrial::remark) != result_.trials.end()) {
            std::vector<NetworkOptions> candidates;
            for (const TuningTrial& trial : result_.trials) candidates.push_back(trial.options);
            result_ = untried(candidates, "too few rows with another outcome");
            return;
        }
        if (!best) throw other_error("tuning: the training of every candidate diverged");
        for (const std::size_t candidate : best->candidates) {
            ++result_.trials[candidate].chosen;
            result_.chosen.push_back(result_.trials[candidate].options);
        }
        if (best->folds < judge_.folds().size()) return;
        result_.held_out.emplace(study_.encoded.rows(), treated_.treatments);
        const std::vector<std::size_t> rows = held_out_rows(best->folds);
        (*result_.held_out)(rows, Eigen::all) = best->predicted;
    }

    NetworkStudy study_;  // with propensities
    const TuningOptions& options_;
    std::uint64_t seed_;
    int threads_;
    const Progress& progress_;
    Clock::time_point began_;
    TreatedRows treated_;
    std::vector<std::vector<TreatmentSet>> allowed_;  // by fold: with support learned without it; may be empty
    std::vector<TreatmentSet> held_out_allowed_;      // of each row, from the fold that holds it out
    TuningJudge judge_;
    std::vector<std::vector<Matrix>> held_out_;  // predictions by candidate and fold
    // With and without effect neurons. The first are preferred: their predictions for treatments that a kind of row
    // never receives are learned from other rows, and no held-out row can evaluate them (docs/decisions/0016).
    std::array<Family, 2> families_;
    Tuning result_;
};

}  // namespace

Tuning tune_network(const NetworkStudy& study, const std::vector<NetworkOptions>& candidates,
                    std::span<const std::size_t> group, const TuningOptions& options, std::uint64_t seed, int threads,
                    const Progress& progress) {
    if (candidates.empty()) throw usage_error("tuning needs at least one candidate");
    for (const NetworkOptions& candidate : candidates) check_network_options(candidate);
    std::vector<NetworkOptions> tried = candidates;
    if (options.candidates > 0) tried.resize(std::min(tried.size(), options.candidates));
    std::vector<std::size_t> rows(study.observations.treatments.size());
    for (const int treatment : study.observations.treatment) ++rows[static_cast<std::size_t>(treatment)];
    if (tried.size() == 1) return untried(tried, "");
    if (*std::ranges::min_element(rows) < std::max<std::size_t>(options.folds, 2))
        return untried(tried, "too few rows of a treatment");
    if (!group.empty() && fewest_groups_of_a_treatment(study.observations, group) < 2)
        return untried(tried, "too few groups of a treatment");
    return Tuner(study, tried, group, options, seed, threads, progress).run();
}

std::string tuning_log(const Tuning& tuning) {
    std::string text =
        "candidate,folds,loss,chosen,remark,hidden,weight_decay,effect_shrinkage,shrink,effect_share,effect_decay,"
        "balance,epochs,"
        "steps,mu,learning_rate,"
        "members\n";
    for (std::size_t i = 0; i < tuning.trials.size(); ++i) {
        const TuningTrial& trial = tuning.trials[i];
        const NetworkOptions& options = trial.options;
        std::string hidden;
        for (const int width : options.hidden) hidden += fmt::format("{}{}", hidden.empty() ? "" : " ", width);
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", i + 1, trial.folds,
                            trial.loss ? fmt::format("{}", *trial.loss) : "", trial.chosen, trial.remark, hidden,
                            options.weight_decay, options.effect_shrinkage, name_of(options.shrunk),
                            options.effects.share, options.effects.decay, options.balance,
                            options.epochs ? fmt::format("{}", *options.epochs) : "auto", options.steps, options.mu,
                            options.learning_rate, options.members);
    }
    return text;
}

}  // namespace polyrx
