// SPDX-License-Identifier: Apache-2.0
#include "polyrx/data/observations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "polyrx/core/error.hpp"
#include "polyrx/data/parse_cell.hpp"
#include "polyrx/data/treatments.hpp"
#include "polyrx/data/utf8.hpp"

namespace polyrx {
namespace {

constexpr std::size_t most_inferred_categories = 1000;

[[noreturn]] void fail(const Table& table, std::size_t row, const std::string& column, const std::string& sentence) {
    throw data_error(fmt::format("{}: column {}: {}", table.where(row), in_quotes(column), sentence));
}

[[noreturn]] void fail(const Table& table, const std::string& column, const std::string& sentence) {
    throw data_error(fmt::format("{}: column {}: {}", table.where(), in_quotes(column), sentence));
}

// Every name once: a column cannot be outcome and feature.
void check_roles(const Table& table, const Roles& roles) {
    std::map<std::string, std::string> role_of;
    const auto give = [&](const std::string& name, const std::string& role) {
        const auto [held, is_new] = role_of.emplace(name, role);
        if (is_new) return;
        throw usage_error(held->second == role
                              ? fmt::format("column {} is named twice as {}", in_quotes(name), role)
                              : fmt::format("column {} cannot be both {} and {}", in_quotes(name), held->second, role));
    };
    if (roles.treatment.empty()) throw usage_error("which column holds the treatment was not said");
    if (roles.outcome.empty()) throw usage_error("which column holds the outcome was not said");
    give(roles.treatment, "the treatment");
    give(roles.outcome, "the outcome");
    if (!roles.weight.empty()) give(roles.weight, "the weight");
    for (const std::string& name : roles.features) give(name, "a feature");
    for (const std::string& name : std::set<std::string>(roles.ignore.begin(), roles.ignore.end()))
        give(name, "ignored");
    for (const auto& [name, role] : role_of) (void)table.at(name);
}

void check_none_missing(const Table& table, const Column& column, std::string_view role) {
    std::size_t first = 0;
    std::size_t missing = 0;
    for (std::size_t row = table.rows(); row-- > 0;)
        if (column.is_missing(row)) {
            first = row;
            ++missing;
        }
    if (missing > 0)
        fail(table, first, column.name,
             fmt::format("the {} is missing, here and in {} of {} rows in all; every row needs one", role, missing,
                         table.rows()));
}

// The values of an outcome or a weight.
std::vector<double> finite_numbers(const Table& table, const Column& column, std::string_view role) {
    const auto* numeric = std::get_if<NumericColumn>(&column.values);
    if (numeric == nullptr) {
        for (std::size_t row = 0; row < table.rows(); ++row)
            if (!column.is_missing(row) && !parse_number(trimmed(column.text(row))))
                fail(table, row, column.name,
                     fmt::format("{} is not a number; the {} must be numeric", in_quotes(column.text(row)), role));
        fail(table, column.name, fmt::format("it is {}, but the {} must be numeric", name_of(column.type()), role));
    }
    check_none_missing(table, column, role);
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (std::isinf(numeric->values[row]))
            fail(table, row, column.name, fmt::format("the {} is infinite; a finite number was expected", role));
    return numeric->values;
}

std::vector<double> outcomes(const Table& table, const Column& column) {
    auto values = finite_numbers(table, column, "outcome");
    const auto [least, most] = std::ranges::minmax(values);
    if (least == most)
        fail(table, column.name,
             fmt::format("the outcome is {} in every row, so there is nothing to learn from it", least));
    return values;
}

std::vector<double> weights(const Table& table, const Column& column) {
    auto values = finite_numbers(table, column, "weight");
    for (std::size_t row = 0; row < values.size(); ++row)
        if (values[row] < 0)
            fail(table, row, column.name,
                 fmt::format("the weight {} is negative; 0 or more was expected", values[row]));
    if (std::ranges::all_of(values, [](double weight) { return weight == 0; }))
        fail(table, column.name, "the weight is 0 in every row, so no row counts");
    return values;
}

std::vector<std::size_t> rows_that_count(const Table& table, const Column& column) {
    const std::vector<double> all = weights(table, column);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < all.size(); ++row)
        if (all[row] > 0) rows.push_back(row);
    return rows;
}

// The columns that `simulate --truth` adds, if they are all there: they would give the answer away.
std::vector<std::string> truth_columns(const Table& table, std::size_t treatments) {
    std::vector<std::string> names;
    names.reserve(treatments + 1);
    for (std::size_t t = 0; t < treatments; ++t) names.push_back(fmt::format("y{}", t));
    names.emplace_back("best");
    const auto is_there = [&](const std::string& name) { return table.find(name) != nullptr; };
    return std::ranges::all_of(names, is_there) ? names : std::vector<std::string>{};
}

std::vector<std::string> feature_names(const Table& table, const Roles& roles, const std::vector<std::string>& truth) {
    if (!roles.features.empty()) return roles.features;
    std::set<std::string> left_out(truth.begin(), truth.end());
    left_out.insert({roles.treatment, roles.outcome, roles.weight});
    left_out.insert(roles.ignore.begin(), roles.ignore.end());
    std::vector<std::string> names;
    for (const Column& column : table.columns())
        if (!left_out.contains(column.name)) names.push_back(column.name);
    if (names.empty())
        throw data_error(fmt::format("{}: no column is left as a feature; at least one is needed", table.where()));
    return names;
}

void check_feature(const Table& table, const Column& column, const Schema& schema) {
    bool any = false;
    for (std::size_t row = 0; row < table.rows() && !any; ++row) any = !column.is_missing(row);
    if (!any) fail(table, column.name, fmt::format("no row has a value; leave it out with --ignore {}", column.name));
    if (const auto* numeric = std::get_if<NumericColumn>(&column.values))
        for (std::size_t row = 0; row < table.rows(); ++row)
            if (std::isinf(numeric->values[row]))
                fail(table, row, column.name, "the value is infinite; a feature must be finite or missing");
    if (const auto* categorical = std::get_if<CategoricalColumn>(&column.values)) {
        const ColumnSchema* declared = schema.find(column.name);
        if (categorical->categories.size() > most_inferred_categories &&
            (declared == nullptr || declared->categories.empty()))
            fail(table, column.name,
                 fmt::format("{} different texts look like an identifier, not a feature (at most {} categories); "
                             "leave it out with --ignore {}",
                             categorical->categories.size(), most_inferred_categories, column.name));
    }
}

bool is_constant(const Column& column) {
    const std::string first = column.text(0);
    for (std::size_t row = 1; row < column.rows(); ++row)
        if (column.is_missing(row) != column.is_missing(0) || column.text(row) != first) return false;
    return true;
}

// A text among categories that are otherwise numbers: more likely a typing error, or another way to say "missing",
// than a category. None where texts are common.
std::optional<std::string> stray_text(const CategoricalColumn& column) {
    std::optional<std::string> first;
    std::size_t texts = 0;
    for (const std::string& category : column.categories) {
        if (parse_number(trimmed(category))) continue;
        ++texts;
        if (!first) first = category;
    }
    return texts > 0 && 4 * texts <= column.categories.size() ? first : std::nullopt;
}

}  // namespace

