// SPDX-License-Identifier: Apache-2.0
// How good prescriptions are where the outcome of every treatment is known.
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
    double accuracy = 0;      // share of rows whose prescription has the best outcome; where several tie, each is right
    double regret = 0;        // mean distance from the best possible outcome, >= 0
    double outcome = 0;       // mean true outcome of the prescriptions
    double best_outcome = 0;  // of the best treatment for each row
    std::vector<double> treatment_outcomes;  // of giving one treatment to all
    std::vector<double> treatment_accuracies;
};

// The named columns of a table, one per treatment. Throws a data error for a cell that is no finite number.
[[nodiscard]] Matrix truth_matrix(const Table& table, std::span<const std::string> columns);

// `truth` has one row per prescription and one column per treatment. With `larger_is_better` the largest is best.
[[nodiscard]] TruthScore score_against_truth(std::span<const int> prescriptions, const Matrix& truth,
                                             bool larger_is_better);

}  // namespace polyrx
