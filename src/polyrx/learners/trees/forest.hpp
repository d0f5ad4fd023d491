// SPDX-License-Identifier: Apache-2.0
// Common parts of all forests: sampling rows, growing trees in parallel, and prediction.
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
    bool bootstrap = true;  // each tree gets a bootstrap sample; otherwise all rows
    std::size_t leaf_rows = 1;
    GrowLimits limits = {};
    std::uint64_t seed = 1;
    std::uint64_t stream = 0;  // different streams of one seed give independent forests
    int threads = 1;
};

// Rows in ascending order, and how often each was drawn.
struct Sample {
    std::vector<RowIndex> rows;
    std::vector<double> times;
};

[[nodiscard]] Sample draw_sample(std::size_t rows, bool bootstrap, Rng& rng);

// The random numbers of one tree, independent of the thread.
[[nodiscard]] Rng tree_rng(const ForestOptions& options, std::size_t tree);

// Calls grow(tree) for each tree.
void grow_trees(const ForestOptions& options, const Progress& progress, const std::function<void(std::size_t)>& grow);

// Calls act(first, rows), from several threads at once, for blocks of rows that stay in the cache while all trees read
// them. The features of a row are contiguous.
void for_row_blocks(const FeatureRows& features, int threads,
                    const std::function<void(Eigen::Index first, const Matrix& rows)>& act);

}  // namespace polyrx
