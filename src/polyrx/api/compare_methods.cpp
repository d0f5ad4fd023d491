// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/compare_methods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/text/number_text.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/evaluate/value/truth.hpp"
#include "polyrx/study/column_screens.hpp"
#include "polyrx/study/columns_by_treatment.hpp"
#include "polyrx/table/io/csv_read.hpp"

namespace polyrx {
namespace {

// Columns that --truth may name, before labels are known. "a=b" may be the column "a=b", or column "b" for treatment
// "a".
std::vector<std::string> possible_columns(const std::vector<std::string>& truth) {
    std::vector<std::string> names;
    for (const std::string& given : truth)
        for (const std::string& name : {given, given.substr(given.find('=') + 1)})
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    return names;
}

// Reads truth as numbers, so that an invalid cell is reported with its line.
CsvOptions reading_of(const Schema& schema, const std::vector<std::string>& truth) {
    CsvOptions reading;
    reading.schema = schema;
    for (const std::string& name : possible_columns(truth))
        if (!reading.schema.find(name)) reading.schema.columns.push_back({.name = name, .type = ColumnType::numeric});
    return reading;
}

// Roles that suffice to find the labels, before the truth columns are known.
Roles roles_to_begin_with(const Table& table, Roles roles, const std::vector<std::string>& truth) {
    for (const std::string& name : possible_columns(truth)) {
        const bool has_role = name == roles.treatment || name == roles.outcome || name == roles.weight ||
                              std::ranges::find(roles.features, name) != roles.features.end();
        if (table.find(name) != nullptr && !has_role) roles.ignore.push_back(name);
    }
    return roles;
}

// Excludes the true outcomes from the features.
Roles roles_without(const std::vector<std::string>& truth, Roles roles) {
    for (const std::string& column : truth) {
        const bool is_feature = std::ranges::find(roles.features, column) != roles.features.end();
        if (is_feature || column == roles.treatment || column == roles.outcome || column == roles.weight)
            throw usage_error(fmt::format("column {} cannot be both the truth and {}", in_quotes(column),
                                          is_feature                  ? "a feature"
                                          : column == roles.treatment ? "the treatment"
                                          : column == roles.outcome   ? "the outcome"
                                                                      : "the weight"));
        if (std::ranges::find(roles.ignore, column) == roles.ignore.end()) roles.ignore.push_back(column);
    }
    return roles;
}

// The rows that observe() keeps.
Table rows_that_count(const Table& table, const std::string& weight) {
    if (weight.empty()) return table;
    const auto& weights = std::get<NumericColumn>(table.at(weight).values).values;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (weights[i] > 0) rows.push_back(i);
    return table.take(rows);
}

// The message after all splits of a method.
std::string finished_words(const CandidateScores& candidate) {
    const auto mean = [&](std::optional<double> SplitScore::* figure) {
        return mean_over_splits(candidate, [figure](const SplitScore& score) { return score.*figure; });
    };
    std::string words = candidate.name + ": ";
    if (!candidate.failed.empty())
        return words +
               fmt::format("failed in {} of {}", candidate.failed.size(), counted(candidate.splits.size(), "split"));
    words += counted(candidate.splits.size(), "split");
    if (const auto accuracy = mean(&SplitScore::accuracy))
        words += fmt::format(", accuracy {:.1f} %, regret {}", 100 * accuracy->mean,
                             number_text(mean(&SplitScore::regret)->mean));
    if (const auto seconds = mean(&SplitScore::fit_seconds))
        words += fmt::format(", {:.1f} s each to fit", seconds->mean);
    return words;
}

// The message after Ctrl-C: which results are kept, and how to continue.
std::string canceled_words(const Journal* journal, const std::string& path) {
    if (journal == nullptr) return "canceled; nothing is kept without --journal FILE";
    if (journal->size() == 0) return "canceled before anything was finished";
    return fmt::format("canceled; {} are in {}, and the same command goes on from there",
                       counted(journal->size(), "finished fit"), path);
}

void tell(const std::function<void(const std::string&)>& listener, const std::string& sentence) {
    if (listener) listener(sentence);
}

}  // namespace

// The order of truth columns follows the treatments, which are known only after observe(). But observe() must know the
// truth columns to exclude them from the features.
Study compared_study(const DataText& data, const StudyRoles& roles, const std::vector<std::string>& truth,
                     std::optional<double> support, const Progress& progress) {
    Study study;
    study.objective = roles.objective;
    study.support = support;
    study.schema = roles.schema;
    const Table table = parse_csv(data.bytes, data.name, reading_of(study.schema, truth), progress);
    if (truth.empty()) {
        study.observations = observe(table, roles.roles, study.schema);
        return study;
    }
    const std::vector<std::string> labels =
        observe(table, roles_to_begin_with(table, roles.roles, truth), study.schema).treatments;
    const std::vector<std::string> columns = columns_by_treatment("--truth", labels, truth, "the data have");
    for (const std::string& column : columns) (void)table.at(column);
    study.observations = observe(table, roles_without(columns, roles.roles), study.schema);
    study.truth = truth_matrix(rows_that_count(table, roles.roles.weight), columns);
    return study;
}

Comparison compare_methods(const Study& study, const CompareMethodsOptions& options,
                           const CompareMethodsListeners& listeners) {
    const std::size_t treatments = study.observations.treatments.size();
    const std::vector<Candidate> candidates =
        options.methods.empty() ? candidates_for(treatments) : candidates_named(options.methods, treatments);
    const auto& [plan, seed, threads] = options.compare;
    // Runs first, so that data that cannot be split leave no journal.
    (void)plan_splits(study.observations, plan, seed);
    std::optional<Journal> journal;
    if (!options.journal.empty()) journal.emplace(options.journal, journal_key(study, plan, seed));
    if (journal && !journal->changed_lines().empty()) tell(listeners.warning, journal->changed_words());
    for (const std::string& note : study.observations.notes) tell(listeners.note, note);
    for (const std::string& note : suspicious_features(study.observations)) tell(listeners.warning, note);
    if (journal && journal->size() > 0)
        tell(listeners.note, fmt::format("{} in {}", counted(journal->size(), "finished fit"), options.journal));
    try {
        return compare(study, candidates, options.compare, journal ? &*journal : nullptr,
                       {.progress = listeners.progress, .finished = [&](const CandidateScores& candidate) {
                            tell(listeners.note, finished_words(candidate));
                        }});
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::canceled) throw;
        throw Error(ErrorKind::canceled, canceled_words(journal ? &*journal : nullptr, options.journal));
    }
}

std::vector<std::string> failures_of(const Comparison& comparison) {
    std::vector<std::string> failures;
    for (const CandidateScores& candidate : comparison.candidates)
        if (!candidate.failed.empty())
            failures.push_back(fmt::format("{} failed in {} of {}: {}", candidate.name, candidate.failed.size(),
                                           counted(comparison.splits.size(), "split"), candidate.failed.front().why));
    return failures;
}

}  // namespace polyrx
