// SPDX-License-Identifier: Apache-2.0
// What a forest says of the rows it learned from, by those of its trees that did not see them (Breiman 1996).
#pragma once

#include <span>

#include "polyrx/learners/trees/classification_forest.hpp"
#include "polyrx/learners/trees/regression_forest.hpp"

namespace polyrx {

// Of a forest that was fitted to these rows with these options: one row for each, which sums to 1, or is 0 where no
// tree left the row out. About 37 % of the trees leave a row out.
[[nodiscard]] Matrix out_of_bag_probabilities(const ClassificationForest& forest, const FeatureRows& features,
                                              std::span<const std::size_t> rows, const ForestOptions& options);

// The same of a forest for numbers: NaN where no tree left the row out.
[[nodiscard]] Vector out_of_bag_values(const RegressionForest& forest, const FeatureRows& features,
                                       std::span<const std::size_t> rows, const ForestOptions& options);

}  // namespace polyrx
