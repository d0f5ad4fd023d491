// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "polyrx/api/summary.hpp"
#include "polyrx/api/warfarin_study.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/studies/warfarin.hpp"
#include "polyrx/table/io/csv_write.hpp"
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
    const WarfarinStudy study = warfarin_study(read_data(arguments.file, progress), arguments.observe, progress);
    save(arguments.output, [&](const Sink& sink) { write_csv(study.rows, sink); });
    if (!arguments.schema.empty()) save(arguments.schema, schema_json(warfarin_schema()));
    if (arguments.output != "-")
        terminal.say(fmt::format("{} in {}; {} without dose, height or weight left out",
                                 counted(study.rows.rows(), "patient"), arguments.output, grouped(study.left_out)));
    terminal.say(study.right_doses);
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
        "and a weight: id, 40 features, dose_mg_week and class (0 Low, up to 21 mg a week; 1 Medium; 2 High, from 49). "
        "--observe simulates an observational study instead. It replaces id, dose_mg_week and class by treatment (the "
        "dose received, drawn at random given body mass index) and outcome (1 if that dose was wrong, else 0). It also "
        "adds the truth, which fit leaves out: the outcome under each dose as y0, y1, y2, and the right dose as best. "
        "Without the schema, fit orders the doses alphabetically (High, Low, Medium), and evaluate needs --truth "
        "Low=y0,Medium=y1,High=y2.";
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
