// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/known_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/study/columns_by_treatment.hpp"

namespace polyrx {
namespace {

constexpr std::string_view option = "--propensities";
constexpr double most_off_one = 1e-6;

// Parses "0.25" or "1/3".
std::optional<double> parse_probability(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return parse_number(text);
    const auto above = parse_number(text.substr(0, slash));
    const auto below = parse_number(text.substr(slash + 1));
    if (!above || !below || *below == 0) return std::nullopt;
    return *above / *below;
}

const std::vector<double>& numbers_of(const Table& table, const std::string& name) {
    const Column& column = table.at(name);
    const auto* numeric = std::get_if<NumericColumn>(&column.values);
    if (numeric == nullptr)
        throw data_error(fmt::format("{}: column {} is {}; expected numeric probabilities", table.where(),
                                     in_quotes(name), name_of(column.type())));
    return numeric->values;
}

void check_row(const Table& table, const Matrix& propensities, std::size_t i, int received,
               const std::vector<std::string>& treatments) {
    const auto row = propensities.row(static_cast<Eigen::Index>(i));
    for (std::size_t k = 0; k < treatments.size(); ++k)
        if (const double p = row[static_cast<Eigen::Index>(k)]; !(p >= 0 && p <= 1))
            throw data_error(fmt::format("{}: the propensity of treatment {} is {}; expected a number from 0 to 1",
                                         table.where(i), in_quotes(treatments[k]), p));
    if (std::abs(row.sum() - 1) > most_off_one)
        throw data_error(fmt::format("{}: the propensities sum to {:.6g}; expected 1", table.where(i), row.sum()));
    if (row[received] == 0)
        throw data_error(fmt::format("{}: the treatment {} was received, but its propensity is 0", table.where(i),
                                     in_quotes(treatments[static_cast<std::size_t>(received)])));
}

}  // namespace

std::vector<std::string> design_columns(std::span<const std::string> given,
                                        const std::vector<std::string>& treatments) {
    std::vector<std::string> columns = texts_by_treatment(option, treatments, given, "there are");
    std::erase_if(columns, [](const std::string& text) { return parse_probability(text).has_value(); });
    if (!columns.empty() && columns.size() < treatments.size())
        throw usage_error(fmt::format("{}: expected numbers for all treatments or columns for all treatments", option));
    check_distinct(option, columns);
    return columns;
}

KnownDesign design_of(const Table& table, std::span<const std::string> given,
                      const std::vector<std::string>& treatments, std::span<const int> treatment) {
    const std::vector<std::string> texts = texts_by_treatment(option, treatments, given, "there are");
    KnownDesign design;
    design.columns = design_columns(given, treatments);
    design.propensities.resize(static_cast<Eigen::Index>(table.rows()), static_cast<Eigen::Index>(treatments.size()));
    for (std::size_t k = 0; k < texts.size(); ++k) {
        auto of_treatment = design.propensities.col(static_cast<Eigen::Index>(k));
        if (const auto constant = parse_probability(texts[k])) {
            of_treatment.setConstant(*constant);
            continue;
        }
        const std::vector<double>& numbers = numbers_of(table, texts[k]);
        of_treatment = Eigen::Map<const Vector>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
    }
    for (std::size_t i = 0; i < table.rows(); ++i) check_row(table, design.propensities, i, treatment[i], treatments);
    return design;
}

}  // namespace polyrx
