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
    int depth = 5;                    // maximum; 0 = no limit
    std::size_t treatment_rows = 10;  // minimum of every treatment on each side of a split; at least 1
    friend bool operator==(const PersonalizationOptions&, const PersonalizationOptions&) = default;
};

struct PersonalizationLeaf {
    int treatment = 0;              // with the smallest mean; the first among equals
    std::vector<double> outcomes;   // per treatment: mean of rows that received it; infinite if none did
    std::vector<std::size_t> rows;  // per treatment: rows that received it
    friend bool operator==(const PersonalizationLeaf&, const PersonalizationLeaf&) = default;
};

struct PersonalizationTree {
    AxisTree tree;
    std::vector<PersonalizationLeaf> leaves;  // per node, only for leaves
    int treatments = 0;
    friend bool operator==(const PersonalizationTree&, const PersonalizationTree&) = default;
};

// Learns from the named rows, none of which may have weight 0; a row named twice counts as two. A split is made if it
// lowers the cost of personalization_criterion.hpp.
//
// A treatment with fewer than 2 * treatment_rows rows makes every split inadmissible: the tree is then one leaf.
[[nodiscard]] PersonalizationTree fit_personalization_tree(const TreatedRows& study, std::span<const std::size_t> rows,
                                                           const PersonalizationOptions& options);

// Rows x treatments, smaller is better: the means of the row's leaf.
[[nodiscard]] Matrix scores(const PersonalizationTree& tree, const FeatureRows& features, int threads);

// One tree of a forest, on a sample of the rows, with `features` candidate features per node (0 = all).
[[nodiscard]] PersonalizationTree grow_personalization_tree(const TreatedRows& study, std::span<const std::size_t> rows,
                                                            const RankedFeatures& ranked, const BinnedFeatures& binned,
                                                            const Sample& sample, const PersonalizationOptions& options,
                                                            int features, const Rng& rng);

// Throws an error unless there are rows, 1 to 64 treatments, and options within their ranges.
void check_personalization(const TreatedRows& study, std::span<const std::size_t> rows,
                           const PersonalizationOptions& options);

}  // namespace polyrx
