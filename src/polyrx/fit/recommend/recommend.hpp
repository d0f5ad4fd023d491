// SPDX-License-Identifier: Apache-2.0
// Compares a newly learned policy with current practice and simple policies on held-out predictions, and decides
// whether to recommend it (docs/support.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/fit/distill/teacher.hpp"
#include "polyrx/fit/learn/learn_support.hpp"
#include "polyrx/fit/recommend/judge_policy.hpp"
#include "polyrx/fit/recommend/scored_study.hpp"

namespace polyrx {

// Which policy to write if a safer policy is preferred to the learned one.
enum class Fallback {
    best,  // the safer policy
    none,  // the learned policy
};

[[nodiscard]] std::string_view name_of(Fallback fallback);

struct RecommendOptions {
    double margin = 0;  // that the gain over practice must exceed
    Fallback fallback = Fallback::best;
};

// A policy that replaces the learned one: a simple one, or the learned one with stricter support.
struct FallbackPolicy {
    std::string name;                         // "always B", "the most likely treatment"
    std::optional<ReluNetwork> network = {};  // for simple policies: the mean outcome of each treatment
    std::optional<Support> support = {};      // replaces the learned policy's support, if present
};

// A policy before the comparison.
struct LearnedPolicy {
    const Policy& policy;
    const NetworkStudy& study;                 // its training rows
    TeacherPlan plan;                          // how to refit it without some of them
    const ScoredStudy* scored = nullptr;       // with outcomes; none if there are too few rows
    const LearnedSupport* support = nullptr;   // none: it extrapolates
    const Matrix* held_out_outputs = nullptr;  // rows x treatments, if tuning has computed them
};

struct Recommended {
    Judgment judgment;
    Recommendation recommendation;                // of the policy that is written
    std::optional<FallbackPolicy> fallback = {};  // written instead of the learned policy
    std::size_t folds = 0;                        // number of folds in which the policy was refitted
    std::size_t sampled_rows = 0;                 // used for the comparison; 0: all rows
    std::optional<Gain> extrapolating = {};       // gain over practice without support, if that changes prescriptions
    std::size_t changed_by_extrapolation = 0;     // number of rows
};

[[nodiscard]] Recommended recommend(const LearnedPolicy& learned, const RecommendOptions& options, std::uint64_t seed,
                                    int threads, const Progress& progress = {});

}  // namespace polyrx
