// SPDX-License-Identifier: Apache-2.0
// Cross-fitted doubly robust scores: estimates of each row's outcome under every treatment (Robins, Rotnitzky & Zhao
// 1994; Chernozhukov et al. 2018). They are consistent if either predicted outcomes or propensities are.
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
    double least_propensity = 0.02;  // lower ones are raised to this, so that no single row dominates
    int trees = 100;                 // per forest
    std::size_t outcome_leaf_rows = 5;
    // The rows of a leaf estimate a propensity, so a leaf needs enough of them.
    std::size_t propensity_leaf_rows = 20;
    std::uint64_t seed = 1;
    int threads = 1;
};

// Rows x treatments. Forests are not fitted on the rows that they predict.
struct DoublyRobust {
    Matrix scores;        // predicted outcome plus, for the received treatment, the residual divided by its propensity
    Matrix outcomes;      // predicted
    Matrix propensities;  // predicted, before low ones are raised
    std::size_t clipped = 0;  // rows whose propensity of the received treatment was raised
    // Row numbers of the matrices: models of the kept rows predicted the others. Held-out scores may also evaluate
    // policies that were learned from the kept rows.
    std::vector<RowSplit> folds = {};
};

// Returns one row per entry of `rows`, which must be distinct. One forest per treatment predicts outcomes, and one
// forest of all rows predicts propensities. Throws a data error for a treatment with fewer than two rows.
[[nodiscard]] DoublyRobust doubly_robust(const TreatedRows& study, std::span<const std::size_t> rows,
                                         const DoublyRobustOptions& options, const Progress& progress = {});

// Scores from given outcomes and propensities, without folds.
[[nodiscard]] DoublyRobust doubly_robust_from(Matrix outcomes, Matrix propensities, std::span<const int> treatment,
                                              std::span<const double> outcome, double least_propensity);

// The mean score of the prescriptions. Without weights, all rows count equally.
[[nodiscard]] double doubly_robust_value(const Matrix& scores, std::span<const int> prescriptions,
                                         std::span<const double> weight = {});

}  // namespace polyrx
