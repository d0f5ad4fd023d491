// SPDX-License-Identifier: Apache-2.0
// Meta-learners on forests: estimate effects of treatments by combining regression models. For the T-learner, which is
// one forest per treatment, see regress_compare.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/learners/trees/regression_forest.hpp"
#include "polyrx/study/treated_rows.hpp"

namespace polyrx {

// The S-learner: one forest for all treatments.
struct TreatmentForest {
    RegressionForest forest;  // feature 0 is the treatment, as a category; the others follow
    int treatments = 0;
    friend bool operator==(const TreatmentForest&, const TreatmentForest&) = default;
};

// Forests that estimate the effect of one treatment against another.
struct ForestPair {
    int treatment = 0;
    int against = 0;
    RegressionForest effect;  // X-learner: learned from rows that received `treatment`
    // Only the X-learner has trees here.
    RegressionForest effect_against;       // learned from rows that received `against`
    RegressionForest centered_propensity;  // probability of `treatment` rather than `against`, minus 0.5
    friend bool operator==(const ForestPair&, const ForestPair&) = default;
};

// X-, R- and DR-learners: each pair of treatments once.
struct ForestPairs {
    std::vector<ForestPair> pairs;
    int treatments = 0;
    friend bool operator==(const ForestPairs&, const ForestPairs&) = default;
};

struct MetaLearnerOptions {
    int trees = 100;                        // per forest
    std::size_t outcome_leaf_rows = 5;      // for outcome forests; the S-learner uses 1, like rc-rf
    std::size_t propensity_leaf_rows = 20;  // for propensity forests
    std::size_t effect_leaf_rows = 20;      // for effect forests: single rows are noisy
    std::size_t folds = 2;                  // for the R-learner's residuals
    std::uint64_t seed = 1;
    int threads = 1;
};

// All learn from every row. Each treatment must have a row. The numbering of treatments does not matter.

[[nodiscard]] TreatmentForest fit_s_learner(const TreatedRows& study, const MetaLearnerOptions& options,
                                            const Progress& progress = {});

// Künzel, Sekhon, Bickel & Yu (2019). A forest of the rows that received the other treatment predicts a row's
// counterfactual outcome. Forests of the differences, one per treatment of the pair, are weighted by propensities.
[[nodiscard]] ForestPairs fit_x_learner(const TreatedRows& study, const MetaLearnerOptions& options,
                                        const Progress& progress = {});

// Nie & Wager (2021): the effect minimizes the squared error of predicting the outcome residual by effect * treatment
// residual. Residuals are cross-fitted among the rows of the two treatments.
[[nodiscard]] ForestPairs fit_r_learner(const TreatedRows& study, const MetaLearnerOptions& options,
                                        const Progress& progress = {});

// Kennedy (2023): regresses differences of doubly robust scores (rows x treatments) on the features, with all rows.
[[nodiscard]] ForestPairs fit_dr_learner(const TreatedRows& study, const Matrix& scores,
                                         const MetaLearnerOptions& options, const Progress& progress = {});

// Rows x treatments, smaller is better: predicted outcomes.
[[nodiscard]] Matrix scores(const TreatmentForest& model, const FeatureRows& features, int threads);

// Rows x treatments, smaller is better: the mean effect against all treatments. For two treatments, plus and minus half
// of the effect between them.
[[nodiscard]] Matrix scores(const ForestPairs& model, const FeatureRows& features, int threads);

// Per row: the effect of the pair's treatment against the other.
[[nodiscard]] Vector effects(const ForestPair& pair, const FeatureRows& features, int threads);

}  // namespace polyrx
