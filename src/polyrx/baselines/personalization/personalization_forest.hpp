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
    int features = 0;  // drawn at each node among those that vary there; 0 = square root of their number, rounded up
    std::uint64_t seed = 1;
    int threads = 1;
};

struct PersonalizationForest {
    std::vector<PersonalizationTree> trees;
    int treatments = 0;
    friend bool operator==(const PersonalizationForest&, const PersonalizationForest&) = default;
};

// Each tree learns from a bootstrap sample. A row drawn twice counts as two rows, also for the minimum rows per side.
[[nodiscard]] PersonalizationForest fit_personalization_forest(const TreatedRows& study,
                                                               std::span<const std::size_t> rows,
                                                               const PersonalizationForestOptions& options,
                                                               const Progress& progress = {});

// Rows x treatments, smaller is better: minus the number of trees that prescribe the treatment.
[[nodiscard]] Matrix scores(const PersonalizationForest& forest, const FeatureRows& features, int threads);

}  // namespace polyrx
