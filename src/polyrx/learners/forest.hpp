// SPDX-License-Identifier: Apache-2.0
// What all forests have in common: the rows that each tree gets, and growing trees side by side.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "polyrx/core/parallel_for.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/learners/grow_axis_tree.hpp"

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

}  // namespace polyrx
