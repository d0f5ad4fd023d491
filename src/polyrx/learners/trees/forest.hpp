// SPDX-License-Identifier: Apache-2.0
// What all forests have in common: the rows that each tree gets, growing trees side by side, and asking them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/learners/trees/grow_limits.hpp"
#include "polyrx/learners/trees/ranked_features.hpp"

namespace polyrx {

// The defaults are those of scikit-learn's RandomForestRegressor.
struct ForestOptions {
    int trees = 100;
    bool bootstrap = true;  // each tree gets as many rows as there are, drawn with replacement; else all
    std::size_t leaf_rows = 1;
    GrowLimits limits = {};
    std::uint64_t seed = 1;
    std::uint64_t stream = 0;  // forests of one seed that must not draw the same
    int threads = 1;
};

// Rows in ascending order, and how often each was drawn.
struct Sample {
    std::vector<RowIndex> rows;
    std::vector<double> times;
};

[[nodiscard]] Sample draw_sample(std::size_t rows, bool bootstrap, Rng& rng);

// The random numbers of one tree, whichever thread grows it.
[[nodiscard]] Rng tree_rng(const ForestOptions& options, std::size_t tree);

// Calls grow(tree) for each.
void grow_trees(const ForestOptions& options, const Progress& progress, const std::function<void(std::size_t)>& grow);

// Calls act(first, rows) for blocks of rows that stay in the cache while all trees look at them; a row's features lie
// side by side there. From several threads at once.
void for_row_blocks(const FeatureRows& features, int threads,
                    const std::function<void(Eigen::Index first, const Matrix& rows)>& act);

}  // namespace polyrx
