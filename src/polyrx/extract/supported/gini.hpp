// SPDX-License-Identifier: Apache-2.0
// Gini gain: the decrease of treatment impurity by a split.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace polyrx {

// Number of rows per prescribed treatment.
using TreatmentCounts = std::vector<std::size_t>;

// The most common treatment; ties go to the lowest index.
[[nodiscard]] int commonest(const TreatmentCounts& counts);

// The decrease of rows times Gini impurity: n g(all) - n_yes g(yes) - n_no g(no) with g = 1 - sum_k (n_k / n)^2, which
// is sum_k n_yes,k^2 / n_yes + sum_k n_no,k^2 / n_no - sum_k n_k^2 / n. Equal counts give equal bits.
[[nodiscard]] double gini_gain(const TreatmentCounts& all, const TreatmentCounts& yes);

// A row's value under a candidate split, and its treatment.
struct ValuedRow {
    double value = 0;
    int treatment = 0;
    bool given = true;  // false for drawn rows
};

// Rows with a value above the threshold go to "yes".
struct Cut {
    double gain = 0;   // 0 = no cut
    double below = 0;  // the threshold lies between these two values of rows
    double above = 0;
};

// The best cut between different values with at least `min_rows` given rows on each side; the lowest among equals.
// Sorts the rows.
[[nodiscard]] Cut best_cut(std::span<ValuedRow> rows, const TreatmentCounts& all, std::size_t min_rows);

}  // namespace polyrx
