// SPDX-License-Identifier: Apache-2.0
// One method on one split: learn from the kept rows, prescribe for the others, score what was prescribed.
#pragma once

#include <optional>

#include "polyrx/baselines/baseline_size.hpp"
#include "polyrx/compare/candidates.hpp"
#include "polyrx/compare/plan_splits.hpp"
#include "polyrx/core/matrix.hpp"
#include "polyrx/evaluate/value/outcome_range.hpp"
#include "polyrx/nuisance/nuisances.hpp"

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
    // Value in the units of the outcome: doubly robust where the prescription is supported, the worst possible outcome
    // where it is not.
    std::optional<double> doubly_robust;
    std::optional<double> supported;    // share of the prescriptions
    BaselineSize size;                  // a network is neither read leaf by leaf nor term by term
    std::optional<double> fit_seconds;  // of the clock on the wall, with one thread
    std::optional<double> prescribe_seconds;

    // Everything but the times, which are never the same twice.
    [[nodiscard]] bool same_scores(const SplitScore& other) const;
};

// What prescriptions for the held-out rows of a split are valued by: models of these rows alone, cross-fitted. Every
// method is valued by the same ones.
struct ValuedSplit {
    Nuisances nuisances;
    std::vector<TreatmentSet> supported;
    OutcomeRange range;
    bool by_design = false;
};

// Throws a data error where a treatment has too few of the rows.
[[nodiscard]] ValuedSplit value_split(const Study& study, const PlannedSplit& split, const Progress& progress = {});

// The support that the kept rows of a split show; nothing where the study extrapolates.
[[nodiscard]] std::optional<Support> split_support(const Study& study, const PlannedSplit& split,
                                                   const Progress& progress = {});

// What all methods share in a split.
struct SplitBasis {
    std::optional<ValuedSplit> valued = {};  // value_split(), where that is possible
    std::optional<Support> support = {};     // split_support()
};

// The fit sees the kept rows and nothing else.
[[nodiscard]] SplitScore score_split(const Candidate& candidate, const Study& study, const PlannedSplit& split,
                                     const SplitBasis& basis, const Progress& progress = {});

}  // namespace polyrx
