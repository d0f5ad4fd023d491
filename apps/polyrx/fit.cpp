// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>

#include "fit_arguments.hpp"
#include "polyrx/api/fit_policy.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/policy/file/check_written.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

void check_test_file(const FitArguments& arguments) {
    if (arguments.test_file.empty()) return;
    if (arguments.test_fraction == 0)
        throw usage_error("--test-file writes held-out rows: say how many with --test-fraction SHARE");
    if (is_standard_output(arguments.test_file)) throw usage_error("--test-file needs a file, not standard output");
    check_writable(arguments.test_file, {arguments.data.path, arguments.data.schema, arguments.rules});
    check_apart(arguments.output, arguments.test_file, "--test-file");
    if (!arguments.tuning_log.empty()) check_apart(arguments.tuning_log, arguments.test_file, "--test-file");
}

// Finds errors in output paths before any work.
void check_outputs(const FitArguments& arguments) {
    const std::vector<std::string> inputs = {arguments.data.path, arguments.data.schema, arguments.rules};
    check_writable(arguments.output, inputs);
    if (!arguments.tuning_log.empty()) {
        check_writable(arguments.tuning_log, inputs);
        check_apart(arguments.output, arguments.tuning_log, "--tuning-log");
    }
    check_test_file(arguments);
}

// Writes the model last, so that a failure leaves none behind.
void write_files(const FitArguments& arguments, const DataText& data, const ObservedRows& rows, const PolicyFit& fitted,
                 const Progress& progress) {
    Output model(arguments.output);
    write_model(fitted.policy(), [&](std::string_view part) { model.write(part); });
    if (!arguments.tuning_log.empty()) save(arguments.tuning_log, tuning_log(*fitted.fit.tuning));
    if (!arguments.test_file.empty())
        save(arguments.test_file,
             [&](const Sink& sink) { write_csv(held_out_rows(data, rows, fitted.fit, progress), sink); });
    model.commit(check_written);
}

void run(const FitArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.json && is_standard_output(arguments.output))
        throw usage_error(fmt::format("--json and -o {} would both write to standard output", arguments.output));
    check_inputs(arguments.data);
    const auto began = Clock::now();
    FitPolicyOptions options{.fit = fit_options(arguments)};
    if (arguments.leaves) options.leaves = static_cast<std::size_t>(*arguments.leaves);
    check_outputs(arguments);

    const Progress progress = terminal.progress();
    const Schema schema = schema_for(arguments.data, progress);
    const DataText data = read_data(arguments.data.path, progress);
    const ObservedRows rows = observed_rows(data, arguments.data.roles, schema, progress);
    const double reading = seconds_since(began);
    terminal.say(rows.notes);
    terminal.warn(rows.warnings);
    PolicyFit fitted = fit_policy(rows, options, progress);
    if (fitted.fit.stopped) forgive_interrupt();

    const auto writing_began = Clock::now();
    write_files(arguments, data, rows, fitted, progress);
    fitted.timings.read = reading;
    fitted.timings.write = seconds_since(writing_began);
    fitted.timings.total = seconds_since(began);
    terminal.say(text_of(fitted));
    terminal.say(fitted.notes);
    terminal.warn(fitted.warnings);
    if (!is_standard_output(arguments.output)) terminal.say(fmt::format("model {}", arguments.output));
    if (!arguments.test_file.empty()) terminal.say(fmt::format("held-out rows {}", arguments.test_file));
    if (arguments.timings) terminal.say(timings_table(fitted.timings));
    if (arguments.json) Output("-").write(json_of(fitted, arguments.output).dump(2, InvalidUtf8::replace) + "\n");
    // The model is kept, but an error reports the interruption, for example to a shell loop.
    if (fitted.fit.stopped)
        throw Error(ErrorKind::canceled, "interrupted: the model is the best tree that had been found");
}

}  // namespace

Verb fit_verb() {
    const auto arguments = std::make_shared<FitArguments>();
    Verb verb;
    verb.name = "fit";
    verb.summary = "learn a policy from observational data";
    verb.description =
        "Learns which treatment to recommend from rows of features, treatment received and outcome. By default it "
        "trains a prescriptive ReLU network, which predicts the outcome under each treatment and recommends the best. "
        "All other columns are features (but y0, y1, ... and best, the truth columns of simulate, are left out). "
        "Options given here override those of the recipe.";
    verb.positionals = {data_positional(arguments->data)};
    verb.options = options_of(*arguments);
    verb.example = {
        "polyrx fit train.csv --treatment treatment --outcome outcome --recipe fast --seed 1 -o model.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
