// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/encoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/core/infinity.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/encode/input_columns.hpp"

namespace polyrx {
namespace {

std::vector<double> present_values(const NumericColumn& column) {
    std::vector<double> values;
    values.reserve(column.values.size());
    std::copy_if(column.values.begin(), column.values.end(), std::back_inserter(values),
                 [](double value) { return !std::isnan(value); });
    return values;
}

// The lower of the two middle values, so that the fill value occurs in the data and integers stay integers.
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

Range range_in(std::span<const Feature> features, const NameIndex& places, const Formula& formula) {
    return range_of(formula, [&](const std::string& name) -> Range {
        const auto place = places.find(name);
        if (!place || features[*place].type == ColumnType::categorical) return {-infinity, infinity};
        if (features[*place].type == ColumnType::boolean) return {0, 1};
        return {features[*place].lower, features[*place].upper};
    });
}

// `range` is the range of the formula.
Feature learned_feature(const DerivedFeature& derived, const Range& range, const Table* rows) {
    Feature feature;
    feature.name = derived.name;
    feature.formula = derived.formula;
    if (rows)
        learn_numeric(feature, {evaluate(derived.formula, *rows, 0, rows->rows(), in_quotes(derived.name))}, nullptr);
    else if (!std::isfinite(range.lower) || !std::isfinite(range.upper))
        throw usage_error(fmt::format(
            "the derived feature {} has no bounds: it is unbounded or undefined on the ranges of its columns; "
            "expected rows to learn its bounds from (--data)",
            in_quotes(derived.name)));
    if (std::isfinite(range.lower)) feature.lower = range.lower;
    if (std::isfinite(range.upper)) feature.upper = range.upper;
    if (!rows) feature.fill = feature.lower + (feature.upper - feature.lower) / 2;
    // Whole values in these rows do not imply whole values elsewhere, except for 0/1 features.
    feature.integer = feature.says_missing();
    if (feature.integer) feature.fill = 0;
    return feature;
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
    // Inputs are encoded one after the other. Blocks of rows keep the result in cache.
    constexpr std::size_t block = 1024;
    const InputReader reader(*this);
    const MatchedTable matched = reader.match(table);
    Matrix encoded(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(columns_.size()));
    std::size_t done = 0;
    do {  // runs even without rows, to check the columns
        const std::size_t taken = std::min(block, count - done);
        const InputColumns columns(reader, matched, first + done, taken, unseen);
        columns.copy_to(encoded.middleRows(static_cast<Eigen::Index>(done), static_cast<Eigen::Index>(taken)));
        done += block;
    } while (done < count);
    return encoded;
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
        // Declared, because a category may look like a missing value. Open, so that encode() handles unseen ones.
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
    const DeclaredColumns all_declared(schema);
    std::vector<Feature> learned;
    for (const Column& column : features.columns()) {
        const ColumnSchema* declared = all_declared.find(column.name);
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
    return range_in(encoder.features(), NameIndex(encoder.features(), &Feature::name), formula);
}

Encoder with_derived(const Encoder& encoder, std::span<const DerivedFeature> all, const Table* rows) {
    std::vector<Feature> features = encoder.features();
    NameIndex places(features, &Feature::name);
    for (const DerivedFeature& derived : all) {
        places.add(derived.name);
        features.push_back(learned_feature(derived, range_in(features, places, derived.formula), rows));
    }
    return Encoder(std::move(features));
}

}  // namespace polyrx
