// SPDX-License-Identifier: Apache-2.0
// Predicts outcomes of one treatment by a stack: ridge regression (with and without squares and products of the
// inputs), boosted trees and a forest. The weights have the least squared error on held-out rows.
#pragma once

#include <cstdint>
#include <span>

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/learners/trees/boosted_trees.hpp"
#include "polyrx/learners/trees/forest.hpp"
#include "polyrx/study/treated_rows.hpp"

namespace polyrx {

class SecondOrderInputs;

// Rows of a study, numbered by place.
struct StackedRows {
    const TreatedRows& study;
    std::span<const std::size_t> rows;        // of the study
    const Matrix& inputs;                     // of these rows, from linear_inputs()
    const BinnedRows& binned;                 // of all rows of the study
    const SecondOrderInputs& products;        // of these rows
    std::span<const std::size_t> group = {};  // of these rows; empty without groups
};

// Fits on the `given` places and predicts the `unseen` ones. `forest` contains the random streams and the number of
// threads. `fold_stream` is the first of three streams for forests of folds, which grouped rows need.
[[nodiscard]] Vector stacked_outcomes(const StackedRows& rows, std::span<const std::size_t> given,
                                      std::span<const std::size_t> unseen, const ForestOptions& forest,
                                      std::uint64_t fold_stream, const Progress& progress);

inline constexpr std::size_t outcome_trial_folds = 3;

}  // namespace polyrx
