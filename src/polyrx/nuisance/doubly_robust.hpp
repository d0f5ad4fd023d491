// SPDX-License-Identifier: Apache-2.0
// What each treatment would have come to for each row, without the truth: doubly robust scores (Robins, Rotnitzky &
// Zhao 1994), cross-fitted (Chernozhukov et al. 2018). They hold if predicted outcomes or propensities do.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/study/splits/split.hpp"
#include "polyrx/study/treated_rows.hpp"

namespace polyrx {

struct DoublyRobustOptions {
    std::size_t folds = 5;
    double least_propensity = 0.02;  // lower ones are raised to this: one row must not decide alone
    int trees = 100;                 // of each forest
    std::size_t outcome_leaf_rows = 5;
    // Whoever else is in a leaf says how likely a treatment is, so that must be some.
    std::size_t propensity_leaf_rows = 20;
    std::uint64_t seed = 1;
    int threads = 1;
};

// Rows x treatments. No row's numbers come from forests that saw it.
struct DoublyRobust {
    Matrix scores;            // outcomes, with what they missed of the observed one divided by its propensity
    Matrix outcomes;          // as predicted
    Matrix propensities;      // as predicted: before low ones are raised
    std::size_t clipped = 0;  // rows whose treatment had its propensity raised
    // Rows of the matrices: the kept ones predicted the others. A policy that learned from the kept rows, too, may be
    // valued by the scores of the others.
    std::vector<RowSplit> folds = {};
};

// One row of the result for each of `rows`, none of which may be named twice. Forests of each treatment's rows predict
// the outcomes, and one of all rows the propensities. Throws a data error for a treatment with fewer than two rows.
[[nodiscard]] DoublyRobust doubly_robust(const TreatedRows& study, std::span<const std::size_t> rows,
                                         const DoublyRobustOptions& options, const Progress& progress = {});

// The same from outcomes and propensities of other origin, which has no folds.
[[nodiscard]] DoublyRobust doubly_robust_from(Matrix outcomes, Matrix propensities, std::span<const int> treatment,
                                              std::span<const double> outcome, double least_propensity);

// The mean outcome of giving each row its prescription. No weights: every row counts once.
[[nodiscard]] double doubly_robust_value(const Matrix& scores, std::span<const int> prescriptions,
                                         std::span<const double> weight = {});

}  // namespace polyrx
