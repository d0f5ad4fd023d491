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
    verb.summary = "write simulated observations whose truth is known, as CSV";
    verb.description =
        "1..6 are the datasets of the paper's Section 5.2: columns x1..x20, treatment (0 and 1, or 0 to 2 for 5 and 6) "
        "and "
        "outcome; smaller is better. custom is the same with other functions of that section as base and effects, and "
        "three treatments where there are two effects. "
        "clinic is a cohort of patients with readable columns of mixed type, some missing "
        "values and "
        "three doses. Treatments are assigned in a confounded way. --truth adds the outcome of every treatment without "
        "noise as y0, "
        "y1, ..., and the best treatment as best.";
    verb.positionals = {positional(arguments->dataset, "DATASET", "1, 2, 3, 4, 5, 6, custom or clinic")
                            .one_of({"1", "2", "3", "4", "5", "6", "custom", "clinic"})};
    verb.options = {
        option(arguments->rows, "n", "ROWS", "how many rows").letter_is('n'),
        option(arguments->seed, "seed", "N", "the same seed gives the same bytes"),
        option(arguments->functions, "functions", "F,F[,F]",
               "for custom: the base, then one or two effects, of f1 to f4"),
        choice(arguments->variant, {Variant::paper, Variant::literal}, "variant", "NAME",
               "for 1..6 and custom: what Section 5.2 standardizes, the features or (literal) base and effect"),
        flag(arguments->truth, "truth", "add the columns y0, y1, ... and best"),
        option(arguments->output, "output", "FILE", "where the CSV goes; - is standard output")
            .letter_is('o')
            .completes(Complete::file),
        option(arguments->schema, "schema", "FILE", "for clinic: also write its schema (types, units, bounds) there")
            .completes(Complete::file),
        flag(arguments->quiet, "quiet", "say nothing on standard error but what is wrong").letter_is('q'),
    };
    verb.example = {
        "polyrx simulate 1 -n 10000 --seed 1 -o train.csv",
        "polyrx simulate 1 -n 5000 --seed 2 --truth -o test.csv",
    };
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