Observations observe(const Table& given, const Roles& roles, const Schema& schema) {
    check_roles(given, roles);
    std::vector<std::size_t> counting;
    if (!roles.weight.empty()) counting = rows_that_count(given, given.at(roles.weight));
    // Rows of weight 0 are as if they were not there: they must not shift a mean or add a category either.
    const bool all_count = roles.weight.empty() || counting.size() == given.rows();
    const Table kept = all_count ? Table() : given.take(counting);
    const Table& table = all_count ? given : kept;
    if (table.rows() == 0)
        throw data_error(fmt::format("{}: zero rows, so there is nothing to learn from", table.where()));

    Observations seen;
    seen.treatment_name = roles.treatment;
    seen.outcome_name = roles.outcome;
    const Column& treatment = table.at(roles.treatment);
    check_none_missing(table, treatment, "treatment");
    Treatments treatments = treatments_in(table, treatment, schema.treatments);
    seen.treatments = std::move(treatments.labels);
    seen.treatment = std::move(treatments.given);
    seen.outcome = outcomes(table, table.at(roles.outcome));
    if (!roles.weight.empty()) {
        seen.weight_name = roles.weight;
        seen.weight = weights(table, table.at(roles.weight));
        if (!all_count)
            seen.notes.push_back(
                fmt::format("rows of weight 0 are left out: {} of {}", given.rows() - table.rows(), given.rows()));
    }
    for (const ColumnSchema& declared : schema.columns)
        if (table.find(declared.name) == nullptr)
            seen.notes.push_back(fmt::format("the schema declares column {}, which is not in {}",
                                             in_quotes(declared.name), table.where()));
    const auto truth =
        roles.features.empty() ? truth_columns(table, seen.treatments.size()) : std::vector<std::string>{};
    if (!truth.empty())
        seen.notes.push_back(
            fmt::format("left out of the features, as the truth of simulated data: {}", listed(truth, 10)));
    const auto names = feature_names(table, roles, truth);
    for (const std::string& name : names) {
        const Column& column = table.at(name);
        check_feature(table, column, schema);
        if (is_constant(column))
            seen.notes.push_back(
                fmt::format("column {} is the same in every row, so it plays no part", in_quotes(name)));
        if (const auto* categorical = std::get_if<CategoricalColumn>(&column.values))
            if (const auto stray = stray_text(*categorical); stray && !schema.find(name))
                seen.notes.push_back(fmt::format(
                    "column {} is taken as categories, not numbers, because of {}; a schema can say otherwise",
                    in_quotes(name), in_quotes(*stray)));
    }
    seen.features = table.select(names);
    return seen;
}

Observations take(const Observations& observations, std::span<const std::size_t> rows) {
    Observations taken;
    taken.features = observations.features.take(rows);
    for (const std::size_t row : rows) {
        taken.treatment.push_back(observations.treatment[row]);
        taken.outcome.push_back(observations.outcome[row]);
        if (!observations.weight.empty()) taken.weight.push_back(observations.weight[row]);
    }
    taken.treatments = observations.treatments;
    taken.treatment_name = observations.treatment_name;
    taken.outcome_name = observations.outcome_name;
    taken.weight_name = observations.weight_name;
    taken.notes = observations.notes;
    return taken;
}

}  // namespace polyrx
