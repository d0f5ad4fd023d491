// SPDX-License-Identifier: Apache-2.0
// Policy trees (Zhou, Athey & Wager 2023): of all trees of a few splits, the one whose leaves' treatments have the best
// doubly robust scores.
#pragma once

#include <span>

#include "polyrx/baselines/personalization/personalization_tree.hpp"
#include "polyrx/core/progress.hpp"

namespace polyrx {

struct PolicyTreeOptions {
    int depth = 2;              // at most; 0 to 5
    std::size_t leaf_rows = 1;  // that each leaf keeps
    // Splits with two levels below them are tried at cuts that are so many rows apart, or more; the lower two levels
    // always try every cut. 0: one, or as many as keep the search within `most_work`.
    std::size_t split_step = 0;
    double most_work = 1e10;  // rows added to sums, if nothing could be ruled out: minutes
    int threads = 1;
};

struct PolicyTree {
    // What each treatment comes to in a leaf is the mean of its scores there.
    PersonalizationTree tree;
    bool is_exact = true;  // no tree of the depth has a better sum of scores
    std::size_t split_step = 1;
};

// Learns from some of the rows, which have one row of scores each (rows x treatments, small is good). The study's
// outcomes are not looked at. A tree has splits only where they make it better: of equally good ones it is that with
// fewer levels, then with the first feature, and the first cut. The bytes do not depend on the number of threads.
//
// Numbers are cut anywhere, and missing values go to either side, or stand alone. Categories are divided into any two
// sets; by splits that have others below, up to ten exactly, and more in the order of their effects, which is not
// exact.
[[nodiscard]] PolicyTree fit_policy_tree(const TreatedRows& study, std::span<const std::size_t> rows,
                                         const Matrix& scores, const PolicyTreeOptions& options,
                                         const Progress& progress = {});

}  // namespace polyrx
