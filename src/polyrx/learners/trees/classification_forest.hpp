// SPDX-License-Identifier: Apache-2.0
// Random forests for classification: class shares of a row's leaves, averaged over trees.
#pragma once

#include <span>
#include <vector>

#include "polyrx/learners/trees/axis_tree.hpp"
#include "polyrx/learners/trees/forest.hpp"

namespace polyrx {

struct ClassificationTree {
    AxisTree tree;
    std::vector<Vector> shares;  // per node, only for leaves: share of each class
    friend bool operator==(const ClassificationTree&, const ClassificationTree&) = default;
};

struct ClassificationForest {
    std::vector<ClassificationTree> trees;
    int classes = 0;
    friend bool operator==(const ClassificationForest&, const ClassificationForest&) = default;
};

// As scikit-learn's RandomForestClassifier: each node considers sqrt(features) features.
[[nodiscard]] ForestOptions classification_options(std::size_t features);

// Learns from the named rows, none of which may have weight 0. Labels (0 .. classes-1, at most 64) and weights cover
// all rows of the features. No weights: all rows have weight 1.
[[nodiscard]] ClassificationForest fit_classification_forest(
    const FeatureRows& features, std::span<const std::size_t> rows, std::span<const int> label, int classes,
    std::span<const double> weight, const ForestOptions& options, const Progress& progress = {});

// Rows x classes; each row sums to 1.
[[nodiscard]] Matrix probabilities(const ClassificationForest& forest, const FeatureRows& features, int threads);

}  // namespace polyrx
