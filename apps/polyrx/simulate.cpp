// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "polyrx/api/simulate_study.hpp"
#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct SimulateArguments {
    std::string dataset;
    std::uint64_t rows = 10'000;
    std::uint64_t seed = 1;
    Variant variant = Variant::paper;
    std::vector<std::string> functions;
    bool truth = false;
    std::string output = "-";
    std::string schema;
    bool quiet = false;
};

void run(const SimulateArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.dataset != "clinic" && !arguments.schema.empty())
        throw usage_error("--schema goes with clinic: the columns of the others have no units");
    check_writable(arguments.output);
    if (!arguments.schema.empty()) {
        check_writable(arguments.schema);
        check_apart(arguments.output, arguments.schema);
    }
    SimulateOptions options;
    options.rows = arguments.rows;
    options.seed = arguments.seed;
    options.variant = arguments.variant;
    options.truth = arguments.truth;
    const Table table = simulate_study(arguments.dataset, arguments.functions, options);
    save(arguments.output, [&](const Sink& sink) { write_csv(table, sink); });
    if (arguments.output != "-") terminal.say(fmt::format("{} in {}", counted(table.rows(), "row"), arguments.output));
    if (!arguments.schema.empty()) save(arguments.schema, schema_json(clinic_schema()));
}

}  // namespace

Verb simulate_verb() {
    const auto arguments = std::make_shared<SimulateArguments>();
    Verb verb;
    verb.name = "simulate";
    verb.summary = "write simulated observations with known truth (CSV)";
    verb.description =
        "Datasets 1 to 6 are those of the paper's Section 5.2. They have features x1..x20, treatments 0 and 1 (0 to 2 "
        "for 5 and 6) and an outcome to minimize. The dataset clinic is a cohort of patients: readable columns of "
        "mixed types, some missing values and three doses. Treatment assignment is confounded in all of them. --truth "
        "adds the noise-free outcome under each treatment as y0, y1, ... and the best treatment as best.";
    verb.positionals = {
        positional(arguments->dataset, "DATASET", "1, 2, 3, 4, 5, 6, clinic, or custom (see --functions)")
            .one_of({"1", "2", "3", "4", "5", "6", "custom", "clinic"})};
    verb.options = {
        option(arguments->rows, "n", "ROWS", "number of rows").letter_is('n'),
        flag(arguments->truth, "truth", "add the columns y0, y1, ... and best"),
        option(arguments->schema, "schema", "FILE", "also write the schema (types, units, bounds); for clinic only")
            .completes(Complete::file),
        option(arguments->functions, "functions", "F,F[,F]",
               "for custom, a dataset like 1 to 6: its base function and one or two effect functions, from f1 to f4")
            .advanced(),
        choice(arguments->variant, {Variant::paper, Variant::literal}, "variant", "NAME",
               "for 1 to 6 and custom: standardize the features (paper), or the base and effect functions (literal)")
            .advanced(),
        output_option(arguments->output, "CSV file"),
        seed_option(arguments->seed),
        quiet_option(arguments->quiet),
    };
    verb.example = {
        "polyrx simulate 1 -n 10000 --seed 1 -o train.csv",
        "polyrx simulate 1 -n 5000 --seed 2 --truth -o test.csv",
    };
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
