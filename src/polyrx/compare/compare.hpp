// SPDX-License-Identifier: Apache-2.0
// Compares many methods on identical splits, in parallel. The result depends neither on their order nor on threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polyrx/compare/candidates.hpp"
#include "polyrx/compare/journal.hpp"
#include "polyrx/compare/plan_splits.hpp"
#include "polyrx/compare/score_split.hpp"

namespace polyrx {

struct CompareOptions {
    SplitPlan plan = Folds{};
    std::uint64_t seed = 1;
    int threads = 1;
};

// Why a method has no score for a split. Resuming tries it again.
struct FailedSplit {
    std::size_t split = 0;
    std::string why;
};

struct CandidateScores {
    std::string name;
    std::vector<SplitScore> splits;  // empty scores for failed splits
    std::vector<FailedSplit> failed;
};

struct Comparison {
    std::size_t rows = 0;
    std::size_t treatments = 0;
    SplitPlan plan;
    std::uint64_t seed = 0;
    bool has_truth = false;
    Objective objective = Objective::min;
    std::optional<double> support = {};  // epsilon of the support that all methods share; empty: they extrapolate
    std::vector<PlannedSplit> splits;
    std::vector<CandidateScores> candidates;  // in the given order
};

// The mean over splits, and its standard error, which needs at least two splits.
struct MeanScore {
    double mean = 0;
    std::optional<double> standard_error;
};

// Empty for a method that failed on a split, because its mean would be over other rows than those of the other methods.
[[nodiscard]] std::optional<MeanScore> mean_over_splits(
    const CandidateScores& candidate, const std::function<std::optional<double>(const SplitScore&)>& figure);

// The same of what a candidate has more of than another, split by split: each split is held out for both.
[[nodiscard]] std::optional<MeanScore> mean_difference(
    const CandidateScores& candidate, const CandidateScores& other,
    const std::function<std::optional<double>(const SplitScore&)>& figure);

struct CompareListeners {  // never called from two threads at once
    Progress progress = {};
    std::function<void(const CandidateScores&)> finished = {};  // all splits of a candidate
};

// Scores in the journal are reused; new scores are added to it one by one.
[[nodiscard]] Comparison compare(const Study& study, std::span<const Candidate> candidates,
                                 const CompareOptions& options, Journal* journal = nullptr,
                                 const CompareListeners& listeners = {});

}  // namespace polyrx
