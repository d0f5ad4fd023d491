// SPDX-License-Identifier: Apache-2.0
// Scores prescriptions when the outcome of every treatment is known.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

struct TruthScore {
    std::size_t rows = 0;
    double accuracy = 0;                     // share of rows whose prescription has the best outcome, including ties
    double regret = 0;                       // mean distance from the best possible outcome, >= 0
    double outcome = 0;                      // mean true outcome of the prescriptions
    double best_outcome = 0;                 // mean outcome of each row's best treatment
    std::vector<double> treatment_outcomes;  // mean outcome of each treatment for all
    std::vector<double> treatment_accuracies;
};

// The named columns of a table, one per treatment. Throws a data error for a cell that is not a finite number.
[[nodiscard]] Matrix truth_matrix(const Table& table, std::span<const std::string> columns);

// `truth` is rows x treatments.
[[nodiscard]] TruthScore score_against_truth(std::span<const int> prescriptions, const Matrix& truth,
                                             bool larger_is_better);

}  // namespace polyrx
