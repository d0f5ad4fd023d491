// SPDX-License-Identifier: Apache-2.0
// Personalization forests (PF, Kallus 2017): personalization trees on bootstrap samples, which vote.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/baselines/personalization/personalization_tree.hpp"
#include "polyrx/core/progress.hpp"

namespace polyrx {

struct PersonalizationForestOptions {
    PersonalizationOptions tree = {};
    int trees = 10;
    int features = 0;  // drawn anew at each node, of those that differ there; 0 is the root of their number, rounded up
    std::uint64_t seed = 1;
    int threads = 1;
};

struct PersonalizationForest {
    std::vector<PersonalizationTree> trees;
    int treatments = 0;
    friend bool operator==(const PersonalizationForest&, const PersonalizationForest&) = default;
};

// Each tree learns from as many rows as there are, drawn with replacement; a row that is drawn twice counts as two,
// also among those that each side of a split must have.
[[nodiscard]] PersonalizationForest fit_personalization_forest(const TreatedRows& study,
                                                               std::span<const std::size_t> rows,
                                                               const PersonalizationForestOptions& options,
                                                               const Progress& progress = {});

// Rows x treatments, small is good: minus the number of trees that prescribe it.
[[nodiscard]] Matrix scores(const PersonalizationForest& forest, const FeatureRows& features, int threads);

}  // namespace polyrx
