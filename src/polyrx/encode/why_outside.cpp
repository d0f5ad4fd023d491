// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/why_outside.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace polyrx {
namespace {

// What follows the feature's name: its value, or what counts as it.
template <class Value>
std::string described_value(Value value, bool missing) {
    return missing ? fmt::format("is missing, and what stands in for it, {},", value) : fmt::format("{}", value);
}

std::string described_range(double lower, double upper, bool integer) {
    const std::string whole = integer ? "whole numbers " : "";
    if (std::isinf(lower) && std::isinf(upper)) return integer ? "whole numbers" : "any number";
    if (std::isinf(upper)) return fmt::format("{}from {}", whole, lower);
    if (std::isinf(lower)) return fmt::format("{}up to {}", whole, upper);
    if (lower == upper) return fmt::format("{}", lower);
    return fmt::format("{}{}{} to {}", whole, integer ? "from " : "", lower, upper);
}

std::string numeric_trouble(const Domain& domain, Eigen::Index input, double value, bool missing,
                            std::string_view whose) {
    const double lower = domain.lower[input];
    const double upper = domain.upper[input];
    const bool between = value >= lower && value <= upper;
    // Whole numbers are worth a word only where that is what is wrong.
    const bool integer = between && domain.integer[static_cast<std::size_t>(input)] != 0;
    if (between && !(integer && std::trunc(value) != value)) return "";
    return fmt::format("{} is outside of {} domain ({})", described_value(value, missing), whose,
                       described_range(lower, upper, integer));
}

std::string boolean_trouble(const Domain& domain, Eigen::Index input, bool value, bool missing,
                            std::string_view whose) {
    if (value ? domain.upper[input] >= 1 : domain.lower[input] <= 0) return "";
    return fmt::format("{} is outside of {} domain ({})", described_value(value, missing), whose, !value);
}

std::string category_trouble(const Feature& feature, const Domain& domain, Eigen::Index first, const Vector& encoded,
                             const std::string& text, std::string_view whose) {
    std::string allowed;
    const auto members = static_cast<Eigen::Index>(feature.categories.size()) + (feature.indicator ? 1 : 0);
    for (Eigen::Index i = 0; i < members; ++i) {
        if (domain.upper[first + i] < 1) continue;
        if (encoded[first + i] == 1) return "";
        allowed += allowed.empty() ? "" : ", ";
        allowed += i < static_cast<Eigen::Index>(feature.categories.size())
                       ? feature.categories[static_cast<std::size_t>(i)]
                       : std::string("missing");
    }
    return fmt::format("{} is outside of {} domain ({})", text.empty() ? "missing" : text, whose, allowed);
}

}  // namespace

std::string why_outside(const Encoder& encoder, const Domain& domain, const Table& table, std::size_t row,
                        std::string_view whose) {
    const Vector encoded = encoder.encode(table, row, 1, Unseen::ignore).row(0).transpose();
    for (std::size_t c = 0; c < encoder.columns().size(); ++c) {
        const std::size_t f = encoder.columns()[c].feature;
        if (c > 0 && encoder.columns()[c - 1].feature == f) continue;
        const Feature& feature = encoder.features()[f];
        const auto input = static_cast<Eigen::Index>(c);
        std::string trouble;
        if (feature.formula) {
            trouble = numeric_trouble(domain, input, encoded[input], false, whose);
            if (!trouble.empty()) return fmt::format("{} {}", feature.name, trouble);
            continue;
        }
        const Column& cells = table.at(feature.name);
        const bool missing = cells.is_missing(row);
        if (feature.type == ColumnType::numeric)
            trouble = numeric_trouble(domain, input, encoded[input], missing, whose);
        else if (feature.type == ColumnType::boolean)
            trouble = boolean_trouble(domain, input, encoded[input] != 0, missing, whose);
        else
            trouble = category_trouble(feature, domain, input, encoded, cells.text(row), whose);
        if (!trouble.empty()) return fmt::format("{} {}", feature.name, trouble);
    }
    return "";
}

}  // namespace polyrx
