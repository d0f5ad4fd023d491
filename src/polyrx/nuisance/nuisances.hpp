// SPDX-License-Identifier: Apache-2.0
// What estimators of a policy's value need beside the data: each row's outcome under every treatment, and how likely
// each treatment was for it. Cross-fitted (Chernozhukov et al. 2018): from models that never saw the row.
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
    none,   // for estimators that do without
    ridge,  // its penalty chosen by leaving rows out
    forest,
    stack,  // both of these and boosted trees: see stacked_outcomes.hpp
};

struct NuisanceOptions {
    std::size_t folds = 5;
    OutcomeModel outcome = OutcomeModel::forest;
    int outcome_trees = 100;
    std::size_t outcome_leaf_rows = 5;
    PropensityOptions propensity = {};
    // Of each treatment, among the rows that predict a fold. With fewer, their mean outcome is the prediction: a forest
    // with leaves of five would be little else.
    std::size_t least_rows = 10;
    // A treatment may lack rows outside of a fold, and the mean of all outcomes is predicted there. Else that is an
    // error.
    bool rare = false;
    // At most so many rows are drawn to train each model of propensities on, and the models of all treatments together.
    std::size_t training_rows = most_training_rows;
    std::uint64_t seed = 1;
    int threads = 1;
};

// With stacks of models for outcomes and propensities: for claims about where the data are silent, which a forest alone
// would hide.
[[nodiscard]] NuisanceOptions stacked_nuisances();

// What else is known of a study.
struct StudyDesign {
    // By row; rows with equal numbers belong together and are held out together. Empty: each is on its own.
    std::span<const std::size_t> group = {};
    // Rows x treatments, where whoever assigned treatments knows. Else they are estimated.
    const Matrix* propensities = nullptr;
    std::span<const std::string> labels = {};  // of the treatments, for error sentences
};

// How propensities were come by.
struct PropensityReport {
    bool known = false;
    double log_loss = 0;  // of the propensities as they are, each from models that did not see its row
    // Of each model that was tried: its log-losses among the rows that decided, on average over folds.
    std::vector<PropensityTrial> trials = {};
    std::vector<PropensityModel> model = {};  // by fold
    std::vector<bool> calibrated = {};        // by fold
};

// Rows x treatments; no row's numbers come from models that saw it, or a row of its group.
struct Nuisances {
    Matrix outcomes;  // without rows where no outcome model was asked for
    Matrix propensities;
    std::vector<RowSplit> folds;  // the kept rows predicted the others
    PropensityReport propensity;
    bool sampled = false;  // some fold has more rows to train on than NuisanceOptions::training_rows
};

// One row of the result for each of `rows` of the study, none of which may be named twice. Each treatment has an
// outcome model of its own. The bytes do not depend on the number of threads.
//
// Throws a data error where a treatment has no rows outside of a fold (but see `rare`), where all rows are one group,
// and for known propensities that are none.
[[nodiscard]] Nuisances cross_fit(const TreatedRows& study, std::span<const std::size_t> rows,
                                  const NuisanceOptions& options, const StudyDesign& design = {},
                                  const Progress& progress = {});

}  // namespace polyrx
