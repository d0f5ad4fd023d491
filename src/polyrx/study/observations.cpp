// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/observations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/study/column_screens.hpp"
#include "polyrx/study/known_design.hpp"
#include "polyrx/study/treatments.hpp"

namespace polyrx {
namespace {

constexpr std::size_t most_inferred_categories = 1000;

[[noreturn]] void fail(const Table& table, std::size_t row, const std::string& column, const std::string& sentence) {
    throw data_error(fmt::format("{}: column {}: {}", table.where(row), in_quotes(column), sentence));
}

[[noreturn]] void fail(const Table& table, const std::string& column, const std::string& sentence) {
    throw data_error(fmt::format("{}: column {}: {}", table.where(), in_quotes(column), sentence));
}

bool is_named_feature_or_ignored(const Roles& roles, const std::string& name) {
    return std::ranges::find(roles.features, name) != roles.features.end() ||
           std::ranges::find(roles.ignore, name) != roles.ignore.end();
}

// Checks that each column has one role.
void check_roles(const Table& table, const Roles& roles) {
    std::map<std::string, std::string> role_of;
    const auto give = [&](const std::string& name, const std::string& role) {
        const auto [held, is_new] = role_of.emplace(name, role);
        if (is_new) return;
        throw usage_error(held->second == role
                              ? fmt::format("column {} is named twice as {}", in_quotes(name), role)
                              : fmt::format("column {} cannot be both {} and {}", in_quotes(name), held->second, role));
    };
    if (roles.treatment.empty()) throw usage_error("no treatment column was named");
    if (roles.outcome.empty()) throw usage_error("no outcome column was named");
    give(roles.treatment, "the treatment");
    give(roles.outcome, "the outcome");
    if (!roles.weight.empty()) give(roles.weight, "the weight");
    for (const std::string& name : roles.features) give(name, "a feature");
    for (const std::string& name : std::set<std::string>(roles.ignore.begin(), roles.ignore.end()))
        give(name, "ignored");
    // The group column may also be a feature if it is named as one.
    if (!roles.group.empty() && !is_named_feature_or_ignored(roles, roles.group)) give(roles.group, "the group");
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
             fmt::format("the {} is missing here, and in {} of {} rows in total; every row needs one", role, missing,
                         table.rows()));
}

// Returns the values of an outcome or weight column.
std::vector<double> finite_numbers(const Table& table, const Column& column, std::string_view role) {
    const auto* numeric = std::get_if<NumericColumn>(&column.values);
    if (numeric == nullptr) {
        for (std::size_t row = 0; row < table.rows(); ++row)
            if (!column.is_missing(row) && !parse_number(trimmed(column.text(row))))
                fail(table, row, column.name,
                     fmt::format("{} is not a number; the {} must be numeric", in_quotes(column.text(row)), role));
        fail(table, column.name,
             fmt::format("the column is {}, but the {} must be numeric", name_of(column.type()), role));
    }
    check_none_missing(table, column, role);
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (std::isinf(numeric->values[row]))
            fail(table, row, column.name, fmt::format("the {} is infinite; expected a finite number", role));
    return numeric->values;
}

// Counts missing outcomes by treatment, because leaving out rows biases the mean of a treatment that misses more.
void check_outcomes(const Table& table, const Column& column, const Observations& seen) {
    std::vector<std::size_t> missing(seen.treatments.size());
    std::vector<std::size_t> given(seen.treatments.size());
    std::optional<std::size_t> first;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto treatment = static_cast<std::size_t>(seen.treatment[row]);
        ++given[treatment];
        if (!column.is_missing(row)) continue;
        ++missing[treatment];
        if (!first) first = row;
    }
    if (!first || column.type() != ColumnType::numeric) return;
    std::size_t all = 0;
    std::vector<std::string> counts;
    for (std::size_t k = 0; k < missing.size(); ++k) {
        all += missing[k];
        counts.push_back(fmt::format("{} of {} of {}", missing[k], given[k], in_quotes(seen.treatments[k])));
    }
    fail(table, *first, column.name,
         fmt::format("the outcome is missing here, and in {} of {} rows in total ({}); every row needs one", all,
                     table.rows(), fmt::join(counts, ", ")));
}

