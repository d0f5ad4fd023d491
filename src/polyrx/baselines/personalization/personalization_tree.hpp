// SPDX-License-Identifier: Apache-2.0
// Personalization trees (PT, Kallus 2017): greedy splits into groups that each have one best treatment.
#pragma once

#include <span>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "polyrx/learners/trees/axis_tree.hpp"
#include "polyrx/learners/trees/binned_feature.hpp"
#include "polyrx/learners/trees/forest.hpp"
#include "polyrx/study/treated_rows.hpp"

namespace polyrx {

struct PersonalizationOptions {
    int depth = 5;                    // at most; 0 is no limit
    std::size_t treatment_rows = 10;  // of every treatment, that each side of a split must have; at least 1
    friend bool operator==(const PersonalizationOptions&, const PersonalizationOptions&) = default;
};

struct PersonalizationLeaf {
    int treatment = 0;              // with the least mean; of equal ones the first
    std::vector<double> outcomes;   // by treatment: the mean of who got it; infinite where nobody did
    std::vector<std::size_t> rows;  // that got each treatment
    friend bool operator==(const PersonalizationLeaf&, const PersonalizationLeaf&) = default;
};

struct PersonalizationTree {
    AxisTree tree;
    std::vector<PersonalizationLeaf> leaves;  // by node, of leaves
    int treatments = 0;
    friend bool operator==(const PersonalizationTree&, const PersonalizationTree&) = default;
};

// Learns from some of the rows; one that is named twice counts as two. A split is made if the cost that
// personalization_criterion.hpp defines falls. Rows of weight 0 must not be named.
//
// A treatment with fewer than 2 * treatment_rows rows makes every split inadmissible: the tree is one leaf.
[[nodiscard]] PersonalizationTree fit_personalization_tree(const TreatedRows& study, std::span<const std::size_t> rows,
                                                           const PersonalizationOptions& options);

// Rows x treatments, small is good: the means of the row's leaf.
[[nodiscard]] Matrix scores(const PersonalizationTree& tree, const FeatureRows& features, int threads);

// One tree of a forest: from a sample of the rows, looking at so many features in each node (0 is all).
[[nodiscard]] PersonalizationTree grow_personalization_tree(const TreatedRows& study, std::span<const std::size_t> rows,
                                                            const RankedFeatures& ranked, const BinnedFeatures& binned,
                                                            const Sample& sample, const PersonalizationOptions& options,
                                                            int features, const Rng& rng);

// Throws an error unless there are rows, from 1 to 64 treatments, and options in their range.
void check_personalization(const TreatedRows& study, std::span<const std::size_t> rows,
                           const PersonalizationOptions& options);

}  // namespace polyrx
