// SPDX-License-Identifier: Apache-2.0
// Causal forests (Athey, Tibshirani & Wager 2019) of two arms: honest trees say which rows are like a new one, and the
// slope of these rows' outcomes over their treatments, both as residuals, is its effect.
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
    std::vector<ResidualSums> leaves;  // by node, of leaves: of the estimation rows
    friend bool operator==(const EffectTree&, const EffectTree&) = default;
};

struct CausalForest {
    std::vector<EffectTree> trees;  // none if the treatment of all rows is the same: the effect is 0
    double overall = 0;             // the slope of all rows: the effect where treatments do not differ
    double least_variance = 0;      // of the treatment among the rows like a new one; below, they do not differ
    friend bool operator==(const CausalForest&, const CausalForest&) = default;
};

// The defaults are those of EconML's CausalForest, with the criterion "het".
struct CausalForestOptions {
    int trees = 100;
    double subsample = 0.45;    // of the rows, drawn without replacement for each tree; half of them estimate
    std::size_t leaf_rows = 5;  // that each leaf keeps of either half
    double least_share = 0.05;  // of the node's rows that each side of a split keeps, of either half
    int depth = 0;              // at most; 0 is no limit
    std::size_t residual_folds = 2;
    int residual_trees = 100;
    std::size_t residual_leaf_rows = 5;
    std::uint64_t seed = 1;
    int threads = 1;
    std::span<const std::size_t> group = {};  // as in ResidualOptions
};

struct Subsample {
    std::vector<std::size_t> structure;   // ascending
    std::vector<std::size_t> estimation;  // ascending; as many, or one more
};

// Which of 0 .. rows-1 a tree of the forest gets: ceil(subsample * rows) of them.
[[nodiscard]] Subsample draw_subsample(std::size_t rows, const CausalForestOptions& options, std::size_t tree);

// Learns from some rows of the features, whose residuals are given; residuals and weights are those of all rows. No
// weights: every row counts once. Rows of weight 0 must not be named.
[[nodiscard]] CausalForest fit_causal_forest(const FeatureRows& features, std::span<const std::size_t> rows,
                                             const Residuals& residuals, std::span<const double> weight,
                                             const CausalForestOptions& options, const Progress& progress = {});

// The same with residuals of cross-fitted forests. Arms are 1 treated, 0 control.
[[nodiscard]] CausalForest fit_causal_forest(const FeatureRows& features, std::span<const std::size_t> rows,
                                             std::span<const int> treated, std::span<const double> outcome,
                                             std::span<const double> weight, const CausalForestOptions& options,
                                             const Progress& progress = {});

// The slope of the estimation rows' outcomes over their treatments, each row with its share of the weight in the leaf
// that the new row ends in, averaged over trees.
[[nodiscard]] double effect_of(const CausalForest& forest, const FeatureRows& features, std::size_t row);
[[nodiscard]] Vector effects(const CausalForest& forest, const FeatureRows& features, int threads);

}  // namespace polyrx
