// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/row_words.hpp"

#include <fmt/format.h>

#include "polyrx/show/draw/label_text.hpp"

namespace polyrx {
namespace {

// For example "F", or "F 0.25 or M 0.75" for a point between categories.
std::string category_words(const Encoder& encoder, const Eigen::Ref<const Vector>& row, std::size_t first,
                           std::size_t feature) {
    std::string words;
    for (std::size_t c = first; c < encoder.columns().size() && encoder.columns()[c].feature == feature; ++c) {
        const double value = row[static_cast<Eigen::Index>(c)];
        if (value == 0) continue;
        const EncodedColumn& column = encoder.columns()[c];
        const std::string name = column.kind == InputKind::indicator
                                     ? "missing"
                                     : one_line(encoder.features()[feature].categories[column.category]);
        if (!words.empty()) words += " or ";
        words += value == 1 ? name : fmt::format("{} {:.4g}", name, value);
    }
    return words.empty() ? "none" : words;
}

}  // namespace

std::string row_words(const Encoder& encoder, const Eigen::Ref<const Vector>& row) {
    std::string words;
    for (std::size_t c = 0; c < encoder.columns().size(); ++c) {
        const EncodedColumn& column = encoder.columns()[c];
        if (c > 0 && encoder.columns()[c - 1].feature == column.feature) continue;
        const Feature& feature = encoder.features()[column.feature];
        const double value = row[static_cast<Eigen::Index>(c)];
        if (!words.empty()) words += ", ";
        words += one_line(feature.name) + " ";
        if (feature.type == ColumnType::categorical)
            words += category_words(encoder, row, c, column.feature);
        else if (feature.indicator && row[static_cast<Eigen::Index>(c) + 1] == 1)
            words += "missing";
        else if (feature.type == ColumnType::boolean && (value == 0 || value == 1))
            words += value == 1 ? "true" : "false";
        else
            words += fmt::format("{:.6g}{}{}", value, feature.unit.empty() ? "" : " ", one_line(feature.unit));
    }
    return words;
}

}  // namespace polyrx
