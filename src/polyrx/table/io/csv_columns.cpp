// SPDX-License-Identifier: Apache-2.0
#include "polyrx/table/io/csv_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "polyrx/core/text/natural_order.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

// If the type is not declared, categories imply a categorical column and bounds imply a numeric one.
std::optional<ColumnType> declared_type(const ColumnSchema& schema) {
    if (schema.type) return schema.type;
    if (!schema.categories.empty()) return ColumnType::categorical;
    if (schema.lower || schema.upper || schema.integer) return ColumnType::numeric;
    return std::nullopt;
}

}  // namespace

CsvColumn::CsvColumn(std::string name, const ColumnSchema* schema, std::span<const std::string> missing_texts,
                     std::size_t rows)
    : name_(std::move(name)), schema_(schema), missing_texts_(missing_texts), rows_(rows) {
    if (schema != nullptr) {
        const auto type = declared_type(*schema);
        inferred_ = !type.has_value();
        if (type == ColumnType::boolean) kind_ = Kind::truths;
        if (type == ColumnType::categorical) kind_ = Kind::texts;
        checked_ = kind_ == Kind::numbers && (schema->lower || schema->upper || schema->integer);
        declared_categories_ = kind_ == Kind::texts && !schema->categories.empty();
        if (declared_categories_)
            for (const std::string& category : schema->categories)
                if (categories_.find(category) < 0) categories_.add(category);
    }
    if (kind_ == Kind::numbers) numbers_.reserve(rows);
    if (kind_ == Kind::truths) truths_.reserve(rows);
    if (kind_ == Kind::texts) codes_.reserve(rows);
}

bool CsvColumn::is_missing(std::string_view text) const {
    const std::string_view bare = trimmed(text);
    return bare.empty() || std::ranges::find(missing_texts_, bare) != missing_texts_.end();
}

bool CsvColumn::add(std::string_view text) {
    if (kind_ == Kind::numbers) return add_as_number(text);
    if (kind_ == Kind::truths) return add_as_truth(text);
    return encode(text, codes_.emplace_back(CategoricalColumn::missing));
}

bool CsvColumn::add_again(std::size_t row, std::string_view text) {
    return encode(text, codes_[row]);
}

bool CsvColumn::fail(std::string sentence) {
    error_ = std::move(sentence);
    return false;
}

bool CsvColumn::check(double value) {
    if (std::isnan(value)) return true;
    if (schema_->integer && !(std::isfinite(value) && value == std::trunc(value)))
        return fail(fmt::format("{} is not a whole number", value));
    if (schema_->lower && value < *schema_->lower)
        return fail(fmt::format("{} is below the declared minimum of {}", value, *schema_->lower));
    if (schema_->upper && value > *schema_->upper)
        return fail(fmt::format("{} is above the declared maximum of {}", value, *schema_->upper));
    return true;
}

bool CsvColumn::add_as_number(std::string_view text) {
    if (is_missing(text)) {
        numbers_.push_back(NumericColumn::missing);
        return true;
    }
    const std::string_view bare = trimmed(text);
    if (const auto value = parse_number(bare)) return add_number(*value);
    if (is_nan_word(bare)) return add_number(NumericColumn::missing);
    if (!inferred_) return fail(fmt::format("{} is not a number", in_quotes(text)));
    turn_to_texts();
    return add(text);
}

bool CsvColumn::add_as_truth(std::string_view text) {
    const bool missing = is_missing(text);  // checked first: "0" may be declared as missing
    const auto truth = parse_truth(trimmed(text));
    if (!truth && !missing)
        return fail(fmt::format("{} is not a truth value (true, false, yes, no, 1 or 0)", in_quotes(text)));
    truths_.push_back(missing ? BooleanColumn::missing : static_cast<std::int8_t>(truth->value));
    return true;
}

bool CsvColumn::encode(std::string_view text, std::int32_t& code) {
    // A declared category wins over a text that means missing. An inferred category never means missing.
    code = categories_.find(text);
    if (code >= 0 || is_missing(text)) return true;
    if (declared_categories_ && !schema_->open)
        return fail(
            fmt::format("{} is not a declared category ({})", in_quotes(text), listed(schema_->categories, 10)));
    if (!is_utf8(text)) return fail(fmt::format("{} is not valid UTF-8 (save the file as UTF-8)", in_quotes(text)));
    code = categories_.add(text);
    return true;
}

void CsvColumn::turn_to_texts() {
    kind_ = Kind::texts;
    // If all rows so far are missing, they stay missing as text and need no second read.
    reread_ = had_value_ ? numbers_.size() : 0;
    codes_.reserve(rows_);
    codes_.assign(numbers_.size(), CategoricalColumn::missing);
    numbers_ = {};
}

// Converts true/false or yes/no texts to booleans; nullopt if any text is something else.
std::optional<BooleanColumn> CsvColumn::as_truths() const {
    std::vector<std::int8_t> value_of;
    std::optional<TruthWords> words;
    for (const std::string& text : categories_.texts()) {
        const auto truth = parse_truth(trimmed(text));
        if (!truth || truth->words == TruthWords::one_zero || (words && *words != truth->words)) return std::nullopt;
        words = truth->words;
        value_of.push_back(static_cast<std::int8_t>(truth->value));
    }
    BooleanColumn column;
    for (const bool value : {false, true}) {
        // The smallest spelling, so that the result does not depend on row order.
        const std::string* word = nullptr;
        for (std::size_t i = 0; i < value_of.size(); ++i)
            if ((value_of[i] != 0) == value && (word == nullptr || categories_.texts()[i] < *word))
                word = &categories_.texts()[i];
        if (word != nullptr) (value ? column.true_word : column.false_word) = std::string(trimmed(*word));
    }
    column.values.reserve(codes_.size());
    for (const std::int32_t code : codes_)
        column.values.push_back(code < 0 ? BooleanColumn::missing : value_of[static_cast<std::size_t>(code)]);
    return column;
}

Column CsvColumn::take() {
    if (kind_ == Kind::numbers) return {std::move(name_), NumericColumn{std::move(numbers_)}};
    if (kind_ == Kind::truths) return {std::move(name_), BooleanColumn{std::move(truths_)}};
    if (inferred_)
        if (auto truths = as_truths()) return {std::move(name_), std::move(*truths)};
    CategoricalColumn column{categories_.take_texts(), std::move(codes_)};
    if (!declared_categories_) {
        // Sorted, so that the categories do not depend on row order.
        std::vector<std::int32_t> order(column.categories.size());
        std::iota(order.begin(), order.end(), 0);
        const auto text = [&](std::int32_t code) -> std::string& {
            return column.categories[static_cast<std::size_t>(code)];
        };
        std::ranges::sort(order, [&](std::int32_t a, std::int32_t b) { return natural_less(text(a), text(b)); });
        std::vector<std::string> sorted;
        std::vector<std::int32_t> rank(order.size());
        for (const std::int32_t code : order) {
            rank[static_cast<std::size_t>(code)] = static_cast<std::int32_t>(sorted.size());
            sorted.push_back(std::move(text(code)));
        }
        for (std::int32_t& code : column.codes)
            if (code >= 0) code = rank[static_cast<std::size_t>(code)];
        column.categories = std::move(sorted);
    }
    return {std::move(name_), std::move(column)};
}

}  // namespace polyrx
