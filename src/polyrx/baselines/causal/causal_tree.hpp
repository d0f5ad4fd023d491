// SPDX-License-Identifier: Apache-2.0
// The honest causal tree (Athey & Imbens 2016) of two arms: one half of the rows finds the leaves, the other says how
// much the arms differ in each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/learners/trees/axis_tree.hpp"

namespace polyrx {

// A leaf, as the estimation rows see it.
struct ArmMeans {
    double control = 0;
    double treated = 0;
    std::size_t control_rows = 0;
    std::size_t treated_rows = 0;

    [[nodiscard]] double effect() const { return treated - control; }
    friend bool operator==(const ArmMeans&, const ArmMeans&) = default;
};

struct CausalTree {
    AxisTree tree;
    std::vector<ArmMeans> means;  // by node, of leaves
    friend bool operator==(const CausalTree&, const CausalTree&) = default;
};

struct CausalTreeOptions {
    std::size_t arm_rows = 10;  // that each leaf keeps of each arm in each half; at least 2
    int depth = 0;              // at most; 0 is no limit
    std::size_t folds = 5;      // of the structure half, to prune by; 0 does not prune
    // The smallest tree that is at most this many standard errors worse than the best is taken, as CART does. Honest
    // effects of small folds are so noisy that the best tree alone keeps many leaves which have no effect of their own.
    double errors = 1;
    std::uint64_t seed = 1;
    int threads = 1;
};

struct HonestHalves {
    std::vector<std::size_t> structure;
    std::vector<std::size_t> estimation;
};

// Which of the rows, in their order, find the leaves and which estimate: as many of each arm, up to one.
[[nodiscard]] HonestHalves honest_halves(std::span<const std::size_t> rows, std::span<const int> treated,
                                         std::uint64_t seed);

// Learns from some rows of the features; arms (1 treated, 0 control), outcomes and weights are those of all rows. No
// weights: every row counts once. Rows of weight 0 must not be named.
//
// Grown while the honest criterion rises (honest_criterion.hpp). The features and arms of the estimation half have a
// say in it, through where cuts can be and how many rows leaves keep; its outcomes have none.
//
// Pruned by cost-complexity: the prices at which the tree becomes smaller are those of its weakest links, and each tree
// of that sequence stands for the geometric mean of the two prices between which it is best. For each fold of the
// structure half a tree is grown from the other folds, in the same way but so that each leaf has two rows of each arm
// in the fold as well; it is pruned at each of the prices, and what is left is judged by the criterion with the fold
// for its sample: effects and variances are those of the fold's own rows. Of the price with the best mean over folds,
// the highest of equals, each higher one falls short by a mean over folds with a standard error; the highest price that
// falls short by at most `errors` of them is taken. A fold with fewer than two rows of an arm does not judge; where
// none does, one leaf is left.
//
// Where no row of the estimation half has an arm, which happens in a tree of one leaf only, means are of all rows; the
// mean of an arm without any row is that of the other, so that the effect is 0.
[[nodiscard]] CausalTree fit_causal_tree(const FeatureRows& features, std::span<const std::size_t> rows,
                                         std::span<const int> treated, std::span<const double> outcome,
                                         std::span<const double> weight, const CausalTreeOptions& options,
                                         const Progress& progress = {});

[[nodiscard]] double effect_of(const CausalTree& tree, const FeatureRows& features, std::size_t row);
[[nodiscard]] Vector effects(const CausalTree& tree, const FeatureRows& features, int threads);

}  // namespace polyrx
