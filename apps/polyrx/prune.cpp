// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "domain_option.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/prune_model.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/policy/file/check_written.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct PruneArguments {
    std::string model;
    std::string data;
    std::vector<std::string> domain;
    bool also_on_data = false;
    std::string output = "pruned.json";
    bool json = false;
    bool quiet = false;
};

void run(const PruneArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.model == "-" && arguments.data == "-")
        throw usage_error("only one of MODEL and --data can be standard input");
    if (arguments.json && is_standard_output(arguments.output))
        throw usage_error(fmt::format("--json and -o {} would both write to standard output", arguments.output));
    if (arguments.also_on_data && arguments.data.empty())
        throw usage_error("--also-on-data removes neurons that never change on some rows: name a file with --data");
    check_writable(arguments.output, {arguments.model, arguments.data});
    const Progress progress = terminal.progress();
    const Policy policy = load_model(arguments.model, progress);
    repeat_recommendation(policy, terminal);
    require_network(policy, "polyrx prune");
    std::optional<Table> rows;
    if (!arguments.data.empty()) {
        rows = parse_for(policy, read_data(arguments.data, progress), {}, progress);
        if (rows->rows() == 0) throw data_error(fmt::format("{}: there are no rows", rows->where()));
    }
    const PrunedModel pruned =
        prune_model(policy, rows ? &*rows : nullptr, {arguments.domain, arguments.also_on_data}, progress);
    save(arguments.output, [&](const Sink& sink) { write_model(pruned.policy, sink); }, check_written);
    terminal.say(text_of(pruned));
    if (!is_standard_output(arguments.output)) terminal.say(fmt::format("model {}", arguments.output));
    for (const std::string& warning : pruned.warnings) terminal.warn(warning);
    if (arguments.json) Output("-").write(json_of(pruned, arguments.output).dump(2, InvalidUtf8::replace) + "\n");
}

}  // namespace

Verb prune_verb() {
    const auto arguments = std::make_shared<PruneArguments>();
    Verb verb;
    verb.name = "prune";
    verb.summary = "remove neurons that are always active or always inactive";
    verb.description =
        "Removes neurons that are proved to be inactive on the whole domain, and folds those that are always active "
        "into the next layer where possible. The new model predicts the same outcomes on every row of the domain, up "
        "to rounding, but not necessarily outside of it. Neurons that never change on the rows of --data, but might "
        "elsewhere, are reported and kept. --also-on-data removes them too; the new model is then exact on these rows "
        "only.";
    verb.positionals = {positional(arguments->model, "MODEL", "model file").completes(Complete::file)};
    verb.options = {
        option(arguments->data, "data", "DATA.csv", "rows to compare both models on").completes(Complete::file),
        domain_option(arguments->domain),
        flag(arguments->also_on_data, "also-on-data", "also remove neurons that never change on the rows of --data"),
        output_option(arguments->output, "new model file"),
        json_option(arguments->json),
        quiet_option(arguments->quiet),
    };
    verb.example = {"polyrx prune model.json --data train.csv -o pruned.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
