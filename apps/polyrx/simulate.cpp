// SPDX-License-Identifier: Apache-2.0
#include "polyrx/data/simulate.hpp"

#include <fmt/format.h>

#include "polyrx/core/error.hpp"
#include "polyrx/data/csv_write.hpp"
#include "summary.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct Arguments {
    std::string dataset;
    std::uint64_t rows = 10'000;
    std::uint64_t seed = 1;
    Variant variant = Variant::paper;
    bool truth = false;
    std::string output = "-";
    std::string schema;
    bool quiet = false;
};

void run(const Arguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    const bool clinic = arguments.dataset == "clinic";
    if (!clinic && !arguments.schema.empty())
        throw usage_error("--schema goes with clinic: the columns of 1..6 have no units");
    if (clinic && arguments.variant == Variant::literal)
        throw usage_error("--variant goes with 1..6: clinic has one form only");
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
    const Table table = clinic ? simulate_clinic(options) : simulate_paper(arguments.dataset.front() - '0', options);

    Output output(arguments.output);
    write_csv(table, [&](std::string_view text) { output.write(text); });
    output.commit();
    if (arguments.output != "-") terminal.say(fmt::format("{} in {}", counted(table.rows(), "row"), arguments.output));
    if (!arguments.schema.empty()) {
        Output schema(arguments.schema);
        schema.write(schema_json(clinic_schema()));
        schema.commit();
    }
}

}  // namespace

Verb simulate_verb() {
    const auto arguments = std::make_shared<Arguments>();
    Verb verb;
    verb.name = "simulate";
    verb.summary = "write simulated observations whose truth is known, as CSV";
    verb.description =
        "1..6 are the datasets of the paper's Section 5.2: columns x1..x20, treatment (0 and 1, or 0 to 2 for 5 and 6) "
        "and "
        "outcome; smaller is better. clinic is a cohort of patients with readable columns of mixed type, some missing "
        "values and "
        "three doses. Treatments are assigned in a confounded way. --truth adds the outcome of every treatment without "
        "noise as y0, "
        "y1, ..., and the best treatment as best.";
    verb.positionals = {positional(arguments->dataset, "DATASET", "1, 2, 3, 4, 5, 6 or clinic")
                            .one_of({"1", "2", "3", "4", "5", "6", "clinic"})};
    verb.options = {
        option(arguments->rows, "n", "ROWS", "how many rows").letter_is('n'),
        option(arguments->seed, "seed", "N", "the same seed gives the same bytes"),
        choice(arguments->variant, {Variant::paper, Variant::literal}, "variant", "NAME",
               "for 1..6: what Section 5.2 standardises, the features or (literal) base and effect"),
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
