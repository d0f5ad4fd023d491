// SPDX-License-Identifier: Apache-2.0
// One method on one split: fits on the training rows, and scores its prescriptions for the held-out rows.
#pragma once

#include <optional>

#include "polyrx/baselines/baseline_size.hpp"
#include "polyrx/compare/candidates.hpp"
#include "polyrx/compare/plan_splits.hpp"
#include "polyrx/core/matrix.hpp"
#include "polyrx/evaluate/value/outcome_range.hpp"
#include "polyrx/nuisance/nuisances.hpp"

namespace polyrx {

// The data of a comparison.
struct Study {
    Observations observations;
    Schema schema = {};
    Objective objective = Objective::min;
    std::optional<Matrix> truth = {};  // rows x K: the true outcome under every treatment
    // Epsilon of the support that all methods share. Empty: they extrapolate, as published.
    std::optional<double> support = default_epsilon;
};

// Scores on the held-out rows, which are not weighted. Scores that do not apply are empty.
struct SplitScore {
    std::optional<double> accuracy;  // with known truth
    std::optional<double> regret;    // with known truth
    // Without truth, for methods that predict outcomes: equation (1) of the paper. It uses the method's own
    // predictions, so it is not evidence of its value.
    std::optional<double> self_assessed;
    // Value in units of the outcome: doubly robust where the prescription is supported, the worst possible outcome
    // elsewhere.
    std::optional<double> doubly_robust;
    std::optional<double> supported;    // share of prescriptions
    BaselineSize size;                  // empty for networks
    std::optional<double> fit_seconds;  // wall-clock time with one thread
    std::optional<double> prescribe_seconds;

    // Everything except times, which differ from run to run.
    [[nodiscard]] bool same_scores(const SplitScore& other) const;
};

// The models for valuing prescriptions on the held-out rows of a split: cross-fitted on these rows only, and shared by
// all methods.
struct ValuedSplit {
    Nuisances nuisances;
    std::vector<TreatmentSet> supported;
    OutcomeRange range;
    bool by_design = false;
};

// Throws a data error if a treatment has too few rows.
[[nodiscard]] ValuedSplit value_split(const Study& study, const PlannedSplit& split, const Progress& progress = {});

// Learns support from the training rows of a split; empty if the study extrapolates.
[[nodiscard]] std::optional<Support> split_support(const Study& study, const PlannedSplit& split,
                                                   const Progress& progress = {});

// Data that all methods share on a split.
struct SplitBasis {
    std::optional<ValuedSplit> valued = {};  // value_split(), if possible
    std::optional<Support> support = {};     // split_support()
};

// The fit uses only the training rows.
[[nodiscard]] SplitScore score_split(const Candidate& candidate, const Study& study, const PlannedSplit& split,
                                     const SplitBasis& basis, const Progress& progress = {});

}  // namespace polyrx
