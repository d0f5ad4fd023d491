// SPDX-License-Identifier: Apache-2.0
// Policy trees (Zhou, Athey & Wager 2023): among all shallow trees, the one whose treatments have the best sum of
// doubly robust scores.
#pragma once

#include <span>

#include "polyrx/baselines/personalization/personalization_tree.hpp"
#include "polyrx/core/progress.hpp"

namespace polyrx {

struct PolicyTreeOptions {
    int depth = 2;              // maximum; 0 to 5
    std::size_t leaf_rows = 1;  // minimum per leaf
    // Splits with two levels below them are tried at cuts at least this many rows apart; the lower two levels try every
    // cut. 0: 1, or as many as needed to keep the search within `most_work`.
    std::size_t split_step = 0;
    double most_work = 1e10;  // additions if no split can be ruled out; this many take minutes
    int threads = 1;
};

struct PolicyTree {
    // The outcomes of a leaf are the means of its scores.
    PersonalizationTree tree;
    bool is_exact = true;  // no tree of the depth has a better sum of scores
    std::size_t split_step = 1;
};

// Learns from the named rows, in the order of `scores` (rows x treatments, smaller is better). The study's outcomes are
// not used. Among equally good trees, the result has the fewest levels, then the first feature, then the first cut. It
// does not depend on the number of threads.
//
// Numbers may be cut anywhere; missing values go to either side or stand alone. Categories are divided into any two
// sets. Splits with others below them do so exactly for up to ten categories; with more, they use the order of effects,
// which is not exact.
[[nodiscard]] PolicyTree fit_policy_tree(const TreatedRows& study, std::span<const std::size_t> rows,
                                         const Matrix& scores, const PolicyTreeOptions& options,
                                         const Progress& progress = {});

}  // namespace polyrx
