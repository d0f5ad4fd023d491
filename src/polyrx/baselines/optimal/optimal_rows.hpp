// SPDX-License-Identifier: Apache-2.0
// Rows as the search for optimal trees uses them: standardized, sparse inputs.
//
// An input with one value in more than half of the rows, as for categories, is shifted so that this value is 0. A
// change of its weight in a split then affects few rows, and sums over rows have few entries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/study/treated_rows.hpp"

namespace polyrx {

using RowNumber = std::uint32_t;

struct OptimalRows {
    // Uses only the named rows, of which there is at least one, and renumbers them.
    OptimalRows(const Matrix& encoded, const TreatedRows& study, std::span<const std::size_t> rows);

    struct Entry {
        int input = 0;
        double value = 0;
    };

    [[nodiscard]] std::size_t count() const { return outcome.size(); }
    [[nodiscard]] int inputs() const { return static_cast<int>(values.cols()); }
    // The nonzero entries of a row, by ascending input.
    [[nodiscard]] std::span<const Entry> entries(RowNumber row) const {
        return std::span(all_entries).subspan(first[row], first[row + 1] - first[row]);
    }
    [[nodiscard]] double value(RowNumber row, int input) const { return values(row, input); }

    Eigen::MatrixXd values;     // (x - shift) / scale, rows x inputs
    std::vector<double> shift;  // per input: the value of most rows, or the mean
    std::vector<double> scale;  // per input: standard deviation; 1 if it is 0
    std::vector<char> sparse;   // per input: most rows are 0
    // Per input that is not sparse: all rows in ascending order of value.
    std::vector<std::vector<RowNumber>> ascending;
    std::vector<Entry> all_entries;
    std::vector<std::size_t> first;
    std::vector<int> treatment;
    std::vector<double> weight;
    std::vector<double> outcome;  // standardized
    double outcome_mean = 0;
    double outcome_scale = 1;
    int treatments = 0;
};

}  // namespace polyrx
