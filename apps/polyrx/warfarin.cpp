// SPDX-License-Identifier: Apache-2.0
#include "polyrx/studies/warfarin.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "polyrx/core/error.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/summary.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct WarfarinArguments {
    std::string file;
    std::optional<std::uint64_t> observe;
    std::string output = "-";
    std::string schema;
    bool quiet = false;
};

// "Low 1,439 (32.6 %), ...": what would have been right.
std::string classes_in(const Table& patients) {
    const auto& classes = std::get<NumericColumn>(patients.at("class").values).values;
    std::vector<std::string> words;
    for (std::size_t k = 0; k < warfarin_doses.size(); ++k) {
        const auto number = static_cast<std::size_t>(std::ranges::count(classes, static_cast<double>(k)));
        words.push_back(fmt::format("{} {} ({:.1f} %)", warfarin_doses[k], grouped(number),
                                    100.0 * static_cast<double>(number) / static_cast<double>(classes.size())));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

void check_targets(const WarfarinArguments& arguments) {
    check_writable(arguments.output, {arguments.file});
    if (arguments.schema.empty()) return;
    if (!arguments.observe) throw usage_error("--schema goes with --observe, whose treatments it puts in order");
    check_writable(arguments.schema, {arguments.file});
    check_apart(arguments.output, arguments.schema);
}

void run(const WarfarinArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    check_targets(arguments);
    const Progress progress = terminal.progress();
    const DataText data = read_data(arguments.file, progress);
    const WarfarinCohort cohort = parse_warfarin(data.bytes, data.name, progress);
    const Table& patients = cohort.patients;

    Output output(arguments.output);
    write_csv(arguments.observe ? observe_doses(patients, *arguments.observe) : patients,
              [&](std::string_view text) { output.write(text); });
    output.commit();
    if (!arguments.schema.empty()) {
        Output schema(arguments.schema);
        schema.write(schema_json(warfarin_schema()));
        schema.commit();
    }
    if (arguments.output != "-")
        terminal.say(fmt::format("{} in {}; {} without dose, height or weight left out",
                                 counted(patients.rows(), "patient"), arguments.output, grouped(cohort.left_out)));
    terminal.say(fmt::format("right dose: {}", classes_in(patients)));
}

}  // namespace

Verb warfarin_verb() {
    const auto arguments = std::make_shared<WarfarinArguments>();
    Verb verb;
    verb.name = "warfarin";
    verb.summary = "convert the IWPC warfarin file to the paper's cohort (CSV)";
    verb.description =
        "Reads the subject sheet of the International Warfarin Pharmacogenetics Consortium (PharmGKB submission "
        "PS206767-553247439, saved as CSV). Writes the patients of the paper's Section 5.3, who have a dose, a height "
        "and a weight: id, 40 features, dose_mg_week and class (0 Low, up to 21 mg a week; 1 Medium; 2 High, from "
        "49). --observe simulates an observational study instead. It replaces id, dose_mg_week and class by the dose "
        "received (treatment), which depends on chance and body mass index, and by whether that dose was wrong "
        "(outcome, 1 or 0). It also adds the truth, which fit leaves out: the outcome under each dose as y0, y1, y2, "
        "and the right dose as best. Without the schema, fit orders the doses High, Low, Medium, and evaluate needs "
        "--truth Low=y0,Medium=y1,High=y2.";
    verb.positionals = {positional(arguments->file, "IWPC.csv", "the subject sheet, plain or gzip; - is stdin")
                            .completes(Complete::file)};
    verb.options = {
        option(arguments->observe, "observe", "SEED",
               "simulate an observational study as in the paper, with this random seed"),
        option(arguments->schema, "schema", "FILE",
               "also write the schema (types, units, order of the doses); with --observe only")
            .completes(Complete::file),
        output_option(arguments->output, "CSV file"),
        quiet_option(arguments->quiet),
    };
    verb.example = {
        "polyrx warfarin iwpc.csv -o patients.csv",
        "polyrx warfarin iwpc.csv --observe 1 -o observed.csv --schema warfarin.json",
    };
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
