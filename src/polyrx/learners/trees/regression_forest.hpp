// SPDX-License-Identifier: Apache-2.0
// Random forests for numbers (Breiman 2001): the mean of trees grown on samples of the rows.
#pragma once

#include <span>
#include <vector>

#include "polyrx/learners/trees/axis_tree.hpp"
#include "polyrx/learners/trees/forest.hpp"

namespace polyrx {

struct RegressionForest {
    std::vector<AxisTree> trees;  // the value of a leaf is the mean of its rows
    friend bool operator==(const RegressionForest&, const RegressionForest&) = default;
};

// Learns from some rows of the features; targets and weights are those of all rows. No weights: every row counts once.
// Rows of weight 0 must not be named.
[[nodiscard]] RegressionForest fit_regression_forest(const FeatureRows& features, std::span<const std::size_t> rows,
                                                     std::span<const double> target, std::span<const double> weight,
                                                     const ForestOptions& options, const Progress& progress = {});

[[nodiscard]] double predict_row(const RegressionForest& forest, const FeatureRows& features, std::size_t row);
[[nodiscard]] Vector predict(const RegressionForest& forest, const FeatureRows& features, int threads);

}  // namespace polyrx
