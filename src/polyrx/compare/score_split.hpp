// SPDX-License-Identifier: Apache-2.0
// One method on one split: learn from the kept rows, prescribe for the others, score what was prescribed.
#pragma once

#include <optional>

#include "polyrx/baselines/baseline_size.hpp"
#include "polyrx/compare/candidates.hpp"
#include "polyrx/compare/plan_splits.hpp"
#include "polyrx/core/matrix.hpp"

namespace polyrx {

// What methods are compared on.
struct Study {
    Observations observations;
    Schema schema = {};
    Objective objective = Objective::min;
    std::optional<Matrix> truth = {};  // rows x K: the true outcome of every treatment
    // Epsilon: all methods keep to the same support. None: they are shown as published, and extrapolate.
    std::optional<double> support = default_epsilon;
};

// Scores of the held-out rows, each of which counts once. Those that do not apply are empty.
struct SplitScore {
    std::optional<double> accuracy;  // with truth
    std::optional<double> regret;    // with truth
    // Without truth, of methods that predict outcomes: equation (1) of the paper. The method is judged by its own
    // predictions, so this is no measure of how good it is.
    std::optional<double> self_assessed;
    std::optional<double> doubly_robust;  // value, in the units of the outcome
    BaselineSize size;                    // a network is neither read leaf by leaf nor term by term
    std::optional<double> fit_seconds;    // of the clock on the wall, with one thread
    std::optional<double> prescribe_seconds;

    // Everything but the times, which are never the same twice.
    [[nodiscard]] bool same_scores(const SplitScore& other) const;
};

// Doubly robust scores of the held-out rows, from models of these rows alone, cross-fitted: every method is valued by
// the same ones. Throws a data error where a treatment has too few of the rows.
[[nodiscard]] Matrix split_scores(const Study& study, const PlannedSplit& split, const Progress& progress = {});

// The support that the kept rows of a split show; nothing where the study extrapolates.
[[nodiscard]] std::optional<Support> split_support(const Study& study, const PlannedSplit& split,
                                                   const Progress& progress = {});

// What all methods share in a split.
struct SplitBasis {
    std::optional<Matrix> scores = {};    // split_scores(), where there are any
    std::optional<Support> support = {};  // split_support()
};

// The fit sees the kept rows and nothing else.
[[nodiscard]] SplitScore score_split(const Candidate& candidate, const Study& study, const PlannedSplit& split,
                                     const SplitBasis& basis, const Progress& progress = {});

}  // namespace polyrx
