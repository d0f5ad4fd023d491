// SPDX-License-Identifier: Apache-2.0
// Gini gain: how much purer in treatments the two sides of a split are than the rows together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace polyrx {

// How many rows the network prescribes each treatment.
using TreatmentCounts = std::vector<std::size_t>;

// The commonest treatment; ties go to the lowest index.
[[nodiscard]] int commonest(const TreatmentCounts& counts);

// The decrease of (rows times Gini impurity): n g(all) - n_yes g(yes) - n_no g(no) with g = 1 - sum_k (n_k / n)^2,
// which is sum_k n_yes,k^2 / n_yes + sum_k n_no,k^2 / n_no - sum_k n_k^2 / n. From whole numbers, so of equal counts it
// is equal to the bit.
[[nodiscard]] double gini_gain(const TreatmentCounts& all, const TreatmentCounts& yes);

// A row's value under a candidate split, and its treatment.
struct ValuedRow {
    double value = 0;
    int treatment = 0;
    bool given = true;  // not drawn
};

// Rows with a value above the threshold are on the yes side.
struct Cut {
    double gain = 0;   // 0: there is none
    double below = 0;  // the threshold lies between these values, which rows have
    double above = 0;
};

// The best cut between different values that leaves `min_rows` given rows on each side; the lowest of equals. Sorts the
// rows.
[[nodiscard]] Cut best_cut(std::span<ValuedRow> rows, const TreatmentCounts& all, std::size_t min_rows);

}  // namespace polyrx
