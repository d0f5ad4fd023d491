// SPDX-License-Identifier: Apache-2.0
// Causal forests (Athey, Tibshirani & Wager 2019) for two arms. Honest trees weight the rows that are similar to a new
// row. Its effect is the slope of their outcome residuals over their treatment residuals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/baselines/causal/residual_sums.hpp"
#include "polyrx/learners/trees/axis_tree.hpp"
#include "polyrx/nuisance/residuals.hpp"

namespace polyrx {

struct EffectTree {
    AxisTree tree;
    std::vector<ResidualSums> leaves;  // per node, only for leaves: sums over estimation rows
    friend bool operator==(const EffectTree&, const EffectTree&) = default;
};

struct CausalForest {
    std::vector<EffectTree> trees;  // none if all rows received the same treatment: the effect is 0
    double overall = 0;             // the slope over all rows: the effect where treatments do not vary
    double least_variance = 0;      // smallest treatment variance, among similar rows, that counts as variation
    friend bool operator==(const CausalForest&, const CausalForest&) = default;
};

// The defaults are those of EconML's CausalForest with criterion "het".
struct CausalForestOptions {
    int trees = 100;
    double subsample = 0.45;    // share of rows, drawn without replacement for each tree; half of them estimate
    std::size_t leaf_rows = 5;  // minimum per leaf, in each half
    double least_share = 0.05;  // minimum share of the node's rows on each side of a split, in each half
    int depth = 0;              // maximum; 0 = no limit
    std::size_t residual_folds = 2;
    int residual_trees = 100;
    std::size_t residual_leaf_rows = 5;
    std::uint64_t seed = 1;
    int threads = 1;
    std::span<const std::size_t> group = {};  // as in ResidualOptions
};

struct Subsample {
    std::vector<std::size_t> structure;   // ascending
    std::vector<std::size_t> estimation;  // ascending; as many as structure rows, or one more
};

// The rows among 0 .. rows-1 that a tree learns from: ceil(subsample * rows) of them.
[[nodiscard]] Subsample draw_subsample(std::size_t rows, const CausalForestOptions& options, std::size_t tree);

// Learns from the named rows, none of which may have weight 0. Residuals and weights cover all rows of the features. No
// weights: all rows have weight 1.
[[nodiscard]] CausalForest fit_causal_forest(const FeatureRows& features, std::span<const std::size_t> rows,
                                             const Residuals& residuals, std::span<const double> weight,
                                             const CausalForestOptions& options, const Progress& progress = {});

// Computes the residuals by cross-fitted forests. Arms are 1 (treated) and 0 (control).
[[nodiscard]] CausalForest fit_causal_forest(const FeatureRows& features, std::span<const std::size_t> rows,
                                             std::span<const int> treated, std::span<const double> outcome,
                                             std::span<const double> weight, const CausalForestOptions& options,
                                             const Progress& progress = {});

// The slope of outcome over treatment residuals among the estimation rows. A row's weight is its share of the weight in
// the new row's leaf, averaged over trees.
[[nodiscard]] double effect_of(const CausalForest& forest, const FeatureRows& features, std::size_t row);
[[nodiscard]] Vector effects(const CausalForest& forest, const FeatureRows& features, int threads);

}  // namespace polyrx
