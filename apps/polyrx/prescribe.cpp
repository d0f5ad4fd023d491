// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "polyrx/api/prescribe_rows.hpp"
#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct PrescribeArguments {
    std::string model;
    std::string data;
    std::vector<std::string> keep;
    bool outcomes = false;
    bool reasons = false;
    Unseen unseen = Unseen::error;
    int threads = 0;
    std::string output = "-";
    bool quiet = false;
};

// How many rows got which treatment.
std::string counts_words(const std::vector<std::string>& treatments, const PrescribedRows& prescribed,
                         const std::string& output) {
    std::vector<std::string> counts;
    for (std::size_t k = 0; k < treatments.size(); ++k)
        counts.push_back(
            fmt::format("{} ({})", without_controls(treatments[k], LineEnds::escape), grouped(prescribed.counts[k])));
    return fmt::format("{} in {}: {}", counted(prescribed.table.rows(), "prescription"), output,
                       fmt::join(counts, ", "));
}

void run(const PrescribeArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.model == "-" && arguments.data == "-")
        throw usage_error("only one of MODEL and DATA.csv can be standard input");
    check_writable(arguments.output, {arguments.model, arguments.data});
    const Progress progress = terminal.progress();
    const ModelOrTree loaded = load_model_or_tree(arguments.model, progress);
    const Policy& policy = policy_of(loaded);
    repeat_recommendation(policy, terminal);
    const PrescribedRows prescribed = prescribe_rows(loaded, read_data(arguments.data, progress),
                                                     {.prescribe = {.unseen = arguments.unseen,
                                                                    .threads = arguments.threads,
                                                                    .outcomes = arguments.outcomes,
                                                                    .reasons = arguments.reasons},
                                                      .keep = arguments.keep,
                                                      .count_unsupported = !arguments.quiet},
                                                     progress);
    save(arguments.output, [&](const Sink& sink) { write_csv(prescribed.table, sink); });
    terminal.warn(prescribed.warnings);
    if (arguments.output != "-") terminal.say(counts_words(policy.treatments, prescribed, arguments.output));
    terminal.say(prescribed.notes);
    if (!prescribed.failure.empty()) throw data_error(prescribed.failure);
}

}  // namespace

Verb prescribe_verb() {
    const auto arguments = std::make_shared<PrescribeArguments>();
    Verb verb;
    verb.name = "prescribe";
    verb.summary = "say for new rows which treatment to give";
    verb.description =
        "Writes a CSV with the column prescription, one row for each row of the data, in the same order. The data "
        "needs the model's "
        "feature columns, by name; missing cells are fine and other columns do not matter. A tree prescribes what its "
        "model does: its certified leaves answer, and the model's network where they do not.";
    verb.positionals = {
        positional(arguments->model, "MODEL", "a model file of polyrx fit, or a tree file").completes(Complete::file),
        positional(arguments->data, "DATA.csv", "rows to prescribe for; - is standard input")
            .completes(Complete::file)};
    verb.options = {
        option(arguments->keep, "keep", "A,B,...", "columns of the data to copy in front, an identifier for example"),
        flag(arguments->outcomes, "outcomes",
             "add the predicted outcome of every treatment as outcome_LABEL; of methods that have none, their effects "
             "or votes as effect_LABEL or votes_LABEL"),
        flag(arguments->reasons, "reasons",
             "add the column reason: what decided (outcome, rule or support); of a tree also leaf (the number of the "
             "node where the row ended; NA outside of the domain) and answered_by (tree; or why the network was asked: "
             "guard, empirical, outside)"),
        choice(arguments->unseen, {Unseen::error, Unseen::ignore}, "unseen", "HOW",
               "a category that the training data did not have"),
        threads_option(arguments->threads),
        option(arguments->output, "output", "FILE", "where the CSV goes; - is standard output")
            .letter_is('o')
            .completes(Complete::file),
        flag(arguments->quiet, "quiet", "say nothing on standard error but what is wrong").letter_is('q'),
    };
    verb.example = {"polyrx prescribe model.json test.csv -o prescriptions.csv"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
