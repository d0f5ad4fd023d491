// SPDX-License-Identifier: Apache-2.0
// Chooses the number of boosting rounds by held-out loss.
#pragma once

#include <functional>
#include <span>

#include "polyrx/core/progress.hpp"
#include "polyrx/learners/trees/boosted_trees.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {

struct BoostedFolds {
    // `make` creates the booster of a fold from the kept places, and `predict` its held-out predictions. Places are
    // numbered as in the folds.
    std::function<Booster(const RowSplit& fold)> make;
    std::function<Matrix(const Booster& booster, const std::vector<std::size_t>& places)> predict;
    std::function<double(const Matrix& predicted)> loss;  // of all places
};

struct BoostedChoice {
    Matrix out_of_fold;  // predictions for each place by a booster that was not fitted on it
    int rounds = 0;
};

// Boosts all folds side by side. Stops after two further sets of rounds that do not lower the held-out loss.
[[nodiscard]] BoostedChoice choose_rounds(std::span<const RowSplit> folds, const BoostedFolds& boosting, int threads,
                                          const Progress& progress = {});

// Adds `rounds` rounds, and reports progress from time to time.
void add_rounds(Booster& booster, int rounds, const Progress& progress);

}  // namespace polyrx
