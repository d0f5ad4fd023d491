// SPDX-License-Identifier: Apache-2.0
#include "polyrx/table/table.hpp"

#include <fmt/format.h>

#include <utility>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/closest_name.hpp"
#include "polyrx/core/text/name_index.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

template <class T>
std::vector<T> taken(const std::vector<T>& from, std::span<const std::size_t> rows) {
    std::vector<T> chosen;
    chosen.reserve(rows.size());
    for (const std::size_t row : rows) chosen.push_back(from[row]);
    return chosen;
}

struct TakeRows {
    std::span<const std::size_t> rows;

    using Values = decltype(Column::values);
    Values operator()(const NumericColumn& c) const { return NumericColumn{taken(c.values, rows)}; }
    Values operator()(const CategoricalColumn& c) const {
        return CategoricalColumn{c.categories, taken(c.codes, rows)};
    }
    Values operator()(const BooleanColumn& c) const {
        return BooleanColumn{taken(c.values, rows), c.false_word, c.true_word};
    }
};

}  // namespace

std::string_view name_of(ColumnType type) {
    switch (type) {
        case ColumnType::numeric:
            return "numeric";
        case ColumnType::categorical:
            return "categorical";
        case ColumnType::boolean:
            return "boolean";
    }
    return "unknown";
}

std::size_t Column::rows() const {
    if (const auto* numeric = std::get_if<NumericColumn>(&values)) return numeric->values.size();
    if (const auto* categorical = std::get_if<CategoricalColumn>(&values)) return categorical->codes.size();
    return std::get<BooleanColumn>(values).values.size();
}

bool Column::is_missing(std::size_t row) const {
    if (const auto* numeric = std::get_if<NumericColumn>(&values)) return std::isnan(numeric->values[row]);
    if (const auto* categorical = std::get_if<CategoricalColumn>(&values)) return categorical->codes[row] < 0;
    return std::get<BooleanColumn>(values).values[row] < 0;
}

std::string Column::text(std::size_t row) const {
    if (is_missing(row)) return "";
    if (const auto* numeric = std::get_if<NumericColumn>(&values)) return fmt::format("{}", numeric->values[row]);
    if (const auto* categorical = std::get_if<CategoricalColumn>(&values))
        return categorical->categories[static_cast<std::size_t>(categorical->codes[row])];
    const auto& boolean = std::get<BooleanColumn>(values);
    return boolean.values[row] != 0 ? boolean.true_word : boolean.false_word;
}

Table::Table(std::vector<Column> columns, TableSource source)
    : columns_(std::move(columns)), source_(std::move(source)) {
    auto places = std::make_shared<NameIndex>();
    for (const Column& column : columns_) {
        if (!places->add(column.name))
            throw usage_error(fmt::format("{}: two columns are called {}", where(), in_quotes(column.name)));
        if (column.rows() != rows())
            throw usage_error(fmt::format("{}: column {} has {} rows, but column {} has {}", where(),
                                          in_quotes(column.name), column.rows(), in_quotes(columns_.front().name),
                                          rows()));
    }
    places_ = std::move(places);
}

const Column* Table::find(std::string_view name) const {
    const auto place = places_ ? places_->find(name) : std::nullopt;
    return place ? &columns_[*place] : nullptr;
}

const Column& Table::at(std::string_view name) const {
    if (const Column* column = find(name)) return *column;
    std::vector<std::string> names = source_.header;
    if (names.empty())
        for (const Column& column : columns_) names.push_back(column.name);
    const auto closest = closest_name(name, names);
    throw data_error(fmt::format("{} has no column {}{}{}", where(), in_quotes(name),
                                 names.empty() ? "" : fmt::format(" (it has {})", listed(names, 12)),
                                 closest ? fmt::format("; did you mean {}?", in_quotes(*closest)) : ""));
}

std::string Table::where(std::size_t row) const {
    if (source_.name.empty()) return fmt::format("row {}", row + 1);
    if (row < source_.lines.size()) return fmt::format("{}:{}", source_.name, source_.lines[row]);
    return fmt::format("{}: row {}", source_.name, row + 1);
}

std::string Table::where() const {
    return source_.name.empty() ? "the table" : source_.name;
}

Table Table::take(std::span<const std::size_t> rows) const {
    std::vector<Column> columns;
    columns.reserve(columns_.size());
    for (const Column& column : columns_) columns.push_back({column.name, std::visit(TakeRows{rows}, column.values)});
    TableSource source{source_.name, {}, source_.header};
    if (!source_.lines.empty()) source.lines = taken(source_.lines, rows);
    return Table(std::move(columns), std::move(source));
}

Table Table::select(std::span<const std::string> names) const {
    std::vector<Column> columns;
    columns.reserve(names.size());
    for (const std::string& name : names) columns.push_back(at(name));
    return Table(std::move(columns), source_);
}

}  // namespace polyrx
