// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/encode_feature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/encode/missing_kernel.hpp"

namespace polyrx {
namespace {

// Used in place of a category index.
constexpr int missing_category = -1;

void encode_numeric(const Feature& feature, std::span<const double> values, const TableRows& rows,
                    std::span<double* const> columns) {
    if (!fill_missing(values, feature.fill, columns.front())) {
        const auto at = std::ranges::find_if(values, [](double value) { return std::isinf(value); }) - values.begin();
        throw data_error(fmt::format("{}: column '{}': an infinite value; expected a finite number",
                                     rows.table.where(rows.first + static_cast<std::size_t>(at)), feature.name));
    }
    if (feature.indicator) mark_missing(values, columns.back());
}

// 1 where a cell of the column is missing, otherwise 0.
void encode_missing(const Column& column, const TableRows& rows, double* target) {
    const auto mark = [&](const auto& codes, auto missing) {
        for (std::size_t i = 0; i < rows.count; ++i) target[i] = codes[rows.first + i] == missing ? 1 : 0;
    };
    if (const auto* numeric = std::get_if<NumericColumn>(&column.values))
        mark_missing(std::span(numeric->values).subspan(rows.first, rows.count), target);
    else if (const auto* boolean = std::get_if<BooleanColumn>(&column.values))
        mark(boolean->values, BooleanColumn::missing);
    else
        mark(std::get<CategoricalColumn>(column.values).codes, CategoricalColumn::missing);
}

void encode_boolean(const Feature& feature, const BooleanColumn& column, const TableRows& rows,
                    std::span<double* const> columns) {
    for (std::size_t i = 0; i < rows.count; ++i) {
        const auto value = column.values[rows.first + i];
        const bool missing = value == BooleanColumn::missing;
        columns.front()[i] = missing ? feature.fill : value;
        if (feature.indicator) columns.back()[i] = missing ? 1 : 0;
    }
}

// Calls act(i, category) for each row with the category index, missing_category if the feature has an indicator, or
// unseen_category.
template <class Act>
void for_each_category(const Feature& feature, const MatchedColumn& matched, const TableRows& rows, Unseen unseen,
                       const Act& act) {
    const auto& column = std::get<CategoricalColumn>(matched.column->values);
    for (std::size_t i = 0; i < rows.count; ++i) {
        const std::size_t row = rows.first + i;
        const auto code = column.codes[row];
        if (code == CategoricalColumn::missing) {
            act(i, feature.indicator ? missing_category : static_cast<int>(feature.fill));
            continue;
        }
        const int match = matched.categories[static_cast<std::size_t>(code)];
        if (match == unseen_category && unseen == Unseen::error)
            throw data_error(fmt::format(
                "{}: column {}: {} was not in the training data ({})", rows.table.where(row), in_quotes(feature.name),
                in_quotes(column.categories[static_cast<std::size_t>(code)]), listed(feature.categories, 10)));
        act(i, match);
    }
}

void encode_categorical(const Feature& feature, const MatchedColumn& matched, const TableRows& rows, Unseen unseen,
                        std::span<double* const> columns) {
    for (double* values : columns) std::fill_n(values, rows.count, 0.0);
    for_each_category(feature, matched, rows, unseen, [&](std::size_t i, int category) {
        if (category == missing_category)
            columns.back()[i] = 1;
        else if (category != unseen_category)
            columns[static_cast<std::size_t>(category)][i] = 1;
    });
}

// Throws unless the table has the feature's column with the feature's type.
const Column& column_of(const Feature& feature, const MatchedColumn& matched, const Table& table) {
    const Column& column = matched.column ? *matched.column : table.at(feature.name);
    if (column.type() != feature.type)
        throw data_error(fmt::format("{}: column '{}' is {}, but it was {} in the training data", table.where(),
                                     feature.name, name_of(column.type()), name_of(feature.type)));
    return column;
}

}  // namespace

void encode_feature(const Feature& feature, const MatchedColumn& matched, const TableRows& rows, Unseen unseen,
                    std::span<double* const> columns) {
    const auto& [table, first, count] = rows;
    if (feature.says_missing()) return encode_missing(table.at(feature.formula->name), rows, columns.front());
    if (feature.formula)
        return encode_numeric(feature, evaluate(*feature.formula, table, first, count, in_quotes(feature.name)), rows,
                              columns);
    const Column& column = column_of(feature, matched, table);
    if (const auto* numeric = std::get_if<NumericColumn>(&column.values))
        encode_numeric(feature, std::span(numeric->values).subspan(first, count), rows, columns);
    else if (const auto* boolean = std::get_if<BooleanColumn>(&column.values))
        encode_boolean(feature, *boolean, rows, columns);
    else
        encode_categorical(feature, matched, rows, unseen, columns);
}

void feature_values(const Feature& feature, const TableRows& rows, Unseen unseen, double* target) {
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    const MatchedColumn matched = FeatureMatcher(feature).in(rows.table);
    if (feature.type != ColumnType::categorical) {
        std::vector<double> is_missing(feature.indicator ? rows.count : 0);
        const std::array<double*, 2> columns{target, is_missing.data()};
        encode_feature(feature, matched, rows, unseen, std::span(columns).first(feature.indicator ? 2 : 1));
        for (std::size_t i = 0; i < is_missing.size(); ++i)
            if (is_missing[i] == 1) target[i] = missing;
        return;
    }
    (void)column_of(feature, matched, rows.table);
    for_each_category(feature, matched, rows, unseen,
                      [&](std::size_t i, int category) { target[i] = category < 0 ? missing : category; });
}

}  // namespace polyrx
