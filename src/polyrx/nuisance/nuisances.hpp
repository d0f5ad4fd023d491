// SPDX-License-Identifier: Apache-2.0
// Cross-fitted nuisance models (Chernozhukov et al. 2018): each row's predicted outcomes and propensities under every
// treatment, from models that were not fitted on the row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/nuisance/propensities.hpp"
#include "polyrx/nuisance/training_sample.hpp"
#include "polyrx/study/splits/split.hpp"
#include "polyrx/study/treated_rows.hpp"

namespace polyrx {

enum class OutcomeModel {
    none,   // for estimators without an outcome model
    ridge,  // with a penalty chosen by leave-one-out errors
    forest,
    stack,  // ridge, forest and boosted trees: see stacked_outcomes.hpp
};

struct NuisanceOptions {
    std::size_t folds = 5;
    OutcomeModel outcome = OutcomeModel::forest;
    int outcome_trees = 100;
    std::size_t outcome_leaf_rows = 5;
    PropensityOptions propensity = {};
    // Least number of rows of a treatment to fit a model for a fold. With fewer, the prediction is their mean outcome,
    // because a forest with leaves of five rows would add little.
    std::size_t least_rows = 10;
    // If a treatment has no rows outside a fold: true predicts the mean of all outcomes there, false throws an error.
    bool rare = false;
    // Largest sample for each propensity model, and for the outcome models of all treatments together.
    std::size_t training_rows = most_training_rows;
    std::uint64_t seed = 1;
    int threads = 1;
};

// Options with stacked models of outcomes and propensities. Use them for statements about lack of overlap, which a
// forest alone would hide.
[[nodiscard]] NuisanceOptions stacked_nuisances();

// Optional knowledge about a study.
struct StudyDesign {
    // By row: rows with equal numbers are held out together. Empty without groups.
    std::span<const std::size_t> group = {};
    // Rows x treatments, if the assignment is known; otherwise propensities are estimated.
    const Matrix* propensities = nullptr;
    std::span<const std::string> labels = {};  // names of the treatments for error messages
};

// How propensities were estimated.
struct PropensityReport {
    bool known = false;
    double log_loss = 0;  // of the final propensities, cross-fitted
    // Mean log-losses over folds of each model that was tried, on the rows that select the model.
    std::vector<PropensityTrial> trials = {};
    std::vector<PropensityModel> model = {};  // by fold
    std::vector<bool> calibrated = {};        // by fold
};

// Rows x treatments. Predictions are from models that were not fitted on the row or its group.
struct Nuisances {
    Matrix outcomes;  // has no rows if no outcome model was requested
    Matrix propensities;
    std::vector<RowSplit> folds;  // models of the kept rows predicted the others
    PropensityReport propensity;
    bool sampled = false;  // at least one fold has more training rows than NuisanceOptions::training_rows
};

// Returns one row per entry of `rows`, which must be distinct. Each treatment has its own outcome model. The result
// does not depend on the number of threads.
//
// Throws a data error if a treatment has no rows outside a fold (unless `rare` is set), if all rows are one group, or
// if known propensities are invalid.
[[nodiscard]] Nuisances cross_fit(const TreatedRows& study, std::span<const std::size_t> rows,
                                  const NuisanceOptions& options, const StudyDesign& design = {},
                                  const Progress& progress = {});

}  // namespace polyrx
