// SPDX-License-Identifier: Apache-2.0
// Predictions for a forest's training rows, by the trees that did not learn from them (Breiman 1996).
#pragma once

#include <span>

#include "polyrx/learners/trees/classification_forest.hpp"
#include "polyrx/learners/trees/regression_forest.hpp"

namespace polyrx {

// The forest must have been fitted to these rows with these options. Each row sums to 1, or to 0 if no tree left it
// out. About 37 % of the trees leave a row out.
[[nodiscard]] Matrix out_of_bag_probabilities(const ClassificationForest& forest, const FeatureRows& features,
                                              std::span<const std::size_t> rows, const ForestOptions& options);

// For regression forests: NaN if no tree left the row out.
[[nodiscard]] Vector out_of_bag_values(const RegressionForest& forest, const FeatureRows& features,
                                       std::span<const std::size_t> rows, const ForestOptions& options);

}  // namespace polyrx
