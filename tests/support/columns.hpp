// SPDX-License-Identifier: Apache-2.0
// Short ways to the values of a table's columns.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "polyrx/table/table.hpp"

namespace polyrx::test {

inline const std::vector<double>& numbers(const Table& table, std::string_view name) {
    return std::get<NumericColumn>(table.at(name).values).values;
}

inline const CategoricalColumn& categories(const Table& table, std::string_view name) {
    return std::get<CategoricalColumn>(table.at(name).values);
}

inline std::vector<std::string> column_names(const Table& table) {
    std::vector<std::string> names;
    for (const Column& column : table.columns()) names.push_back(column.name);
    return names;
}

inline double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return sum / static_cast<double>(values.size());
}

// Divides by n.
inline double variance(const std::vector<double>& values) {
    const double center = mean(values);
    double sum = 0;
    for (const double v : values) sum += (v - center) * (v - center);
    return sum / static_cast<double>(values.size());
}

// Whether the cells are the same to the last bit; missing equals missing.
inline bool same_cell(const Column& a, const Column& b, std::size_t row) {
    if (a.type() != b.type() || a.is_missing(row) != b.is_missing(row)) return false;
    if (a.is_missing(row)) return true;
    if (a.type() != ColumnType::numeric) return a.text(row) == b.text(row);
    return std::get<NumericColumn>(a.values).values[row] == std::get<NumericColumn>(b.values).values[row];
}

inline bool same_first_rows(const Table& a, const Table& b, std::size_t rows) {
    if (column_names(a) != column_names(b) || a.rows() < rows || b.rows() < rows) return false;
    for (std::size_t c = 0; c < a.columns().size(); ++c)
        for (std::size_t r = 0; r < rows; ++r)
            if (!same_cell(a.columns()[c], b.columns()[c], r)) return false;
    return true;
}

}  // namespace polyrx::test
