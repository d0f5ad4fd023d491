// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <numeric>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"

namespace polyrx {
namespace {

// Where the pairs of candidate and split stand. Everything that threads share is behind its one lock: the listeners,
// the journal, and what is still open.
class Board {
public:
    Board(Comparison& comparison, Journal* journal, const CompareListeners& listeners)
        : comparison_(comparison),
          journal_(journal),
          listeners_(listeners),
          share_(comparison.candidates.size() * comparison.splits.size()),
          open_(comparison.candidates.size(), comparison.splits.size()) {}

    // Pairs by number, all splits of a candidate in a row.
    [[nodiscard]] std::size_t pairs() const { return share_.size(); }
    [[nodiscard]] std::size_t candidate_of(std::size_t pair) const { return pair / comparison_.splits.size(); }
    [[nodiscard]] std::size_t split_of(std::size_t pair) const { return pair % comparison_.splits.size(); }

    // The share done of the whole. Work inside a pair has stages, each of which counts from 0 again.
    [[nodiscard]] Progress progress(std::size_t pair) {
        return [this, pair](double share_done, std::string_view) {
            const std::lock_guard lock(mutex_);
            share_[pair] = std::max(share_[pair], share_done);
            const double sum = std::accumulate(share_.begin(), share_.end(), 0.0);
            return !listeners_.progress || listeners_.progress(sum / static_cast<double>(pairs()), "comparing");
        };
    }

    [[nodiscard]] bool take_from_journal(std::size_t pair) {
        const std::lock_guard lock(mutex_);
        const SplitScore* known =
            journal_ ? journal_->find(comparison_.candidates[candidate_of(pair)].name, split_of(pair)) : nullptr;
        if (known == nullptr) return false;
        finish(pair, *known);
        return true;
    }

    void enter(std::size_t pair, const SplitScore& score) {
        const std::lock_guard lock(mutex_);
        if (journal_) journal_->add(comparison_.candidates[candidate_of(pair)].name, split_of(pair), score);
        finish(pair, score);
    }

    void enter_failure(std::size_t pair, const std::string& why) {
        const std::lock_guard lock(mutex_);
        comparison_.candidates[candidate_of(pair)].failed.push_back({split_of(pair), why});
        finish(pair, {});
    }

private:
    void finish(std::size_t pair, const SplitScore& score) {
        share_[pair] = 1;
        CandidateScores& candidate = comparison_.candidates[candidate_of(pair)];
        candidate.splits[split_of(pair)] = score;
        if (--open_[candidate_of(pair)] > 0) return;
        std::ranges::sort(candidate.failed, {}, &FailedSplit::split);
        if (listeners_.finished) listeners_.finished(candidate);
    }

    Comparison& comparison_;
    Journal* journal_;
    const CompareListeners& listeners_;
    std::vector<double> share_;      // of each pair
    std::vector<std::size_t> open_;  // splits of each candidate
    std::mutex mutex_;
};

// What all methods share in each split, made when the first candidate asks for it.
class SplitBases {
public:
    SplitBases(const Study& study, const Comparison& comparison)
        : study_(study), comparison_(comparison), made_(comparison.splits.size()) {}

    // Without values where the held-out rows are too few, or what was given to them too one-sided.
    [[nodiscard]] const SplitBasis& of(std::size_t split, const Progress& progress) {
        Made& made = made_[split];
        const std::lock_guard lock(made.mutex);
        if (!made.is_done) {
            const PlannedSplit& planned = comparison_.splits[split];
            try {  // what a method cannot learn from, it says itself
                made.basis.support = split_support(study_, planned, progress);
                made.basis.valued = value_split(study_, planned, progress);
            } catch (const Error& error) {
                if (error.kind() == ErrorKind::canceled) throw;
            }
            made.is_done = true;
        }
        return made.basis;
    }

private:
    struct Made {
        std::mutex mutex;
        bool is_done = false;
        SplitBasis basis;
    };
    const Study& study_;
    const Comparison& comparison_;
    std::deque<Made> made_;
};

void check_truth(const Study& study) {
    if (!study.truth) return;
    const auto rows = static_cast<Eigen::Index>(study.observations.rows());
    const auto treatments = static_cast<Eigen::Index>(study.observations.treatments.size());
    if (study.truth->rows() != rows || study.truth->cols() != treatments)
        throw usage_error(fmt::format("the truth of {} rows and {} treatments was expected, not of {} and {}", rows,
                                      treatments, study.truth->rows(), study.truth->cols()));
}

std::optional<MeanScore> mean_score(const std::vector<double>& values) {
    if (values.empty()) return std::nullopt;
    const auto count = static_cast<double>(values.size());
    MeanScore score{std::accumulate(values.begin(), values.end(), 0.0) / count, std::nullopt};
    if (values.size() < 2) return score;
    double squares = 0;
    for (const double value : values) squares += (value - score.mean) * (value - score.mean);
    score.standard_error = std::sqrt(squares / (count - 1) / count);
    return score;
}

}  // namespace

std::optional<MeanScore> mean_over_splits(const CandidateScores& candidate,
                                          const std::function<std::optional<double>(const SplitScore&)>& figure) {
    std::vector<double> values;
    for (const SplitScore& split : candidate.splits) {
        const std::optional<double> value = figure(split);
        if (!value) return std::nullopt;
        values.push_back(*value);
    }
    return mean_score(values);
}

std::optional<MeanScore> mean_difference(const CandidateScores& candidate, const CandidateScores& other,
                                         const std::function<std::optional<double>(const SplitScore&)>& figure) {
    std::vector<double> differences;
    for (std::size_t split = 0; split < candidate.splits.size(); ++split) {
        const std::optional<double> value = figure(candidate.splits[split]);
        const std::optional<double> reference = figure(other.splits[split]);
        if (!value || !reference) return std::nullopt;
        differences.push_back(*value - *reference);
    }
    return mean_score(differences);
}

Comparison compare(const Study& study, std::span<const Candidate> candidates, const CompareOptions& options,
                   Journal* journal, const CompareListeners& listeners) {
    check_truth(study);
    Comparison comparison;
    comparison.rows = study.observations.rows();
    comparison.treatments = study.observations.treatments.size();
    comparison.plan = options.plan;
    comparison.seed = options.seed;
    comparison.has_truth = study.truth.has_value();
    comparison.objective = study.objective;
    comparison.support = study.support;
    comparison.splits = plan_splits(study.observations, options.plan, options.seed);
    for (const Candidate& candidate : candidates)
        comparison.candidates.push_back({candidate.name, std::vector<SplitScore>(comparison.splits.size()), {}});

    Board board(comparison, journal, listeners);
    SplitBases bases(study, comparison);
    parallel_for(board.pairs(), options.threads, [&](std::size_t pair) {
        if (board.take_from_journal(pair)) return;
        const Candidate& candidate = candidates[board.candidate_of(pair)];
        SplitScore score;
        try {
            const Progress progress = board.progress(pair);
            const std::size_t split = board.split_of(pair);
            score = score_split(candidate, study, comparison.splits[split], bases.of(split, progress), progress);
        } catch (const Error& error) {
            // What one method cannot do is said of it, and the others go on.
            if (error.kind() == ErrorKind::canceled) throw;
            return board.enter_failure(pair, error.what());
        }
        board.enter(pair, score);
    });
    return comparison;
}

}  // namespace polyrx
