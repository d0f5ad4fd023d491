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
    verb.summary = "turn the IWPC's warfarin file into the cohort of the paper, as CSV";
    verb.description =
        "Reads the sheet of subjects of the International Warfarin Pharmacogenetics Consortium (PharmGKB submission "
        "PS206767-553247439, saved as CSV) and writes the patients of the paper's Section 5.3, those with dose, height "
        "and weight: id, 40 features, dose_mg_week and class (0 is Low, up to 21 mg a week; 1 Medium; 2 High, from "
        "49). --observe makes an observational study of it: instead of id, dose_mg_week and class there is the dose "
        "that each patient was given (treatment), by chance and by body mass index, and whether it was wrong "
        "(outcome, 1 or 0); and, as with simulate --truth, the outcome of every dose as y0, y1, y2 and the right dose "
        "as best, which fit leaves out. Without the schema, fit orders the doses as High, Low, Medium, and evaluate "
        "needs --truth Low=y0,Medium=y1,High=y2.";
    verb.positionals = {positional(arguments->file, "IWPC.csv", "the file, gzipped or not; - is standard input")
                            .completes(Complete::file)};
    verb.options = {
        option(arguments->observe, "observe", "SEED",
               "give doses as the paper does; the same seed gives the same bytes"),
        option(arguments->output, "output", "FILE", "where the CSV goes; - is standard output")
            .letter_is('o')
            .completes(Complete::file),
        option(arguments->schema, "schema", "FILE",
               "with --observe: also write its schema (types, units, the order of the doses) there")
            .completes(Complete::file),
        flag(arguments->quiet, "quiet", "say nothing on standard error but what is wrong").letter_is('q'),
    };
    verb.example = {
        "polyrx warfarin iwpc.csv -o patients.csv",
        "polyrx warfarin iwpc.csv --observe 1 -o observed.csv --schema warfarin.json",
    };
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
