// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "observed_data.hpp"
#include "polyrx/api/compare_methods.hpp"
#include "polyrx/compare/comparison_text.hpp"
#include "polyrx/core/error.hpp"
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

void run(const CompareArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    check_call(arguments);
    const CompareMethodsOptions options{
        .methods = arguments.methods,
        .compare = {.plan = plan_of(arguments), .seed = arguments.seed, .threads = arguments.threads},
        .journal = arguments.journal};
    const std::optional<double> support = epsilon_for(arguments.support, Study().support);
    const Progress progress = terminal.progress();
    const ObservedData& data = arguments.data;
    const StudyRoles roles{data.roles, data.objective.value_or(Objective::min), schema_for(data, progress)};
    const Study study = compared_study(read_data(data.path, progress), roles, arguments.truth, support, progress);
    const Comparison comparison =
        compare_methods(study, options,
                        {.progress = progress,
                         .note = [&](const std::string& note) { terminal.say(note); },
                         .warning = [&](const std::string& warning) { terminal.warn(warning); }});

    const Times times = arguments.no_times ? Times::left_out : Times::shown;
    Output output(arguments.output);
    if (arguments.json || arguments.csv)
        output.write(arguments.json ? comparison_json(comparison, times) : comparison_csv(comparison, times));
    else
        output.write_text(comparison_text(comparison, times));
    output.commit();
    const std::vector<std::string> failed = failures_of(comparison);
    if (!failed.empty()) throw other_error(fmt::format("{}", fmt::join(failed, "; ")));
}

}  // namespace

Verb compare_verb() {
    const auto arguments = std::make_shared<CompareArguments>();
    Verb verb;
    verb.name = "compare";
    verb.summary = "compare methods on identical splits of the same data";
    verb.description =
        "Splits the rows several times. Each time, every method (docs/baselines.md) learns from the training rows and "
        "recommends treatments for the held-out rows; it tunes its own settings on the training rows. With --truth, "
        "methods are ranked by accuracy and regret, as defined by evaluate. Without it, the table has each method's "
        "value as estimated by doubly robust scores. Numbers are means over the splits, with standard errors. "
        "Everything but the times depends only on the data, the options and the seed.";
    verb.positionals = {data_positional(arguments->data)};
    std::vector<std::string> names;
    for (const Candidate& candidate : all_candidates()) names.push_back(candidate.name);
    verb.add(option_group::data, data_options(arguments->data));
    verb.add(option_group::data,
             {option(arguments->truth, "truth", "A,B,...",
                     "columns of the true outcome under each treatment, in order, or LABEL=COLUMN; never features")});
    verb.add(
        "methods and splits",
        {
            option(arguments->methods, "methods", "A,B,...",
                   fmt::format("some of {}; observed is current practice", fmt::join(names, ", ")))
                .default_is("all that suit the number of treatments"),
            option(arguments->folds, "folds", "N", "number of cross-validation folds, stratified by treatment")
                .must_be(allowed::whole_from_2)
                .default_is("5"),
            option(arguments->splits, "splits", "N",
                   "number of random splits instead of folds, stratified by treatment")
                .must_be({"a whole number from 1 to 100000", [](double n) { return n >= 1 && n <= 100'000; }}),
            option(arguments->test_fraction, "test-fraction", "X", "fraction of rows to hold out in each random split")
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
