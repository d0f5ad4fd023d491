// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/supported/gini.hpp"

#include <algorithm>

namespace polyrx {

int commonest(const TreatmentCounts& counts) {
    return static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

double gini_gain(const TreatmentCounts& all, const TreatmentCounts& yes) {
    // Sums of squares are whole numbers, exact in double precision up to 90 million rows.
    double squares = 0;
    double squares_yes = 0;
    double squares_no = 0;
    double n = 0;
    double n_yes = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const auto both = static_cast<double>(all[k]);
        const auto one = static_cast<double>(yes[k]);
        squares += both * both;
        squares_yes += one * one;
        squares_no += (both - one) * (both - one);
        n += both;
        n_yes += one;
    }
    if (n_yes == 0 || n_yes == n) return 0;
    return squares_yes / n_yes + squares_no / (n - n_yes) - squares / n;
}

Cut best_cut(std::span<ValuedRow> rows, const TreatmentCounts& all, std::size_t min_rows) {
    std::sort(rows.begin(), rows.end(), [](const ValuedRow& a, const ValuedRow& b) { return a.value < b.value; });
    Cut best;
    TreatmentCounts no(all.size());
    const auto given = static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const ValuedRow& row) { return row.given; }));
    std::size_t given_no = 0;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        ++no[static_cast<std::size_t>(rows[i].treatment)];
        given_no += rows[i].given;
        if (given_no < min_rows || given - given_no < min_rows || !(rows[i].value < rows[i + 1].value)) continue;
        const double gain = gini_gain(all, no);  // the same for either side
        if (gain > best.gain) best = {gain, rows[i].value, rows[i + 1].value};
    }
    return best;
}

}  // namespace polyrx