std::vector<double> outcomes(const Table& table, const Column& column) {
    auto values = finite_numbers(table, column, "outcome");
    const auto [least, most] = std::ranges::minmax(values);
    if (least == most)
        fail(table, column.name,
             fmt::format("the outcome is {} in every row, so there is nothing to learn from it", least));
    // Sums of squares of larger values may overflow.
    constexpr double largest = 1e100;
    if (std::max(std::abs(least), std::abs(most)) > largest)
        throw data_error(
            fmt::format("column '{}': its values are too large to compute with; use a larger unit", column.name));
    return values;
}

std::vector<double> weights(const Table& table, const Column& column) {
    auto values = finite_numbers(table, column, "weight");
    for (std::size_t row = 0; row < values.size(); ++row)
        if (values[row] < 0)
            fail(table, row, column.name, fmt::format("the weight {} is negative; expected 0 or more", values[row]));
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

void add_groups(const Table& given, const Table& kept, const std::string& name, Observations& seen) {
    seen.group_name = name;
    const Column& column = kept.at(name);
    check_none_missing(kept, column, "group");
    const Column& all = given.at(name);
    std::map<std::string, std::size_t> numbers;
    for (std::size_t row = 0; row < all.rows(); ++row)
        if (!all.is_missing(row)) numbers.emplace(all.text(row), 0);
    for (auto& [label, number] : numbers) {
        number = seen.groups.size();
        seen.groups.push_back(label);
    }
    for (std::size_t row = 0; row < column.rows(); ++row) seen.group.push_back(numbers.at(column.text(row)));
}

std::vector<std::string> cell_texts(const Column& column) {
    std::vector<std::string> texts;
    for (std::size_t row = 0; row < column.rows(); ++row) texts.push_back(column.text(row));
    return texts;
}

// Values for ranking rows of weight 0, whose outcomes may be missing or not numeric.
std::vector<double> numbers_or_missing(const Column& column) {
    if (const auto* numeric = std::get_if<NumericColumn>(&column.values)) return numeric->values;
    std::vector<double> numbers;
    for (std::size_t row = 0; row < column.rows(); ++row)
        numbers.push_back(parse_number(trimmed(column.text(row))).value_or(NumericColumn::missing));
    return numbers;
}

// Ranks of the rows with positive weight, among all rows of the file.
RankedRows rank_before_dropping(const Table& given, const Roles& roles, const Observations& seen,
                                std::span<const std::size_t> counting) {
    std::vector<std::string> names;
    for (const Column& column : seen.features.columns()) names.push_back(column.name);
    std::vector<std::string> treatment = cell_texts(given.at(roles.treatment));
    for (std::size_t i = 0; i < counting.size(); ++i)
        treatment[counting[i]] = seen.treatments[static_cast<std::size_t>(seen.treatment[i])];
    const Table features = given.select(names);
    const RankedRows all = rank_rows({.features = features,
                                      .treatment = treatment,
                                      .outcome = numbers_or_missing(given.at(roles.outcome)),
                                      .weight = std::get<NumericColumn>(given.at(roles.weight).values).values});
    RankedRows ranked;
    ranked.repeats = all.repeats;
    ranked.sha256 = all.sha256;
    for (const std::size_t row : counting) {
        ranked.features.push_back(all.features[row]);
        ranked.rank.push_back(all.rank[row]);
        ranked.content.push_back(all.content[row]);
    }
    return ranked;
}

// The columns that `simulate --truth` adds, if all are present: as features, they would leak the true outcomes.
std::vector<std::string> truth_columns(const Table& table, std::size_t treatments) {
    std::vector<std::string> names;
    names.reserve(treatments + 1);
    for (std::size_t t = 0; t < treatments; ++t) names.push_back(fmt::format("y{}", t));
    names.emplace_back("best");
    const auto is_there = [&](const std::string& name) { return table.find(name) != nullptr; };
    return std::ranges::all_of(names, is_there) ? names : std::vector<std::string>{};
}

// Columns that look like identifiers and are neither named nor declared.
std::vector<std::string> identifiers_in(const Table& table, const Roles& roles, const DeclaredColumns& declared,
                                        const std::vector<std::string>& truth) {
    std::vector<std::string> names;
    if (!roles.features.empty()) return names;
    std::set<std::string> others(truth.begin(), truth.end());
    others.insert({roles.treatment, roles.outcome, roles.weight, roles.group});
    others.insert(roles.ignore.begin(), roles.ignore.end());
    for (const Column& column : table.columns())
        if (!others.contains(column.name) && declared.find(column.name) == nullptr && looks_like_identifier(column))
            names.push_back(column.name);
    return names;
}

std::vector<std::string> feature_names(const Table& table, const Roles& roles, const std::vector<std::string>& others,
                                       const std::vector<std::string>& identifiers) {
    if (!roles.features.empty()) return roles.features;
    std::set<std::string> left_out(others.begin(), others.end());
    left_out.insert(identifiers.begin(), identifiers.end());
    left_out.insert({roles.treatment, roles.outcome, roles.weight, roles.group});
    left_out.insert(roles.ignore.begin(), roles.ignore.end());
    std::vector<std::string> names;
    for (const Column& column : table.columns())
        if (!left_out.contains(column.name)) names.push_back(column.name);
    if (names.empty() && !identifiers.empty())
        throw data_error(
            fmt::format("{}: the only columns left as features look like identifiers ({}); name features with "
                        "--features",
                        table.where(), listed(identifiers, 10)));
    if (names.empty())
        throw data_error(fmt::format("{}: no columns are left as features; at least one is needed", table.where()));
    return names;
}

// True if there are too many distinct texts to infer categories.
bool has_many_texts(const Column& column) {
    const auto* categorical = std::get_if<CategoricalColumn>(&column.values);
    return categorical && categorical->categories.size() > most_inferred_categories;
}

void check_feature(const Table& table, const Column& column, const ColumnSchema* declared) {
    bool any = false;
    for (std::size_t row = 0; row < table.rows() && !any; ++row) any = !column.is_missing(row);
    if (!any) fail(table, column.name, fmt::format("no row has a value; leave it out with --ignore {}", column.name));
    if (const auto* numeric = std::get_if<NumericColumn>(&column.values))
        for (std::size_t row = 0; row < table.rows(); ++row)
            if (std::isinf(numeric->values[row]))
                fail(table, row, column.name, "the value is infinite; a feature must be finite or missing");
    if (const auto* categorical = std::get_if<CategoricalColumn>(&column.values)) {
        if (has_many_texts(column) && (declared == nullptr || declared->categories.empty()))
            fail(table, column.name,
                 fmt::format(
                     "{} distinct texts look like an identifier, not a feature (at most {} categories are inferred); "
                     "leave it out with --ignore {}, or declare its categories in a schema",
                     categorical->categories.size(), most_inferred_categories, column.name));
    }
}

bool is_constant(const Column& column) {
    const std::string first = column.text(0);
    for (std::size_t row = 1; row < column.rows(); ++row)
        if (column.is_missing(row) != column.is_missing(0) || column.text(row) != first) return false;
    return true;
}

std::vector<std::string> labels_received(const Observations& observations) {
    std::vector<std::string> labels;
    labels.reserve(observations.rows());
    for (const int treatment : observations.treatment)
        labels.push_back(observations.treatments[static_cast<std::size_t>(treatment)]);
    return labels;
}

// Finds a text among categories that are otherwise numbers. It is more likely a typing error or a missing value than a
// category. Returns nothing if texts are common.
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
    // Rows of weight 0 are removed first: they must not shift a mean or add a category.
    const bool all_count = roles.weight.empty() || counting.size() == given.rows();
    const Table kept = all_count ? Table() : given.take(counting);
    const Table& table = all_count ? given : kept;
    if (table.rows() == 0) throw data_error(fmt::format("{}: there are no rows to learn from", table.where()));

    const DeclaredColumns declared_columns(schema);
    Observations seen;
    seen.treatment_name = roles.treatment;
    seen.outcome_name = roles.outcome;
    const Column& treatment = table.at(roles.treatment);
    check_none_missing(table, treatment, "treatment");
    Treatments treatments = treatments_in(table, treatment, schema.treatments, roles.least_rows);
    seen.treatments = std::move(treatments.labels);
    seen.treatment = std::move(treatments.given);
    check_outcomes(table, table.at(roles.outcome), seen);
    seen.outcome = outcomes(table, table.at(roles.outcome));
    if (!roles.weight.empty()) {
        seen.weight_name = roles.weight;
        seen.weight = weights(table, table.at(roles.weight));
        if (!all_count)
            seen.notes.push_back(
                fmt::format("{} of {} rows have weight 0 and are left out", given.rows() - table.rows(), given.rows()));
    }
    for (const ColumnSchema& declared : schema.columns)
        if (table.find(declared.name) == nullptr)
            seen.notes.push_back(fmt::format("the schema declares column {}, which is not in {}",
                                             in_quotes(declared.name), table.where()));
    const auto truth =
        roles.features.empty() ? truth_columns(table, seen.treatments.size()) : std::vector<std::string>{};
    if (!truth.empty())
        seen.notes.push_back(fmt::format(
            "not used as features, because they are the true outcomes of simulated data: {}", listed(truth, 10)));
    const auto identifiers = identifiers_in(given, roles, declared_columns, truth);
    for (const std::string& name : identifiers)
        seen.notes.push_back(fmt::format(
            "column {} looks like an identifier and is left out; {} if it is a feature", in_quotes(name),
            has_many_texts(given.at(name)) ? "declare its categories in a schema" : "name it in --features"));
    std::vector<std::string> left_out = truth;
    if (!roles.propensities.empty()) {
        KnownDesign design = design_of(table, roles.propensities, seen.treatments, seen.treatment);
        seen.design = std::move(design.propensities);
        seen.design_name = fmt::format("{}", fmt::join(roles.propensities, ","));
        left_out.insert(left_out.end(), design.columns.begin(), design.columns.end());
    }
    const auto names = feature_names(table, roles, left_out, identifiers);
    for (const std::string& name : names) {
        const Column& column = table.at(name);
        const ColumnSchema* declared = declared_columns.find(name);
        check_feature(table, column, declared);
        if (is_constant(column))
            seen.notes.push_back(
                fmt::format("column {} is the same in every row, so it has no effect", in_quotes(name)));
        if (const auto* categorical = std::get_if<CategoricalColumn>(&column.values))
            if (const auto stray = stray_text(*categorical); stray && declared == nullptr)
                seen.notes.push_back(
                    fmt::format("column {} is read as categories, not numbers, because of {}; a schema can change that",
                                in_quotes(name), in_quotes(*stray)));
    }
    seen.features = table.select(names);
    if (!roles.group.empty()) add_groups(given, table, roles.group, seen);
    if (!all_count) seen.ranked = rank_before_dropping(given, roles, seen, counting);
    return seen;
}

