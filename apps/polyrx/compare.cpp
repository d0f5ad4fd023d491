// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "observed_data.hpp"
#include "polyrx/compare/comparison_text.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/evaluate/value/truth.hpp"
#include "polyrx/study/column_screens.hpp"
#include "polyrx/study/columns_by_treatment.hpp"
#include "polyrx/table/io/csv_read.hpp"
#include "polyrx/api/summary.hpp"
#include "support_options.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct CompareArguments {
    ObservedData data;
    std::vector<std::string> methods;
    std::vector<std::string> truth;
    std::optional<int> folds;
    std::optional<int> splits;
    std::optional<double> test_fraction;
    std::string journal;
    SupportArguments support;
    std::uint64_t seed = 1;
    int threads = 0;
    std::string output = "-";
    bool json = false;
    bool csv = false;
    bool no_times = false;
    bool quiet = false;
};

SplitPlan plan_of(const CompareArguments& arguments) {
    if (arguments.folds && arguments.splits)
        throw usage_error("--folds and --splits are two ways to split the rows: give one of them");
    if (arguments.test_fraction && !arguments.splits)
        throw usage_error("--test-fraction is about random splits: say how many with --splits N");
    if (!arguments.splits) return Folds{arguments.folds.value_or(Folds{}.folds)};
    return RandomSplits{*arguments.splits, arguments.test_fraction.value_or(RandomSplits{}.test_fraction)};
}

void check_call(const CompareArguments& arguments) {
    if (arguments.json && arguments.csv) throw usage_error("--json and --csv are two forms of the same: give one");
    check_inputs(arguments.data);
    check_writable(arguments.output, {arguments.data.path, arguments.data.schema});
    if (arguments.journal.empty()) return;
    if (is_standard_output(arguments.journal))
        throw usage_error("--journal needs a file that can be read back, not standard output");
    check_writable(arguments.journal, {arguments.data.path, arguments.data.schema});
    check_apart(arguments.output, arguments.journal, "--journal");
}

// What --truth may be about: which column it is, is known after the labels are. "a=b" may be the column "a=b", or "b"
// for the treatment "a".
std::vector<std::string> possible_columns(const std::vector<std::string>& truth) {
    std::vector<std::string> names;
    for (const std::string& given : truth)
        for (const std::string& name : {given, given.substr(given.find('=') + 1)})
            if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    return names;
}

// Truth is read as numbers, so that a cell which is none is named with its line.
CsvOptions reading_of(const Schema& schema, const std::vector<std::string>& truth) {
    CsvOptions reading;
    reading.schema = schema;
    for (const std::string& name : possible_columns(truth))
        if (!reading.schema.find(name)) reading.schema.columns.push_back({.name = name, .type = ColumnType::numeric});
    return reading;
}

// The roles with which the labels can be found before it is known which columns are the truth.
Roles roles_to_begin_with(const Table& table, Roles roles, const std::vector<std::string>& truth) {
    for (const std::string& name : possible_columns(truth)) {
        const bool has_role = name == roles.treatment || name == roles.outcome || name == roles.weight ||
                              std::ranges::find(roles.features, name) != roles.features.end();
        if (table.find(name) != nullptr && !has_role) roles.ignore.push_back(name);
    }
    return roles;
}

// Who knows the true outcomes must not learn from them.
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

// The treatments, and so the order of the truth's columns, are known once the table was observed; and that the truth is
// no feature must be known before.
Study study_of(const CompareArguments& arguments, const Progress& progress) {
    Study study;
    study.objective = arguments.data.objective;
    study.support = epsilon_for(arguments.support, study.support);
    study.schema = schema_for(arguments.data, progress);
    const Roles& roles = arguments.data.roles;
    const Table table = read_csv(arguments.data.path, reading_of(study.schema, arguments.truth), progress);
    if (arguments.truth.empty()) {
        study.observations = observe(table, roles, study.schema);
        return study;
    }
    const std::vector<std::string> labels =
        observe(table, roles_to_begin_with(table, roles, arguments.truth), study.schema).treatments;
    const std::vector<std::string> columns = columns_by_treatment("--truth", labels, arguments.truth, "the data have");
    for (const std::string& column : columns) (void)table.at(column);
    study.observations = observe(table, roles_without(columns, roles), study.schema);
    study.truth = truth_matrix(rows_that_count(table, roles.weight), columns);
    return study;
}

// What a person sees when all splits of a method are done.
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
        words +=
            fmt::format(", accuracy {:.1f} %, regret {:.4g}", 100 * accuracy->mean, mean(&SplitScore::regret)->mean);
    if (const auto seconds = mean(&SplitScore::fit_seconds))
        words += fmt::format(", {:.1f} s each to fit", seconds->mean);
    return words;
}

// Ctrl-C: what is kept, and how to go on.
std::string canceled_words(const Journal* journal, const std::string& path) {
    if (journal == nullptr) return "canceled; nothing is kept without --journal FILE";
    if (journal->size() == 0) return "canceled before anything was finished";
    return fmt::format("canceled; {} are in {}, and the same command goes on from there",
                       counted(journal->size(), "finished fit"), path);
}

