// SPDX-License-Identifier: Apache-2.0
// Learns an optimal prescriptive tree: many searches from random starts, with complexity, depth and size of leaves
// chosen on held-out rows.
#pragma once

#include <optional>

#include "polyrx/baselines/optimal/optimal_search.hpp"
#include "polyrx/baselines/optimal/optimal_tree.hpp"
#include "polyrx/core/progress.hpp"

namespace polyrx {

struct OptimalTreeSearch {
    OptimalTreeOptions options = {};  // whose complexity, depth and leaf_rows are chosen
    int restarts = 0;                 // searches of each setting; 0: 100 of axis splits, 20 of hyperplanes
    double max_seconds = 0;           // 0: any time. What is found then depends on the clock
    double held_out = 0.25;           // of the rows, to choose on
    std::uint64_t seed = 1;
    int threads = 1;
};

[[nodiscard]] int restarts_of(const OptimalTreeSearch& search);

// Depth 5 or any, leaves of 20 or 10 rows; those that make smaller trees come first.
[[nodiscard]] std::vector<OptimalTreeOptions> optimal_tree_grid(const OptimalTreeOptions& options);

struct OptimalTreeTrial {
    OptimalTreeOptions options;
    std::size_t splits = 0;
    double cost = 0;  // on held-out rows
};

struct OptimalTreeFit {
    OptimalTree tree;
    OptimalTreeOptions chosen;
    // Of the tree by which they were chosen, per row; none where no row was held out. The same rows are held out for
    // every kind of splits and leaves, so that these can be compared by it.
    std::optional<double> held_out_cost;
    std::vector<OptimalTreeTrial> tried;
    std::size_t searches = 0;  // that were begun
    std::size_t planned = 0;
    bool canceled = false;  // whoever listens to the progress asked to stop, and has the best tree so far
    bool out_of_time = false;
};

// Chooses on held-out rows, then searches among trees of all rows with what was chosen; if that is a tree which could
// not be split, it stays one leaf. Every search draws from a stream of its own, so the tree is the same for any number
// of threads, unless it is stopped: then the best tree so far is kept, and if there was no time to search with all
// rows, its leaves are fitted to them all the same. Throws an error if it is canceled before any search has begun.
// `encoded` has the rows of the study, whose features are not looked at.
[[nodiscard]] OptimalTreeFit fit_optimal_tree(const Matrix& encoded, const TreatedRows& study,
                                              std::span<const std::size_t> rows, const OptimalTreeSearch& search,
                                              const Progress& progress = {});

// The tree in the units of the inputs, with leaves of the named rows, which are those of the judge's data in their
// order.
[[nodiscard]] OptimalTree in_original_units(const SearchTree& tree, const LeafJudge& judge, const Matrix& encoded,
                                            const TreatedRows& study, std::span<const std::size_t> rows);

}  // namespace polyrx
