// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "domain_option.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/make_tree.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/policy/file/check_written.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

using Format = TreeFormat;
using Units = TreeUnits;

struct TreeArguments {
    std::string model;
    std::string data;
    std::optional<ExtractMode> mode;
    std::vector<std::string> domain;
    std::optional<std::uint64_t> leaves;
    std::optional<std::uint64_t> max_lps;
    std::optional<double> max_seconds;
    std::optional<double> test_fraction;
    std::optional<Format> format;
    std::uint64_t terms_per_split = 0;
    Units units = Units::original;
    bool all_leaves = false;
    std::optional<std::uint64_t> seed;
    int threads = 0;
    std::string output = "-";
    bool quiet = false;
};

// The requested format, otherwise that of the file extension, otherwise text.
Format format_for(const TreeArguments& arguments) {
    if (arguments.format) return *arguments.format;
    for (const Format format : {Format::json, Format::dot, Format::svg})
        if (arguments.output.ends_with(fmt::format(".{}", name_of(format)))) return format;
    return Format::text;
}

void run(const TreeArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.model == "-" && arguments.data == "-")
        throw usage_error("only one of MODEL and --data can be standard input");
    check_writable(arguments.output, {arguments.model, arguments.data});
    if (arguments.units == Units::scaled && arguments.data.empty())
        throw usage_error("--units scaled shows deviations from the means of the rows: name a file with --data");
    const Progress progress = terminal.progress();
    ModelOrTree loaded = load_model_or_tree(arguments.model, progress);
    const auto* model = std::get_if<Policy>(&loaded);
    const Policy& policy = model ? *model : std::get<TreePolicy>(loaded).policy;
    repeat_recommendation(policy, terminal);
    const Format format = format_for(arguments);
    if (model && model->baseline && format == Format::json)
        throw usage_error("the model file is the tree itself; as JSON it is polyrx's own: expected text, dot or svg");
    std::optional<Table> rows;
    if (!arguments.data.empty()) rows = parse_for(policy, read_data(arguments.data, progress), {}, progress);

    const bool to_file = arguments.output != "-";
    const MadeTree made = make_tree(std::move(loaded), rows ? &*rows : nullptr,
                                    {.mode = arguments.mode,
                                     .domain = arguments.domain,
                                     .leaves = arguments.leaves,
                                     .max_linear_programs = arguments.max_lps,
                                     .max_seconds = arguments.max_seconds,
                                     .test_fraction = arguments.test_fraction,
                                     .seed = arguments.seed,
                                     .threads = arguments.threads,
                                     .size_without_support = to_file && !arguments.quiet,
                                     .name = arguments.model},
                                    progress);
    Output output(arguments.output);
    const auto write = [&](std::string_view text) {
        format == Format::text ? output.write_text(text) : output.write(text);
    };
    const std::vector<std::string> summary = draw_tree(
        made, write, {format, arguments.terms_per_split, arguments.units, arguments.all_leaves, arguments.threads},
        progress);
    output.commit(format == Format::json ? Check(check_written) : Check());
    for (const std::string& warning : made.warnings) terminal.warn(warning);
    if (!to_file) return;
    for (const std::string& line : summary) terminal.say(line);
    for (const std::string& note : made.notes) terminal.say(note);
    terminal.say(fmt::format("tree {}", arguments.output));
}

}  // namespace

Verb tree_verb() {
    const auto arguments = std::make_shared<TreeArguments>();
    Verb verb;
    verb.name = "tree";
    verb.summary = "convert a model to a decision tree that provably makes the same recommendations";
    verb.description =
        "An exact tree makes the network's recommendations on every row of the domain, and carries a certificate that "
        "polyrx verify checks. A supported tree is grown on data, for networks whose exact tree would be too large to "
        "read: leaves that could be proved are certified, and in the others the network decides. By default, tree "
        "makes the exact one if it has at most 500 leaves, else the supported one, which needs --data. A tree written "
        "as JSON can take the model's place in polyrx prescribe. An exact tree that reaches a limit (--leaves, "
        "--max-lps, --max-seconds) is an error.";
    verb.positionals = {
        positional(arguments->model, "MODEL", "model file; or a tree file, to show it").completes(Complete::file)};
    verb.options = {
        option(arguments->data, "data", "DATA.csv", "rows to count in the leaves, and to grow a supported tree on")
            .completes(Complete::file),
        choice(arguments->mode, {ExtractMode::exact, ExtractMode::supported, ExtractMode::automatic}, "mode", "MODE",
               "kind of tree")
            .default_is(std::string(name_of(ExtractMode::automatic))),
        domain_option(arguments->domain),
        option(arguments->leaves, "leaves", "N", "maximum number of leaves")
            .default_is("10000 exact, 500 auto, 64 supported")
            .must_be(allowed::whole_from_1),
        option(arguments->max_lps, "max-lps", "N", "maximum number of linear programs for an exact tree")
            .default_is("20000000 exact, 300000 auto")
            .must_be(allowed::whole_from_1),
        max_seconds_option(arguments->max_seconds),
        option(arguments->test_fraction, "test-fraction", "X",
               "fraction of rows to hold out for measuring the fidelity of a supported tree")
            .default_is(default_text(GrowOptions{}.held_out))
            .must_be(allowed::fraction),
        choice(arguments->format, {Format::text, Format::json, Format::dot, Format::svg}, "format", "FORMAT",
               "output format")
            .default_is("by the file name, else text"),
        terms_per_split_option(arguments->terms_per_split).default_is("4 in SVG, else all"),
        choice(arguments->units, {Units::original, Units::scaled}, "units", "UNITS",
               "show splits in the units of the data, or in standard deviations from the mean"),
        flag(arguments->all_leaves, "all-leaves", "also draw leaves that no row can reach or no row of --data reaches"),
        output_option(arguments->output, "file of the tree"),
        seed_option(arguments->seed).default_is(default_text(GrowOptions{}.seed)),
        threads_option(arguments->threads),
        quiet_option(arguments->quiet),
    };
    verb.example = {"polyrx tree distilled.json --data train.csv -o tree.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
