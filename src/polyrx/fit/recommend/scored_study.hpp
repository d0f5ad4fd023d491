// SPDX-License-Identifier: Apache-2.0
// Cross-fitted propensities and outcomes of flexible models for the rows that a policy is learned from. Support is
// checked against them, and the recommendation is based on them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/evaluate/value/outcome_range.hpp"
#include "polyrx/fit/learn/learn_network.hpp"
#include "polyrx/fit/learn/learn_support.hpp"
#include "polyrx/nuisance/nuisances.hpp"

namespace polyrx {

struct ScoredStudy {
    std::vector<std::size_t> rows;  // of the study; a sample if there are many
    bool drawn = false;             // the rows are a sample
    Nuisances nuisances;            // of these rows; outcomes only if requested
    bool design = false;            // the propensities are known by design
    // The range of `study.outcome`, for bounds; none: the observed range.
    std::optional<OutcomeRange> range = {};
};

// Of more rows than this, `most_training_rows` are sampled, stratified by treatment. Above it, half of the rows would
// already be more than models are trained on.
inline constexpr std::size_t many_rows = 2 * most_training_rows;

// Returns nothing if a treatment has too few rows or groups for cross-fitting.
[[nodiscard]] std::optional<ScoredStudy> score_study(const NetworkStudy& study, bool outcomes, std::uint64_t seed,
                                                     int threads, const Progress& progress = {});

// The input of learn_support(). Candidates must not contradict `scored`, if present.
[[nodiscard]] SupportStudy support_study(const NetworkStudy& study, const ScoredStudy* scored);

}  // namespace polyrx
