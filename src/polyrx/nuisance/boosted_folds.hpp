// SPDX-License-Identifier: Apache-2.0
// How many rounds to boost: as many as predict best what was not learned from.
#pragma once

#include <functional>
#include <span>

#include "polyrx/core/progress.hpp"
#include "polyrx/learners/trees/boosted_trees.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {

struct BoostedFolds {
    // What `make` boosts from the kept places, numbered as in the folds, and what it then says of those held out.
    std::function<Booster(const RowSplit& fold)> make;
    std::function<Matrix(const Booster& booster, const std::vector<std::size_t>& places)> predict;
    std::function<double(const Matrix& predicted)> loss;  // of all places
};

struct BoostedChoice {
    Matrix out_of_fold;  // each place by a booster that did not learn from it
    int rounds = 0;
};

// Boosts all folds side by side, and stops once two more sets of rounds did not lower the loss of what was held out.
[[nodiscard]] BoostedChoice choose_rounds(std::span<const RowSplit> folds, const BoostedFolds& boosting, int threads,
                                          const Progress& progress = {});

// All these rounds; says now and then that it is at work.
void add_rounds(Booster& booster, int rounds, const Progress& progress);

}  // namespace polyrx
