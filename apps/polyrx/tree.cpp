// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "domain_option.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/make_tree.hpp"
#include "polyrx/core/error.hpp"
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
    std::optional<std::uint64_t> max_leaves;
    std::optional<std::uint64_t> max_lps;
    std::optional<double> max_seconds;
    std::optional<double> held_out;
    std::optional<Format> format;
    std::uint64_t max_terms = 0;
    Units units = Units::original;
    bool all_leaves = false;
    std::optional<std::uint64_t> seed;
    int threads = 0;
    std::string output = "-";
    bool quiet = false;
};

// What the user asked for, or what the name of the file says, or text.
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
                                     .max_leaves = arguments.max_leaves,
                                     .max_linear_programs = arguments.max_lps,
                                     .max_seconds = arguments.max_seconds,
                                     .held_out = arguments.held_out,
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
        made, write, {format, arguments.max_terms, arguments.units, arguments.all_leaves, arguments.threads}, progress);
    output.commit();
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
    verb.summary = "turn a model into a tree that prescribes the same, with its proof";
    verb.description =
        "An exact tree prescribes what the network does on every row of the domain, and carries a certificate that "
        "polyrx verify replays. A supported tree is grown on data, for networks whose exact tree nobody could read: "
        "leaves that could be proved are certified, for rows of the others the network is asked. The default takes the "
        "exact one if it grows to at most 500 leaves. Written as JSON, the tree is a file that polyrx prescribe takes "
        "in place of the model.";
    verb.positionals = {positional(arguments->model, "MODEL", "a model file of polyrx fit, or a tree file to show")
                            .completes(Complete::file)};
    verb.options = {
        option(arguments->data, "data", "DATA.csv", "rows to count in the leaves, and to grow a supported tree on")
            .completes(Complete::file),
        choice(arguments->mode, {ExtractMode::exact, ExtractMode::supported, ExtractMode::automatic}, "mode", "MODE",
               "which tree")
            .default_is(std::string(name_of(ExtractMode::automatic))),
        domain_option(arguments->domain),
        option(arguments->max_leaves, "max-leaves", "N",
               "give up on an exact tree that grows to more; size of a supported one")
            .default_is("10000 exact, 500 auto, 64 supported")
            .must_be("a whole number of 1 or more", [](double n) { return n >= 1; }),
        option(arguments->max_lps, "max-lps", "N", "give up on an exact tree after so many linear programs")
            .default_is("20000000 exact, 300000 auto")
            .must_be("a whole number of 1 or more", [](double n) { return n >= 1; }),
        option(arguments->max_seconds, "max-seconds", "S", "give up on an exact tree after so many seconds")
            .default_is("never")
            .must_be("a number above 0", [](double s) { return s > 0; }),
        option(arguments->held_out, "held-out", "SHARE", "of the rows, to measure a supported tree's fidelity on")
            .default_is(default_text(GrowOptions{}.held_out))
            .must_be("a number from 0 to less than 1", [](double share) { return share >= 0 && share < 1; }),
        choice(arguments->format, {Format::text, Format::json, Format::dot, Format::svg}, "format", "FORMAT",
               "how to write it")
            .default_is("by the name of the file, else text"),
        option(arguments->max_terms, "max-terms", "N", "show only the largest terms of a split; 0 is all")
            .default_is("4 in svg, else all"),
        choice(arguments->units, {Units::original, Units::scaled}, "units", "UNITS",
               "show splits in the units of the data, or in deviations from the mean of its rows"),
        flag(arguments->all_leaves, "all-leaves", "draw also leaves that no row can reach, or none of --data reached"),
        option(arguments->seed, "seed", "N", "chooses the held-out rows").default_is(default_text(GrowOptions{}.seed)),
        threads_option(arguments->threads),
        option(arguments->output, "output", "FILE", "where the tree goes; - is standard output")
            .letter_is('o')
            .completes(Complete::file),
        flag(arguments->quiet, "quiet", "say nothing on standard error but what is wrong").letter_is('q'),
    };
    verb.example = {"polyrx tree model.json --data train.csv -o tree.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
