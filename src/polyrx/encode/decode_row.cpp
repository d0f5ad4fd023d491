// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/decode_row.hpp"

#include <set>

namespace polyrx {
namespace {

// Columns that a derived feature missing(column) reports as missing.
std::set<std::string> reported_missing(const Encoder& encoder, const Eigen::Ref<const Vector>& encoded) {
    std::set<std::string> names;
    for (std::size_t c = 0; c < encoder.columns().size(); ++c) {
        const Feature& feature = encoder.features()[encoder.columns()[c].feature];
        if (feature.says_missing() && encoded[static_cast<Eigen::Index>(c)] > 0.5) names.insert(feature.formula->name);
    }
    return names;
}

}  // namespace

Table decode_row(const Encoder& encoder, const Eigen::Ref<const Vector>& encoded) {
    const std::set<std::string> absent = reported_missing(encoder, encoded);
    std::vector<Column> columns;
    for (std::size_t c = 0; c < encoder.columns().size();) {
        const std::size_t f = encoder.columns()[c].feature;
        const Feature& feature = encoder.features()[f];
        const auto first = static_cast<Eigen::Index>(c);
        while (c < encoder.columns().size() && encoder.columns()[c].feature == f) ++c;
        if (feature.formula) continue;
        const bool missing =
            absent.contains(feature.name) || (feature.indicator && encoded[static_cast<Eigen::Index>(c) - 1] > 0.5);
        Column column{feature.name, {}};
        if (feature.type == ColumnType::numeric) {
            column.values = NumericColumn{{missing ? NumericColumn::missing : encoded[first]}};
        } else if (feature.type == ColumnType::boolean) {
            const auto value = static_cast<std::int8_t>(encoded[first] > 0.5 ? 1 : 0);
            column.values = BooleanColumn{.values = {missing ? BooleanColumn::missing : value}};
        } else {
            Eigen::Index category = 0;
            encoded.segment(first, static_cast<Eigen::Index>(feature.categories.size())).maxCoeff(&category);
            column.values = CategoricalColumn{
                feature.categories, {missing ? CategoricalColumn::missing : static_cast<std::int32_t>(category)}};
        }
        columns.push_back(std::move(column));
    }
    return Table(std::move(columns));
}

}  // namespace polyrx
