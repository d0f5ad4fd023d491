// SPDX-License-Identifier: Apache-2.0
// Meta-learners on forests: effects of treatments from models that predict numbers, put together in different ways.
// (One forest for each treatment, the T-learner, is regress_compare.hpp.)
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/learners/trees/regression_forest.hpp"
#include "polyrx/study/treated_rows.hpp"

namespace polyrx {

// The S-learner: one forest for all treatments.
struct TreatmentForest {
    RegressionForest forest;  // of the treatment, as its feature 0, a category; and then the features
    int treatments = 0;
    friend bool operator==(const TreatmentForest&, const TreatmentForest&) = default;
};

// The effect of a treatment against another, by forests of those who got one of them, or of all.
struct ForestPair {
    int treatment = 0;
    int against = 0;
    RegressionForest effect;  // of the X-learner: by those who got `treatment`
    // Of the X-learner only, else without trees.
    RegressionForest effect_against;       // by those who got `against`
    RegressionForest centered_propensity;  // how likely `treatment` was rather than `against`, minus a half
    friend bool operator==(const ForestPair&, const ForestPair&) = default;
};

// X-, R- and DR-learners: all pairs of treatments, once in either order.
struct ForestPairs {
    std::vector<ForestPair> pairs;
    int treatments = 0;
    friend bool operator==(const ForestPairs&, const ForestPairs&) = default;
};

struct MetaLearnerOptions {
    int trees = 100;                        // of each forest
    std::size_t outcome_leaf_rows = 5;      // of forests that predict outcomes; of the S-learner 1, as for rc-rf
    std::size_t propensity_leaf_rows = 20;  // of those that predict who gets which treatment
    std::size_t effect_leaf_rows = 20;      // of those that predict effects: each row says little of its own
    std::size_t folds = 2;                  // of the R-learner's residuals
    std::uint64_t seed = 1;
    int threads = 1;
};

// All learn from every row; each treatment must have one. Treatments that are numbered otherwise change nothing.

[[nodiscard]] TreatmentForest fit_s_learner(const TreatedRows& study, const MetaLearnerOptions& options,
                                            const Progress& progress = {});

// Künzel, Sekhon, Bickel & Yu (2019): what a row's outcome would have been with the other treatment comes from a forest
// of those who got that one; forests of the differences, one of either treatment's rows, are weighted by propensities.
[[nodiscard]] ForestPairs fit_x_learner(const TreatedRows& study, const MetaLearnerOptions& options,
                                        const Progress& progress = {});

// Nie & Wager (2021): the effect that leaves the least squared error when the outcome's residual is predicted by the
// treatment's times the effect. Both are cross-fitted among the rows of the two treatments.
[[nodiscard]] ForestPairs fit_r_learner(const TreatedRows& study, const MetaLearnerOptions& options,
                                        const Progress& progress = {});

// Kennedy (2023): a regression of the differences of doubly robust scores (rows x treatments) of all rows.
[[nodiscard]] ForestPairs fit_dr_learner(const TreatedRows& study, const Matrix& scores,
                                         const MetaLearnerOptions& options, const Progress& progress = {});

// Rows x treatments, small is good: predicted outcomes.
[[nodiscard]] Matrix scores(const TreatmentForest& model, const FeatureRows& features, int threads);

// Rows x treatments, small is good: the effect against the mean of all treatments, which is the mean of those against
// each. For two, plus and minus half of the effect of one against the other.
[[nodiscard]] Matrix scores(const ForestPairs& model, const FeatureRows& features, int threads);

// By row: the effect of the pair's treatment against the other.
[[nodiscard]] Vector effects(const ForestPair& pair, const FeatureRows& features, int threads);

}  // namespace polyrx
