// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/why_outside.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "polyrx/core/text/utf8.hpp"
#include "polyrx/encode/domain_words.hpp"

namespace polyrx {
namespace {

// The text after the feature name: its value, or its fill value.
template <class Value>
std::string described_value(Value value, bool missing) {
    return missing ? fmt::format("is missing, and its fill value {}", value) : fmt::format("{}", value);
}

std::string numeric_reason(const Domain& domain, Eigen::Index input, double value, bool missing,
                           std::string_view whose) {
    const double lower = domain.lower[input];
    const double upper = domain.upper[input];
    const bool between = value >= lower && value <= upper;
    // Mention whole numbers only if the value is not whole.
    const bool integer = between && domain.integer[static_cast<std::size_t>(input)] != 0;
    if (between && !(integer && std::trunc(value) != value)) return "";
    return fmt::format("{} is outside of {} domain ({})", described_value(value, missing), whose,
                       range_words(lower, upper, integer));
}

std::string boolean_reason(const Domain& domain, Eigen::Index input, bool value, bool missing, std::string_view whose) {
    if (value ? domain.upper[input] >= 1 : domain.lower[input] <= 0) return "";
    return fmt::format("{} is outside of {} domain ({})", described_value(value, missing), whose, !value);
}

std::string category_reason(const Feature& feature, const Domain& domain, Eigen::Index first, const Vector& encoded,
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
    return fmt::format("{} is outside of {} domain ({})", text.empty() ? "missing" : text, whose,
                       allowed.empty() ? "none of its categories" : allowed);
}

// For rows outside of hand-written domains, where an indicator or category input has its own bounds, or a group spans
// several features.
std::string reason_of_inputs(const Encoder& encoder, const Domain& domain, const Vector& encoded,
                             std::string_view whose) {
    for (Eigen::Index input = 0; input < encoded.size(); ++input) {
        const double value = encoded[input];
        const bool whole = domain.integer[static_cast<std::size_t>(input)] != 0;
        if (value >= domain.lower[input] && value <= domain.upper[input] && !(whole && std::trunc(value) != value))
            continue;
        const EncodedColumn& column = encoder.columns()[static_cast<std::size_t>(input)];
        if (column.kind == InputKind::indicator)
            return fmt::format("{} is {}, which is outside of {} domain", encoder.features()[column.feature].name,
                               value == 0 ? "not missing" : "missing", whose);
        return fmt::format("{} is {}, which is outside of {} domain ({})", in_quotes(column.name), value, whose,
                           range_words(domain.lower[input], domain.upper[input], whole));
    }
    std::vector<std::string> names;
    int ones = 0;
    for (const std::vector<Eigen::Index>& group : domain.groups) {
        names.clear();
        ones = 0;
        for (const Eigen::Index input : group) {
            names.push_back(in_quotes(encoder.columns()[static_cast<std::size_t>(input)].name));
            ones += encoded[input] != 0 ? 1 : 0;
        }
        if (ones != 1) break;
    }
    return fmt::format("exactly one of {} must be 1 in {} domain, but {}",
                       names.empty() ? std::string("no inputs") : fmt::format("{}", fmt::join(names, ", ")), whose,
                       ones == 0 ? std::string("none is") : fmt::format("{} are", ones));
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
        std::string reason;
        if (feature.formula) {
            reason = numeric_reason(domain, input, encoded[input], false, whose);
            if (!reason.empty()) return fmt::format("{} {}", feature.name, reason);
            continue;
        }
        const Column& cells = table.at(feature.name);
        const bool missing = cells.is_missing(row);
        if (feature.type == ColumnType::numeric)
            reason = numeric_reason(domain, input, encoded[input], missing, whose);
        else if (feature.type == ColumnType::boolean)
            reason = boolean_reason(domain, input, encoded[input] != 0, missing, whose);
        else
            reason = category_reason(feature, domain, input, encoded, cells.text(row), whose);
        if (!reason.empty()) return fmt::format("{} {}", feature.name, reason);
    }
    return contains(domain, encoded) ? "" : reason_of_inputs(encoder, domain, encoded, whose);
}

}  // namespace polyrx