Comparison run_comparison(const CompareArguments& arguments, const Study& study, Terminal& terminal,
                          const Progress& progress) {
    const std::size_t treatments = study.observations.treatments.size();
    const std::vector<Candidate> candidates =
        arguments.methods.empty() ? candidates_for(treatments) : candidates_named(arguments.methods, treatments);
    const CompareOptions options{.plan = plan_of(arguments), .seed = arguments.seed, .threads = arguments.threads};
    // First, so that what cannot be split leaves no journal behind.
    (void)plan_splits(study.observations, options.plan, options.seed);
    std::optional<Journal> journal;
    if (!arguments.journal.empty()) journal.emplace(arguments.journal, journal_key(study, options.plan, options.seed));
    for (const std::string& note : study.observations.notes) terminal.say(note);
    for (const std::string& note : suspicious_features(study.observations)) terminal.warn(note);
    if (journal && journal->size() > 0)
        terminal.say(fmt::format("{} in {}", counted(journal->size(), "finished fit"), arguments.journal));
    const CompareListeners listeners{.progress = progress, .finished = [&](const CandidateScores& candidate) {
                                         terminal.say(finished_words(candidate));
                                     }};
    try {
        return compare(study, candidates, options, journal ? &*journal : nullptr, listeners);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::canceled) throw;
        throw Error(ErrorKind::canceled, canceled_words(journal ? &*journal : nullptr, arguments.journal));
    }
}

void run(const CompareArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    check_call(arguments);
    (void)plan_of(arguments);
    const Progress progress = terminal.progress();
    const Study study = study_of(arguments, progress);
    const Comparison comparison = run_comparison(arguments, study, terminal, progress);

    const Times times = arguments.no_times ? Times::left_out : Times::shown;
    Output output(arguments.output);
    output.write(arguments.json  ? comparison_json(comparison, times)
                 : arguments.csv ? comparison_csv(comparison, times)
                                 : comparison_text(comparison, times));
    output.commit();
    std::vector<std::string> failed;
    for (const CandidateScores& candidate : comparison.candidates)
        if (!candidate.failed.empty())
            failed.push_back(fmt::format("{} failed in {} of {}: {}", candidate.name, candidate.failed.size(),
                                         counted(comparison.splits.size(), "split"), candidate.failed.front().why));
    if (!failed.empty()) throw other_error(fmt::format("{}", fmt::join(failed, "; ")));
}

}  // namespace

Verb compare_verb() {
    const auto arguments = std::make_shared<CompareArguments>();
    Verb verb;
    verb.name = "compare";
    verb.summary = "compare methods on identical splits of the same data";
    verb.description =
        "Splits the rows several times. Each time, every method learns from the training rows and recommends "
        "treatments for the held-out rows; it tunes its own settings on the training rows. With --truth, methods are "
        "ranked by accuracy and regret, as defined by evaluate. Without it, the table has each method's value as "
        "estimated by doubly robust scores. Numbers are means over the splits, with standard errors. Everything but "
        "the times depends only on the data, the options and the seed.";
    verb.positionals = {data_positional(arguments->data)};
    std::vector<std::string> names;
    for (const Candidate& candidate : all_candidates()) names.push_back(candidate.name);
    verb.add(option_group::data, data_options(arguments->data));
    verb.add(option_group::data,
             {option(arguments->truth, "truth", "A,B,...",
                     "columns of the true outcome under each treatment, in order, or LABEL=COLUMN; never features")});
    verb.add("methods and splits",
             {
                 option(arguments->methods, "methods", "A,B,...",
                        fmt::format("some of {}; observed is current practice", fmt::join(names, ", ")))
                     .default_is("all that suit the number of treatments"),
                 option(arguments->folds, "folds", "N", "number of cross-validation folds, stratified by treatment")
                     .must_be(allowed::whole_from_2)
                     .default_is("5, without --splits"),
                 option(arguments->splits, "splits", "N",
                        "number of random splits instead of folds, stratified by treatment")
                     .must_be({"a whole number from 1 to 100000", [](double n) { return n >= 1 && n <= 100'000; }}),
                 option(arguments->test_fraction, "test-fraction", "X",
                        "fraction of rows to hold out in each of the --splits")
                     .must_be({"a fraction above 0 and below 1", [](double x) { return x > 0 && x < 1; }})
                     .default_is("0.3"),
                 option(arguments->journal, "journal", "FILE",
                        "record each finished fit, and resume an interrupted run from it")
                     .completes(Complete::file),
             });
    verb.add(option_group::support, support_options(arguments->support));
    verb.add(option_group::output, {
                                       output_option(arguments->output, "table"),
                                       flag(arguments->csv, "csv", "write the table as CSV"),
                                       flag(arguments->no_times, "no-times",
                                            "leave out the times, so that repeated runs write the same bytes")
                                           .advanced(),
                                       seed_option(arguments->seed),
                                       threads_option(arguments->threads),
                                       json_option(arguments->json),
                                       quiet_option(arguments->quiet),
                                   });
    verb.example = {
        "polyrx compare test.csv --treatment treatment --outcome outcome --truth y0,y1 --methods rc-lr,pt",
    };
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
