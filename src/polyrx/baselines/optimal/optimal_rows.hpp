// SPDX-License-Identifier: Apache-2.0
// Rows as the search for optimal trees sees them: inputs in units of their deviations, and mostly 0.
//
// An input that has one value in more than half of the rows, as those of categories have, is counted from that value.
// So a split's weight on it concerns few rows, and what is summed over rows is summed over few entries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/study/treated_rows.hpp"

namespace polyrx {

using RowNumber = std::uint32_t;

struct OptimalRows {
    // Of the named rows, which have at least one and are numbered anew.
    OptimalRows(const Matrix& encoded, const TreatedRows& study, std::span<const std::size_t> rows);

    struct Entry {
        int input = 0;
        double value = 0;
    };

    [[nodiscard]] std::size_t count() const { return outcome.size(); }
    [[nodiscard]] int inputs() const { return static_cast<int>(values.cols()); }
    // What of a row is not 0, by ascending input.
    [[nodiscard]] std::span<const Entry> entries(RowNumber row) const {
        return std::span(all_entries).subspan(first[row], first[row + 1] - first[row]);
    }
    [[nodiscard]] double value(RowNumber row, int input) const { return values(row, input); }

    Eigen::MatrixXd values;                         // (x - shift) / scale, rows x inputs
    std::vector<double> shift;                      // by input: the value that most rows have, or the mean
    std::vector<double> scale;                      // by input: the deviation; 1 where there is none
    std::vector<char> sparse;                       // by input: most rows are 0
    std::vector<std::vector<RowNumber>> ascending;  // by input that is not sparse: all rows by their value
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
