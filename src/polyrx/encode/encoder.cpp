// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/encoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>

#include "polyrx/core/error.hpp"
#include "polyrx/data/utf8.hpp"

namespace polyrx {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> present_values(const NumericColumn& column) {
    std::vector<double> values;
    values.reserve(column.values.size());
    std::copy_if(column.values.begin(), column.values.end(), std::back_inserter(values),
                 [](double value) { return !std::isnan(value); });
    return values;
}

// The lower of the two middle values, so that the fill is a value that occurs and an integer stays one.
double lower_median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

template <class Codes>
double commonest(const Codes& codes, std::size_t kinds) {
    std::vector<std::size_t> counts(kinds);
    for (const auto code : codes)
        if (code >= 0) ++counts[static_cast<std::size_t>(code)];
    return static_cast<double>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

void learn_numeric(Feature& feature, const NumericColumn& column, const ColumnSchema* declared) {
    std::vector<double> values = present_values(column);
    if (values.empty()) throw data_error(fmt::format("column '{}' has no values", feature.name));
    feature.indicator = values.size() < column.values.size();
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    feature.lower = declared && declared->lower ? *declared->lower : *low;
    feature.upper = declared && declared->upper ? *declared->upper : *high;
    feature.lower_declared = declared && declared->lower;
    feature.upper_declared = declared && declared->upper;
    feature.integer_declared = declared && declared->integer;
    feature.integer = (declared && declared->integer) || std::all_of(values.begin(), values.end(), [](double value) {
                          return std::trunc(value) == value;
                      });
    feature.fill = lower_median(values);
}

// Which of the feature's categories each of the column's is; -1 for one that the training rows did not have.
std::vector<int> match_categories(const Feature& feature, const CategoricalColumn& column) {
    std::unordered_map<std::string, int> index;
    for (std::size_t i = 0; i < feature.categories.size(); ++i)
        index.emplace(feature.categories[i], static_cast<int>(i));
    std::vector<int> matches;
    for (const auto& category : column.categories) {
        const auto found = index.find(category);
        matches.push_back(found == index.end() ? -1 : found->second);
    }
    return matches;
}

// What encoding one feature needs to know: where its rows are, and which encoded columns it fills.
struct Cells {
    const Table& table;
    std::size_t first;
    Eigen::Ref<Matrix>& encoded;
    Eigen::Index target;  // the feature's first encoded column; its indicator, if it has one, is the last
};

// `values` are those of the rows to encode.
void encode_numeric(const Feature& feature, std::span<const double> values, const Cells& cells) {
    for (Eigen::Index i = 0; i < cells.encoded.rows(); ++i) {
        const double value = values[static_cast<std::size_t>(i)];
        const bool missing = std::isnan(value);
        if (std::isinf(value))
            throw data_error(fmt::format("{}: column '{}': an infinite value; expected a finite number",
                                         cells.table.where(cells.first + static_cast<std::size_t>(i)), feature.name));
        cells.encoded(i, cells.target) = missing ? feature.fill : value;
        if (feature.indicator) cells.encoded(i, cells.target + 1) = missing ? 1 : 0;
    }
}

void encode_boolean(const Feature& feature, const BooleanColumn& column, const Cells& cells) {
    for (Eigen::Index i = 0; i < cells.encoded.rows(); ++i) {
        const auto value = column.values[cells.first + static_cast<std::size_t>(i)];
        const bool missing = value == BooleanColumn::missing;
        cells.encoded(i, cells.target) = missing ? feature.fill : value;
        if (feature.indicator) cells.encoded(i, cells.target + 1) = missing ? 1 : 0;
    }
}

void encode_categorical(const Feature& feature, const CategoricalColumn& column, const Cells& cells, Unseen unseen) {
    const std::vector<int> matches = match_categories(feature, column);
    const auto width = static_cast<Eigen::Index>(feature.categories.size());
    for (Eigen::Index i = 0; i < cells.encoded.rows(); ++i) {
        const std::size_t row = cells.first + static_cast<std::size_t>(i);
        const auto code = column.codes[row];
        auto group = cells.encoded.row(i).segment(cells.target, width);
        group.setZero();
        if (feature.indicator) cells.encoded(i, cells.target + width) = 0;
        if (code == CategoricalColumn::missing) {
            if (feature.indicator)
                cells.encoded(i, cells.target + width) = 1;
            else
                group(static_cast<Eigen::Index>(feature.fill)) = 1;
        } else if (const int match = matches[static_cast<std::size_t>(code)]; match >= 0) {
            group(match) = 1;
        } else if (unseen == Unseen::error) {
            throw data_error(fmt::format(
                "{}: column {}: {} was not in the training data ({})", cells.table.where(row), in_quotes(feature.name),
                in_quotes(column.categories[static_cast<std::size_t>(code)]), listed(feature.categories, 10)));
        }
    }
}

}  // namespace

std::string_view name_of(Unseen unseen) {
    return unseen == Unseen::error ? "error" : "ignore";
}

Encoder::Encoder(std::vector<Feature> features) : features_(std::move(features)) {
    for (std::size_t f = 0; f < features_.size(); ++f) {
        const Feature& feature = features_[f];
        if (feature.type == ColumnType::categorical) {
            for (std::size_t c = 0; c < feature.categories.size(); ++c)
                columns_.push_back(
                    {fmt::format("{} = {}", feature.name, feature.categories[c]), "", f, InputKind::category, c});
        } else {
            columns_.push_back({feature.name, feature.unit, f, InputKind::value, 0});
        }
        if (feature.indicator)
            columns_.push_back({fmt::format("{} is missing", feature.name), "", f, InputKind::indicator, 0});
    }
}

Matrix Encoder::encode(const Table& table, std::size_t first, std::size_t count, Unseen unseen) const {
    // Columns are read one after the other, so a block of rows at a time keeps the encoded ones in cache.
    constexpr std::size_t block = 4096;
    Matrix encoded(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(columns_.size()));
    std::size_t done = 0;
    do {  // once even for no rows: a table that does not fit is refused
        Eigen::Ref<Matrix> rows = encoded.middleRows(static_cast<Eigen::Index>(done),
                                                     static_cast<Eigen::Index>(std::min(block, count - done)));
        encode_block(table, first + done, unseen, rows);
        done += block;
    } while (done < count);
    return encoded;
}

void Encoder::encode_block(const Table& table, std::size_t first, Unseen unseen, Eigen::Ref<Matrix>& encoded) const {
    const auto count = static_cast<std::size_t>(encoded.rows());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const Feature& feature = features_[columns_[c].feature];
        if (c > 0 && columns_[c].feature == columns_[c - 1].feature)
            continue;  // filled with the feature's first column
        const Cells cells{table, first, encoded, static_cast<Eigen::Index>(c)};
        if (feature.formula) {
            encode_numeric(feature, evaluate(*feature.formula, table, first, count, in_quotes(feature.name)), cells);
            continue;
        }
        const Column& column = table.at(feature.name);
        if (column.type() != feature.type)
            throw data_error(fmt::format("{}: column '{}' is {}, but the model learned from a {} one", table.where(),
                                         feature.name, name_of(column.type()), name_of(feature.type)));
        if (const auto* numeric = std::get_if<NumericColumn>(&column.values))
            encode_numeric(feature, std::span(numeric->values).subspan(first, count), cells);
        else if (const auto* boolean = std::get_if<BooleanColumn>(&column.values))
            encode_boolean(feature, *boolean, cells);
        else
            encode_categorical(feature, std::get<CategoricalColumn>(column.values), cells, unseen);
    }
}

