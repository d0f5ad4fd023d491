// SPDX-License-Identifier: Apache-2.0
#include "polyrx/studies/simulate.hpp"

#include <fmt/format.h>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "polyrx/api/summary.hpp"
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

// "f3" as 3.
std::vector<int> numbers_of(const std::vector<std::string>& functions) {
    std::vector<int> numbers;
    for (const std::string& function : functions) {
        if (function.size() != 2 || function[0] != 'f' || function[1] < '1' || function[1] > '4')
            throw usage_error(fmt::format("--functions: {} is not one of f1, f2, f3, f4", in_quotes(function)));
        numbers.push_back(function[1] - '0');
    }
    return numbers;
}

void run(const SimulateArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    const bool clinic = arguments.dataset == "clinic";
    const bool custom = arguments.dataset == "custom";
    if (!clinic && !arguments.schema.empty())
        throw usage_error("--schema goes with clinic: the columns of the others have no units");
    if (clinic && arguments.variant == Variant::literal)
        throw usage_error("--variant goes with 1..6 and custom: clinic has one form only");
    if (custom && arguments.functions.empty())
        throw usage_error("custom needs --functions: a base and one or two effects, as f3,f2");
    if (!custom && !arguments.functions.empty()) throw usage_error("--functions goes with custom");
    const std::vector<int> functions = numbers_of(arguments.functions);
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
    const Table table = clinic   ? simulate_clinic(options)
                        : custom ? simulate_design(functions, options)
                                 : simulate_paper(arguments.dataset.front() - '0', options);

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