RankedRows ranked_rows(const Observations& observations) {
    if (observations.ranked) return *observations.ranked;
    return rank_rows({.features = observations.features,
                      .treatment = labels_received(observations),
                      .outcome = observations.outcome,
                      .weight = observations.weight});
}

std::vector<std::uint64_t> content_hashes(const Observations& observations) {
    return content_hashes({.features = observations.features,
                           .treatment = labels_received(observations),
                           .outcome = observations.outcome});
}

Observations take(const Observations& observations, std::span<const std::size_t> rows) {
    Observations taken;
    taken.features = observations.features.take(rows);
    for (const std::size_t row : rows) {
        taken.treatment.push_back(observations.treatment[row]);
        taken.outcome.push_back(observations.outcome[row]);
        if (!observations.weight.empty()) taken.weight.push_back(observations.weight[row]);
        if (!observations.group.empty()) taken.group.push_back(observations.group[row]);
    }
    if (observations.has_design())
        taken.design = observations.design(std::vector(rows.begin(), rows.end()), Eigen::all);
    taken.design_name = observations.design_name;
    taken.treatments = observations.treatments;
    taken.treatment_name = observations.treatment_name;
    taken.outcome_name = observations.outcome_name;
    taken.weight_name = observations.weight_name;
    taken.notes = observations.notes;
    taken.groups = observations.groups;
    taken.group_name = observations.group_name;
    return taken;
}

}  // namespace polyrx
