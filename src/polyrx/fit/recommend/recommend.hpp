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
#include "polyrx/fit/distill/teacher.hpp"
#include "polyrx/fit/learn/learn_support.hpp"
#include "polyrx/fit/recommend/judge_policy.hpp"
#include "polyrx/fit/recommend/scored_study.hpp"

namespace polyrx {

// What is written where a safer policy is preferred to the one that was learned.
enum class Fallback {
    best,  // the safer policy
    none,  // the learned policy
};

[[nodiscard]] std::string_view name_of(Fallback fallback);

struct RecommendOptions {
    double margin = 0;  // that the gain over practice must exceed
    Fallback fallback = Fallback::best;
};

// A policy that is written in place of the learned one: a simple one, or the learned one within a stricter support.
struct FallbackPolicy {
    std::string name;                         // "always B", "the most likely treatment"
    std::optional<ReluNetwork> network = {};  // of a simple one: the mean outcome of each treatment
    std::optional<Support> support = {};      // in place of the learned policy's, if it has one of its own
};

// A policy before it is compared with others.
struct LearnedPolicy {
    const Policy& policy;
    const NetworkStudy& study;                 // the rows that it learned from
    TeacherPlan plan;                          // how to learn it again without some of them
    const ScoredStudy* scored = nullptr;       // with outcomes; none: there are too few rows
    const LearnedSupport* support = nullptr;   // none: it extrapolates
    const Matrix* held_out_outputs = nullptr;  // rows x treatments, where tuning has them already
};

struct Recommended {
    Judgment judgment;
    Recommendation recommendation;                // of the policy that is written
    std::optional<FallbackPolicy> fallback = {};  // to be written instead of the learned one
    std::size_t folds = 0;                        // in which the policy was refitted
    std::size_t sampled_rows = 0;                 // used for the comparison; 0: all rows
    std::optional<Gain> extrapolating = {};       // over practice, without support, if that changes prescriptions
    std::size_t changed_by_extrapolation = 0;     // rows
};

[[nodiscard]] Recommended recommend(const LearnedPolicy& learned, const RecommendOptions& options, std::uint64_t seed,
                                    int threads, const Progress& progress = {});

}  // namespace polyrx
