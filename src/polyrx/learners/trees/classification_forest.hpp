// SPDX-License-Identifier: Apache-2.0
// Random forests for classes: the mean over trees of the shares of the classes in a row's leaf.
#pragma once

#include <span>
#include <vector>

#include "polyrx/learners/trees/axis_tree.hpp"
#include "polyrx/learners/trees/forest.hpp"

namespace polyrx {

struct ClassificationTree {
    AxisTree tree;
    std::vector<Vector> shares;  // by node, of leaves: of each class
    friend bool operator==(const ClassificationTree&, const ClassificationTree&) = default;
};

struct ClassificationForest {
    std::vector<ClassificationTree> trees;
    int classes = 0;
    friend bool operator==(const ClassificationForest&, const ClassificationForest&) = default;
};

// As scikit-learn's RandomForestClassifier: the root of the number of features is looked at in each node.
[[nodiscard]] ForestOptions classification_options(std::size_t features);

// Learns from some rows of the features; labels (0 .. classes-1, at most 64) and weights are those of all rows. No
// weights: every row counts once. Rows of weight 0 must not be named.
[[nodiscard]] ClassificationForest fit_classification_forest(
    const FeatureRows& features, std::span<const std::size_t> rows, std::span<const int> label, int classes,
    std::span<const double> weight, const ForestOptions& options, const Progress& progress = {});

// Rows x classes; each row sums to 1.
[[nodiscard]] Matrix probabilities(const ClassificationForest& forest, const FeatureRows& features, int threads);

}  // namespace polyrx
