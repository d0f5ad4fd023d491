// SPDX-License-Identifier: Apache-2.0
// Compares a policy that was just learned with current practice and simple policies, on held-out predictions, and says
// whether it is recommended (docs/support.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/fit/judge_policy.hpp"
#include "polyrx/fit/learn_support.hpp"
#include "polyrx/fit/scored_study.hpp"
#include "polyrx/fit/teacher.hpp"

namespace polyrx {

// What is written where a simple policy is better than the one that was learned.
enum class Fallback {
    best,  // the simple one
    none,  // the learned one all the same
};

[[nodiscard]] std::string_view name_of(Fallback fallback);

struct RecommendOptions {
    double margin = 0;  // that the gain over practice must exceed
    Fallback fallback = Fallback::best;
};

// A policy before anybody has compared it with anything.
struct LearnedPolicy {
    const Policy& policy;
    const NetworkStudy& study;                 // the rows that it learned from
    TeacherPlan plan;                          // how to learn it again without some of them
    const ScoredStudy* scored = nullptr;       // with outcomes; none: there are too few rows
    const LearnedSupport* support = nullptr;   // none: it extrapolates
    const Matrix* held_out_outputs = nullptr;  // rows x treatments, where tuning has them already
    std::span<const std::size_t> group = {};   // rows that may err together
};

struct Recommended {
    Judgement judgement;
    Recommendation recommendation;             // of the policy that is written
    std::optional<ReluNetwork> fallback;       // of a simple policy, to be written instead
    std::string rival_name = {};               // of that
    bool fallback_has_scores = false;          // its outputs are scores, not predicted outcomes
    std::size_t folds = 0;                     // in which the policy was learned again
    std::size_t sampled_rows = 0;              // of many rows, so many were drawn; 0: all
    std::optional<Gain> extrapolating = {};    // over practice, without support; where that changes prescriptions
    std::size_t changed_by_extrapolation = 0;  // rows
};

[[nodiscard]] Recommended recommend(const LearnedPolicy& learned, const RecommendOptions& options, std::uint64_t seed,
                                    int threads, const Progress& progress = {});

}  // namespace polyrx
