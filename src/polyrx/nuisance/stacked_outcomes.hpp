// SPDX-License-Identifier: Apache-2.0
// Outcomes of one treatment from a stack: ridge regression (with and without squares and products of
// the inputs), boosted trees and a forest, averaged by weights with the
// least squared error of rows that the models did not see.
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

// Rows of a study, called by their places among them.
struct StackedRows {
    const TreatedRows& study;
    std::span<const std::size_t> rows;        // of the study
    const Matrix& inputs;                     // of these rows, as linear_inputs() makes them
    const BinnedRows& binned;                 // of all rows of the study
    const SecondOrderInputs& products;        // of these rows
    std::span<const std::size_t> group = {};  // of these rows; empty where each is on its own
};

// Learns from the given places, and predicts others. `forest` has the random numbers and the threads; `fold_stream` is
// the first of three streams for forests of folds, where rows are grouped.
[[nodiscard]] Vector stacked_outcomes(const StackedRows& rows, std::span<const std::size_t> given,
                                      std::span<const std::size_t> unseen, const ForestOptions& forest,
                                      std::uint64_t fold_stream, const Progress& progress);

inline constexpr std::size_t outcome_trial_folds = 3;

}  // namespace polyrx
