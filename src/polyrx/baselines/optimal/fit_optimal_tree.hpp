// SPDX-License-Identifier: Apache-2.0
// Learns an optimal prescriptive tree: searches from many random starts, and chooses complexity, depth and leaf size on
// held-out rows.
#pragma once

#include <optional>

#include "polyrx/baselines/optimal/optimal_search.hpp"
#include "polyrx/baselines/optimal/optimal_tree.hpp"
#include "polyrx/core/progress.hpp"

namespace polyrx {

struct OptimalTreeSearch {
    OptimalTreeOptions options = {};  // complexity, depth and leaf_rows are overwritten by the choice
    int restarts = 0;                 // per setting; 0 = 100 for axis splits, 20 for hyperplanes
    double max_seconds = 0;           // 0 = no limit; with a limit, the tree depends on the machine's speed
    double held_out = 0.25;           // share of rows held out for the choice
    std::uint64_t seed = 1;
    int threads = 1;
};

[[nodiscard]] int restarts_of(const OptimalTreeSearch& search);

// Depth 5 or unlimited, leaves of 20 or 10 rows. Settings for smaller trees come first.
[[nodiscard]] std::vector<OptimalTreeOptions> optimal_tree_grid(const OptimalTreeOptions& options);

struct OptimalTreeTrial {
    OptimalTreeOptions options;
    std::size_t splits = 0;
    double cost = 0;  // on held-out rows
};

struct OptimalTreeFit {
    OptimalTree tree;
    OptimalTreeOptions chosen;
    // Cost per row of the tree that determined the choice; empty if no row was held out. All kinds of splits and leaves
    // hold out the same rows, so their costs are comparable.
    std::optional<double> held_out_cost;
    std::vector<OptimalTreeTrial> tried;
    std::size_t searches = 0;  // started
    std::size_t planned = 0;
    bool canceled = false;  // the progress callback canceled; the tree is the best so far
    bool out_of_time = false;
};

// Chooses the settings on held-out rows, then searches with them on all rows. If the chosen tree has no split, the
// result is one leaf. Each search has its own random stream, so the tree does not depend on the number of threads. If
// stopped early, returns the best tree so far; its leaves are fitted to all rows even if the second search could not
// start. Throws an error if it is canceled before any search starts. `encoded` has the rows of the study; the study's
// features are not used.
[[nodiscard]] OptimalTreeFit fit_optimal_tree(const Matrix& encoded, const TreatedRows& study,
                                              std::span<const std::size_t> rows, const OptimalTreeSearch& search,
                                              const Progress& progress = {});

// The tree in the units of the inputs, with leaves fitted to the named rows. These are the rows of the judge's data, in
// the same order.
[[nodiscard]] OptimalTree in_original_units(const SearchTree& tree, const LeafJudge& judge, const Matrix& encoded,
                                            const TreatedRows& study, std::span<const std::size_t> rows);

}  // namespace polyrx
