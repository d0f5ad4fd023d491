// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/treatments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

[[noreturn]] void fail(const Table& table, const Column& column, const std::string& sentence) {
    throw data_error(fmt::format("{}: column {}: {}", table.where(), in_quotes(column.name), sentence));
}

// The distinct values of a column, and the index of each row's value.
struct Distinct {
    std::vector<std::string> texts;
    std::vector<int> of_row;
};

Distinct distinct_numbers(const Table& table, const Column& column, const std::vector<double>& values) {
    std::vector<double> levels;
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (std::isinf(values[row]))
            throw data_error(fmt::format("{}: column {}: the treatment is infinite; expected a finite number",
                                         table.where(row), in_quotes(column.name)));
        // Above 2^53, different codes can round to the same double.
        if (std::abs(values[row]) > 9007199254740992.0)
            throw data_error(
                fmt::format("{}: column {}: treatment codes above 2^53 lose digits as numbers; declare "
                            "the column categorical in a schema",
                            table.where(row), in_quotes(column.name)));
        const auto place = std::ranges::lower_bound(levels, values[row]);
        if (place != levels.end() && *place == values[row]) continue;
        levels.insert(place, values[row]);
        if (levels.size() > most_treatments) {
            auto all = values;
            std::ranges::sort(all);
            fail(table, column,
                 fmt::format("{} distinct values, but at most {} treatments are possible; group the values "
                             "first",
                             std::ranges::unique(all).begin() - all.begin(), most_treatments));
        }
    }
    Distinct distinct;
    for (const double level : levels) distinct.texts.push_back(fmt::format("{}", level == 0 ? 0.0 : level));
    for (const double value : values)
        distinct.of_row.push_back(static_cast<int>(std::ranges::lower_bound(levels, value) - levels.begin()));
    return distinct;
}

// Codes 0..names-1, without those that do not occur.
template <class Code>
Distinct distinct_codes(const Table& table, const Column& column, std::span<const std::string> names,
                        const std::vector<Code>& codes) {
    std::vector<int> number(names.size(), -1);
    for (const Code code : codes) number[static_cast<std::size_t>(code)] = 0;
    Distinct distinct;
    for (std::size_t code = 0; code < names.size(); ++code) {
        if (number[code] < 0) continue;
        number[code] = static_cast<int>(distinct.texts.size());
        distinct.texts.push_back(names[code]);
    }
    if (distinct.texts.size() > most_treatments)
        fail(table, column,
             fmt::format("{} distinct values, but at most {} treatments are possible; group the values first",
                         distinct.texts.size(), most_treatments));
    for (const Code code : codes) distinct.of_row.push_back(number[static_cast<std::size_t>(code)]);
    return distinct;
}

Distinct distinct_values(const Table& table, const Column& column) {
    if (const auto* numeric = std::get_if<NumericColumn>(&column.values))
        return distinct_numbers(table, column, numeric->values);
    if (const auto* categorical = std::get_if<CategoricalColumn>(&column.values))
        return distinct_codes(table, column, categorical->categories, categorical->codes);
    const auto& boolean = std::get<BooleanColumn>(column.values);
    const std::vector<std::string> names = {boolean.false_word, boolean.true_word};
    return distinct_codes(table, column, names, boolean.values);
}

// True if a label means the value: "Yes" means true, and "1.0" means 1, because the file may be written so.
bool is_named(ColumnType type, const std::string& label, const std::string& value) {
    if (label == value) return true;
    const std::string_view bare = trimmed(label);
    if (type == ColumnType::numeric) return parse_number(bare) == parse_number(value) && parse_number(bare);
    if (type == ColumnType::boolean) {
        const auto truth = parse_truth(bare);
        const auto meant = parse_truth(value);
        return truth && meant && truth->value == meant->value;
    }
    return false;
}

void use_declared(const Table& table, const Column& column, std::span<const std::string> declared, Distinct& distinct) {
    std::vector<int> index;
    for (const std::string& text : distinct.texts) {
        const auto named = std::ranges::find_if(
            declared, [&](const std::string& label) { return is_named(column.type(), label, text); });
        index.push_back(named == declared.end() ? -1 : static_cast<int>(named - declared.begin()));
    }
    for (std::size_t row = 0; row < distinct.of_row.size(); ++row) {
        int& number = distinct.of_row[row];
        const auto value = static_cast<std::size_t>(number);
        if (index[value] < 0)
            throw data_error(fmt::format("{}: column {}: {} is not a declared treatment ({})", table.where(row),
                                         in_quotes(column.name), in_quotes(distinct.texts[value]),
                                         listed(declared, 10)));
        number = index[value];
    }
    distinct.texts.assign(declared.begin(), declared.end());
}

}  // namespace

Treatments treatments_in(const Table& table, const Column& column, std::span<const std::string> declared,
                         std::size_t least_rows) {
    Distinct distinct = distinct_values(table, column);
    if (!declared.empty()) use_declared(table, column, declared, distinct);
    if (distinct.texts.size() == 1)
        fail(table, column,
             fmt::format("every row has the treatment {}; at least two treatments are needed",
                         in_quotes(distinct.texts.front())));
    std::vector<std::size_t> rows(distinct.texts.size());
    for (const int number : distinct.of_row) ++rows[static_cast<std::size_t>(number)];
    for (std::size_t t = 0; t < rows.size(); ++t)
        if (rows[t] < least_rows)
            fail(table, column,
                 fmt::format("the treatment {} has {}, but at least two rows are needed", in_quotes(distinct.texts[t]),
                             rows[t] == 0 ? "no rows" : "one row only"));
    return {std::move(distinct.texts), std::move(distinct.of_row)};
}

}  // namespace polyrx