std::vector<std::string> Encoder::read_columns() const {
    std::vector<std::string> names;
    for (const Feature& feature : features_)
        if (!feature.formula) names.push_back(feature.name);
    return names;
}

Schema Encoder::schema() const {
    Schema schema;
    for (const Feature& feature : features_) {
        if (feature.formula) continue;
        ColumnSchema column{.name = feature.name, .type = feature.type, .unit = feature.unit};
        // Named, since a category may be spelled like a missing value; open, so that an unseen one reaches encode(),
        // which knows what to do with it.
        column.categories = feature.categories;
        column.open = true;
        if (feature.lower_declared) column.lower = feature.lower;
        if (feature.upper_declared) column.upper = feature.upper;
        column.integer = feature.integer_declared;
        schema.columns.push_back(std::move(column));
    }
    return schema;
}

Encoder make_encoder(const Table& features, const Schema& schema) {
    std::vector<Feature> learned;
    for (const Column& column : features.columns()) {
        const ColumnSchema* declared = schema.find(column.name);
        Feature feature;
        feature.name = column.name;
        feature.type = column.type();
        if (declared) feature.unit = declared->unit;
        if (const auto* numeric = std::get_if<NumericColumn>(&column.values)) {
            learn_numeric(feature, *numeric, declared);
        } else if (const auto* boolean = std::get_if<BooleanColumn>(&column.values)) {
            feature.indicator = std::ranges::count(boolean->values, BooleanColumn::missing) > 0;
            feature.fill = commonest(boolean->values, 2);
        } else {
            const auto& categorical = std::get<CategoricalColumn>(column.values);
            feature.categories = categorical.categories;
            feature.indicator = std::ranges::count(categorical.codes, CategoricalColumn::missing) > 0;
            feature.fill = commonest(categorical.codes, categorical.categories.size());
        }
        learned.push_back(std::move(feature));
    }
    return Encoder(std::move(learned));
}

Range derived_range(const Encoder& encoder, const Formula& formula) {
    return range_of(formula, [&](const std::string& name) -> Range {
        const auto found = std::ranges::find(encoder.features(), name, &Feature::name);
        if (found == encoder.features().end() || found->type == ColumnType::categorical) return {-infinity, infinity};
        if (found->type == ColumnType::boolean) return {0, 1};
        return {found->lower, found->upper};
    });
}

Encoder with_derived(const Encoder& encoder, const DerivedFeature& derived, const Table* rows) {
    Feature feature;
    feature.name = derived.name;
    feature.formula = derived.formula;
    const Range range = derived_range(encoder, derived.formula);
    if (rows)
        learn_numeric(feature, {evaluate(derived.formula, *rows, 0, rows->rows(), in_quotes(derived.name))}, nullptr);
    else if (!std::isfinite(range.lower) || !std::isfinite(range.upper))
        throw usage_error(
            fmt::format("the derived feature {} has no bounds: on the ranges of its columns it can have any value, or "
                        "none; expected rows to learn them from (--data)",
                        in_quotes(derived.name)));
    if (std::isfinite(range.lower)) feature.lower = range.lower;
    if (std::isfinite(range.upper)) feature.upper = range.upper;
    if (!rows) feature.fill = feature.lower + (feature.upper - feature.lower) / 2;
    // That it was whole for these rows says nothing of others, unless it can be nothing else.
    feature.integer = feature.says_missing();
    if (feature.integer) feature.fill = 0;
    std::vector<Feature> features = encoder.features();
    features.push_back(std::move(feature));
    return Encoder(std::move(features));
}

}  // namespace polyrx
