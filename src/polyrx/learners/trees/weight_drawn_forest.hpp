// SPDX-License-Identifier: Apache-2.0
// Random forests for regression with very unequal weights: trees draw rows in proportion to their weights.
#pragma once

#include "polyrx/learners/trees/regression_forest.hpp"

namespace polyrx {

// Like fit_regression_forest, but a row's weight is its probability of being drawn, and has no further effect. All rows
// of a leaf then carry similar information, whereas multiplied weights could give leaves of many rows with almost no
// weight. (scikit-learn 1.9's forests do the same.) Weights must be positive; `bootstrap` is ignored.
[[nodiscard]] RegressionForest fit_weight_drawn_forest(const FeatureRows& features, std::span<const std::size_t> rows,
                                                       std::span<const double> target, std::span<const double> weight,
                                                       const ForestOptions& options, const Progress& progress = {});

}  // namespace polyrx
