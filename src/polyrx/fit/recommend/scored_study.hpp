// SPDX-License-Identifier: Apache-2.0
// What flexible models say of the rows that a policy is learned from: propensities and outcomes, each from models that
// did not see the row. Support is checked against them, and the recommendation rests on them.
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
    std::vector<std::size_t> rows;  // of the study; of many rows, some are drawn
    bool drawn = false;             // they are not all
    Nuisances nuisances;            // of these rows; outcomes where they were asked for
    bool design = false;            // the propensities are known by design
    // Of outcomes as `study.outcome` has them, for bounds; none: that of the rows.
    std::optional<OutcomeRange> range = {};
};

// Of more rows than this, which is where half of them are more than models are trained on, `most_training_rows` are
// drawn, stratified by treatment.
inline constexpr std::size_t many_rows = 2 * most_training_rows;

// Nothing where there are too few rows, or groups, of a treatment to cross-fit anything.
[[nodiscard]] std::optional<ScoredStudy> score_study(const NetworkStudy& study, bool outcomes, std::uint64_t seed,
                                                     int threads, const Progress& progress = {});

// What support is learned from; `scored` is what candidates must not contradict, if there is anything.
[[nodiscard]] SupportStudy support_study(const NetworkStudy& study, const ScoredStudy* scored);

}  // namespace polyrx
