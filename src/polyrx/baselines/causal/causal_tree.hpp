// SPDX-License-Identifier: Apache-2.0
// The honest causal tree (Athey & Imbens 2016) for two arms: one half of the rows determines the leaves, the other half
// estimates the effect in each leaf.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/learners/trees/axis_tree.hpp"

namespace polyrx {

// The estimation rows of a leaf.
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
    std::vector<ArmMeans> means;  // per node, only for leaves
    friend bool operator==(const CausalTree&, const CausalTree&) = default;
};

struct CausalTreeOptions {
    std::size_t arm_rows = 10;  // minimum per leaf, for each arm in each half; at least 2
    int depth = 0;              // maximum; 0 = no limit
    std::size_t folds = 5;      // of the structure half, for pruning; 0 = no pruning
    // Pruning takes the smallest tree within this number of standard errors of the best, as CART does. Honest effects
    // in small folds are noisy: the best tree alone keeps many leaves without an effect of their own.
    double errors = 1;
    std::uint64_t seed = 1;
    int threads = 1;
};

struct HonestHalves {
    std::vector<std::size_t> structure;
    std::vector<std::size_t> estimation;
};

// Splits the rows, in their order, into structure and estimation rows. Per arm, the halves differ by at most one row.
[[nodiscard]] HonestHalves honest_halves(std::span<const std::size_t> rows, std::span<const int> treated,
                                         std::uint64_t seed);

// Learns from the named rows, none of which may have weight 0. Arms (1 treated, 0 control), outcomes and weights cover
// all rows of the features. No weights: all rows have weight 1.
//
// The tree grows while the honest criterion rises (honest_criterion.hpp). The features and arms of the estimation half
// limit the cuts and the size of leaves. Its outcomes are not used.
//
// The tree is pruned by cost-complexity. Its weakest links give the prices at which it becomes smaller; each tree of
// the sequence is represented by the geometric mean of the two prices between which it is best. For each fold of the
// structure half, a tree is grown on the other folds, with at least two rows of each arm of the fold in every leaf. It
// is pruned at each price and evaluated by the criterion, with effects and variances from the fold's rows. The best
// price has the highest mean over folds; among equals, the highest price. The chosen price is the highest one whose
// mean loss against the best is at most `errors` standard errors. A fold with fewer than two rows of an arm is not
// used. If no fold can be used, the tree is one leaf.
//
// If the estimation half has no row of an arm, the tree is one leaf and its means are over all rows. If there is no row
// of an arm at all, it gets the mean of the other arm, and the effect is 0.
[[nodiscard]] CausalTree fit_causal_tree(const FeatureRows& features, std::span<const std::size_t> rows,
                                         std::span<const int> treated, std::span<const double> outcome,
                                         std::span<const double> weight, const CausalTreeOptions& options,
                                         const Progress& progress = {});

[[nodiscard]] double effect_of(const CausalTree& tree, const FeatureRows& features, std::size_t row);
[[nodiscard]] Vector effects(const CausalTree& tree, const FeatureRows& features, int threads);

}  // namespace polyrx
