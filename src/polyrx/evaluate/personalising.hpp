// SPDX-License-Identifier: Apache-2.0
// Does personalising pay? A policy against giving the best one treatment to everybody.
#pragma once

#include <span>
#include <vector>

#include "polyrx/data/split.hpp"
#include "polyrx/evaluate/mean_estimate.hpp"
#include "polyrx/evaluate/scored_rows.hpp"

namespace polyrx {

// Gains are in units of the outcome, doubly robust, paired by row, and positive where the policy is better.
struct PersonalisingTest {
    // Over each treatment given to all; intervals of all of them at once.
    std::vector<MeanEstimate> over_each;
    // Over the best treatment given to all. Which that is, the rows of the other folds say for the rows of each: chosen
    // by the rows that it is judged by, it would look better than it is. Where folds disagree, the rival is a mixture.
    MeanEstimate over_best;
    std::vector<int> best;  // by fold
    // One-sided, of "some treatment given to all is at least as good as the policy": the largest of the p-values
    // against each (an intersection-union test, Berger 1982). It asks for no choice, so it keeps its level also where
    // treatments are nearly as good as each other and a choice between them is a toss. Nothing if the policy's value is
    // not estimable.
    std::optional<double> p_value;
};

// Every row is held out by exactly one of the folds, of which there are at least two, as those of k_folds().
[[nodiscard]] PersonalisingTest test_personalising(const ScoredRows& rows, std::span<const RowSplit> folds,
                                                   double level = 0.95);

}  // namespace polyrx
