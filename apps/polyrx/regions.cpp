// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "domain_option.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/list_regions.hpp"
#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

using Which = WhichRegions;

struct RegionsArguments {
    std::string model;
    std::string data;
    std::optional<Which> mode;
    bool count = false;
    bool json = false;
    std::vector<std::string> domain;
    std::optional<std::uint64_t> max_regions;
    std::uint64_t terms_per_split = 0;
    int threads = 0;
    std::string output = "-";
    bool quiet = false;
};

// Includes the received treatments if the file has that column.
RegionRows read_rows(const Policy& policy, const std::string& path, const Progress& progress) {
    const DataText text = read_data(path, progress);
    RegionRows rows{parse_for(policy, text, {}, progress)};
    const std::vector<std::string>& header = rows.table.source().header;
    if (std::ranges::find(header, policy.treatment_name) == header.end()) return rows;
    const Table given = parse_as_text(text, {policy.treatment_name}, progress);
    for (std::size_t row = 0; row < given.rows(); ++row) rows.received.push_back(given.columns().front().text(row));
    return rows;
}

void run(const RegionsArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.model == "-" && arguments.data == "-")
        throw usage_error("only one of MODEL and --data can be standard input");
    check_writable(arguments.output, {arguments.model, arguments.data});
    if (arguments.mode == Which::visited && arguments.data.empty())
        throw usage_error("--mode visited needs the rows that visit: name a file with --data");
    const Progress progress = terminal.progress();
    const Policy policy = load_model(arguments.model, progress);
    repeat_recommendation(policy, terminal);
    require_network(policy, "polyrx regions");
    std::optional<RegionRows> rows;
    if (!arguments.data.empty()) rows = read_rows(policy, arguments.data, progress);
    const RegionsQuery query = query_regions(
        policy, rows ? &*rows : nullptr,
        {arguments.mode, arguments.domain, arguments.max_regions, arguments.terms_per_split, arguments.threads},
        progress);
    for (const std::string& note : query.notes) terminal.say(note);
    Output output(arguments.output);
    const auto as_is = [&](std::string_view text) { output.write(text); };
    const auto as_text = [&](std::string_view text) { output.write_text(text); };
    if (arguments.count) {
        const std::size_t patterns = count_patterns(policy, query, progress);
        output.write(arguments.json ? count_json(query, patterns) : count_text(query, patterns));
        output.commit();
        for (const std::string& warning : query.warnings) terminal.warn(warning);
        return;
    }
    const std::size_t regions = arguments.json ? write_regions_json(policy, query, as_is, progress)
                                               : write_regions_text(policy, query, as_text, progress);
    output.commit();
    for (const std::string& warning : query.warnings) terminal.warn(warning);
    terminal.say(fmt::format("{} {}", counted(regions, "region"),
                             query.which == Which::feasible ? "feasible on the domain" : "visited by the rows"));
}

}  // namespace

Verb regions_verb() {
    const auto arguments = std::make_shared<RegionsArguments>();
    Verb verb;
    verb.name = "regions";
    verb.summary = "list the linear regions of a model's network";
    verb.description =
        "A ReLU network divides the domain into polyhedra, in each of which it is affine and recommends one treatment. "
        "For every region, regions writes the treatment, the activation pattern, the nonredundant inequalities, a "
        "point inside, and the outcome under each treatment as an affine function. With --data, it also counts the "
        "rows in each region by treatment received; rows outside of the domain are not counted.";
    verb.positionals = {positional(arguments->model, "MODEL", "model file").completes(Complete::file)};
    verb.options = {
        option(arguments->data, "data", "DATA.csv", "rows to count in the regions").completes(Complete::file),
        choice(arguments->mode, {Which::feasible, Which::visited}, "mode", "WHICH",
               "all regions that are feasible on the domain, or those that contain rows")
            .default_is("visited with --data, else feasible"),
        flag(arguments->count, "count", "only count activation patterns"),
        domain_option(arguments->domain),
        option(arguments->max_regions, "max-regions", "N",
               "stop with an error after N activation patterns (0 = no limit)")
            .default_is("100000 to list, no limit to count"),
        terms_per_split_option(arguments->terms_per_split),
        output_option(arguments->output, "file of the regions"),
        threads_option(arguments->threads),
        json_option(arguments->json),
        quiet_option(arguments->quiet),
    };
    verb.example = {"polyrx regions model.json --data train.csv --count"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
