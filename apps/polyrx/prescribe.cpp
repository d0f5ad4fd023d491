// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "polyrx/core/error.hpp"
#include "polyrx/data/csv_write.hpp"
#include "polyrx/policy/model_file.hpp"
#include "polyrx/policy/policy.hpp"
#include "read_data.hpp"
#include "summary.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct Arguments {
    std::string model;
    std::string data;
    std::vector<std::string> keep;
    bool outcomes = false;
    Unseen unseen = Unseen::error;
    int threads = 0;
    std::string output = "-";
    bool quiet = false;
};

constexpr const char* prescription_column = "prescription";

std::string outcome_column(const std::string& treatment) {
    return "outcome_" + treatment;
}

// A result with two columns of one name could not be read again.
void check_kept(const Policy& policy, const Arguments& arguments) {
    std::set<std::string> written = {prescription_column};
    if (arguments.outcomes)
        for (const std::string& treatment : policy.treatments) written.insert(outcome_column(treatment));
    std::set<std::string> kept;
    for (const std::string& name : arguments.keep) {
        if (written.contains(name))
            throw usage_error(
                fmt::format("--keep: the column '{}' would stand beside the one that prescribe writes", name));
        if (!kept.insert(name).second) throw usage_error(fmt::format("--keep names the column '{}' twice", name));
    }
}

// The kept columns, then `prescription`, then with --outcomes what each treatment is expected to lead to.
Table result_table(const Policy& policy, const Table& kept, const Prescriptions& prescriptions) {
    std::vector<Column> columns = kept.columns();
    columns.push_back(
        {prescription_column,
         CategoricalColumn{policy.treatments, {prescriptions.treatment.begin(), prescriptions.treatment.end()}}});
    for (Eigen::Index k = 0; k < prescriptions.outcomes.cols(); ++k) {
        std::vector<double> values(static_cast<std::size_t>(prescriptions.outcomes.rows()));
        for (std::size_t row = 0; row < values.size(); ++row)
            values[row] = prescriptions.outcomes(static_cast<Eigen::Index>(row), k);
        columns.push_back(
            {outcome_column(policy.treatments[static_cast<std::size_t>(k)]), NumericColumn{std::move(values)}});
    }
    return Table(std::move(columns));
}

void run(const Arguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.model == "-" && arguments.data == "-")
        throw usage_error("only one of MODEL and DATA.csv can be standard input");
    check_writable(arguments.output, {arguments.model, arguments.data});
    const Progress progress = terminal.progress();
    const Policy policy = load_model(arguments.model, progress);
    check_kept(policy, arguments);
    DataText file = read_data(arguments.data, progress);
    const Table data = parse_for(policy, file, {}, progress);
    const Table kept = arguments.keep.empty() ? Table() : parse_as_text(file, arguments.keep, progress);
    file = {};  // what follows may need the memory

    PrescribeOptions options;
    options.unseen = arguments.unseen;
    options.threads = arguments.threads;
    options.outcomes = arguments.outcomes;
    const Prescriptions prescriptions = prescribe(policy, data, options, progress);

    Output output(arguments.output);
    write_csv(result_table(policy, kept, prescriptions), [&](std::string_view text) { output.write(text); });
    output.commit();
    if (arguments.output == "-") return;
    std::string counts;
    for (std::size_t k = 0; k < policy.treatments.size(); ++k) {
        const auto count =
            std::count(prescriptions.treatment.begin(), prescriptions.treatment.end(), static_cast<int>(k));
        counts +=
            fmt::format("{}{} ({})", k > 0 ? ", " : "", policy.treatments[k], grouped(static_cast<std::size_t>(count)));
    }
    terminal.say(fmt::format("{} prescriptions in {}: {}", grouped(data.rows()), arguments.output, counts));
}

}  // namespace

Verb prescribe_verb() {
    const auto arguments = std::make_shared<Arguments>();
    Verb verb;
    verb.name = "prescribe";
    verb.summary = "say for new rows which treatment to give";
    verb.description =
        "Writes a CSV with the column prescription, one row for each row of the data, in the same order. The data "
        "needs the model's "
        "feature columns, by name; missing cells are fine and other columns do not matter.";
    verb.positionals = {positional(arguments->model, "MODEL", "a model file of polyrx fit").completes(Complete::file),
                        positional(arguments->data, "DATA.csv", "rows to prescribe for; - is standard input")
                            .completes(Complete::file)};
    verb.options = {
        option(arguments->keep, "keep", "A,B,...", "columns of the data to copy in front, an identifier for example"),
        flag(arguments->outcomes, "outcomes", "add the predicted outcome of every treatment as outcome_LABEL"),
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
