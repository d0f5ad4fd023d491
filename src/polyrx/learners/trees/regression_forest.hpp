// SPDX-License-Identifier: Apache-2.0
// Random forests for regression (Breiman 2001): the mean of trees grown on samples of the rows.
#pragma once

#include <span>
#include <vector>

#include "polyrx/learners/trees/axis_tree.hpp"
#include "polyrx/learners/trees/forest.hpp"

namespace polyrx {

struct RegressionForest {
    std::vector<AxisTree> trees;  // a leaf's value is the mean of its rows
    friend bool operator==(const RegressionForest&, const RegressionForest&) = default;
};

// Learns from the named rows, none of which may have weight 0. Targets and weights cover all rows of the features. No
// weights: all rows have weight 1.
[[nodiscard]] RegressionForest fit_regression_forest(const FeatureRows& features, std::span<const std::size_t> rows,
                                                     std::span<const double> target, std::span<const double> weight,
                                                     const ForestOptions& options, const Progress& progress = {});

[[nodiscard]] double predict_row(const RegressionForest& forest, const FeatureRows& features, std::size_t row);
[[nodiscard]] Vector predict(const RegressionForest& forest, const FeatureRows& features, int threads);

}  // namespace polyrx
