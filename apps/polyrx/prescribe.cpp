// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "observed_data.hpp"
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

// Counts of prescriptions by treatment.
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
    verb.summary = "recommend a treatment for each new row";
    verb.description =
        "Writes a CSV with the column prescription, one row for each row of the data, in the same order. The data need "
        "the model's feature columns, by name. Missing values are allowed, and other columns are ignored. A tree makes "
        "the same recommendations as its model: where a leaf is not certified, the network in the tree file decides.";
    verb.positionals = {positional(arguments->model, "MODEL", "model file or tree file").completes(Complete::file),
                        positional(arguments->data, "DATA.csv", "rows to recommend treatments for; - is stdin")
                            .completes(Complete::file)};
    verb.options = {
        option(arguments->keep, "keep", "A,B,...",
               "copy these columns of the data to the front, such as an identifier"),
        flag(arguments->outcomes, "outcomes",
             "add the predicted outcome under each treatment as outcome_LABEL; methods that predict effects or votes "
             "add effect_LABEL or votes_LABEL"),
        flag(arguments->reasons, "reasons",
             "add the column reason: outcome, rule or support; a tree also adds leaf (number of the node; NA outside "
             "of the domain) and answered_by (tree, or why the network decided: guard, empirical, outside)"),
        unseen_option(arguments->unseen),
        output_option(arguments->output, "CSV file"),
        threads_option(arguments->threads),
        quiet_option(arguments->quiet),
    };
    verb.example = {"polyrx prescribe model.json test.csv -o prescriptions.csv"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
