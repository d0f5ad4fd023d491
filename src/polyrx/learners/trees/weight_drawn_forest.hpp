// SPDX-License-Identifier: Apache-2.0
// Random forests for numbers of very different weights: trees draw their rows in proportion to them.
#pragma once

#include "polyrx/learners/trees/regression_forest.hpp"

namespace polyrx {

// As fit_regression_forest, but that a row's weight is how likely it is to be drawn, and counts no further: so all rows
// of a leaf say about as much, where one that only multiplied weights could have a leaf of many rows that together say
// nothing. (scikit-learn 1.9's forests do so.) Weights must be positive; `bootstrap` is not looked at.
[[nodiscard]] RegressionForest fit_weight_drawn_forest(const FeatureRows& features, std::span<const std::size_t> rows,
                                                       std::span<const double> target, std::span<const double> weight,
                                                       const ForestOptions& options, const Progress& progress = {});

}  // namespace polyrx
