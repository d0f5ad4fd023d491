// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "observed_data.hpp"
#include "polyrx/api/distill_policy.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/policy/file/check_written.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct DistillArguments {
    std::string model;
    ObservedData data;
    std::uint64_t leaves = TreeBudget{}.leaves;
    std::uint64_t max_terms = 0;
    std::string tree;
    bool frontier = false;
    std::string plots;  // a folder
    std::optional<int> neurons;
    std::optional<int> weights_per_neuron;
    std::optional<int> restarts;
    std::uint64_t folds = DistillOptions{}.folds;
    std::optional<std::uint64_t> seed;
    int threads = 0;
    std::string output = "distilled.json";
    bool json = false;
    bool quiet = false;
};

// The file of the frontier's chart; may be empty.
std::string chart_of(const DistillArguments& arguments) {
    return arguments.plots.empty() ? "" : (std::filesystem::path(arguments.plots) / "frontier.svg").string();
}

void check_outputs(const DistillArguments& arguments) {
    if (arguments.model == "-" && arguments.data.path == "-")
        throw usage_error("only one of MODEL and DATA.csv can be standard input");
    const std::vector<std::pair<std::string, std::string>> outputs = {
        {"-o", arguments.output}, {"--tree", arguments.tree}, {"--plots", chart_of(arguments)}};
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto& [option, path] = outputs[i];
        if (path.empty()) continue;
        if (is_standard_output(path) && (arguments.json || arguments.frontier))
            throw usage_error(fmt::format("{} and {} {} would both write to standard output",
                                          arguments.json ? "--json" : "--frontier", option, path));
        check_writable(path, {arguments.model, arguments.data.path});
        for (std::size_t other = 0; other < i; ++other)
            if (!outputs[other].second.empty()) check_apart(outputs[other].second, path, option);
    }
}

void run(const DistillArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    std::optional<OutputFolder> plots;
    if (!arguments.plots.empty()) plots.emplace(arguments.plots);
    check_outputs(arguments);
    const Progress progress = terminal.progress();
    const PolicySource model = policy_source(arguments.model, progress);
    if (model.model()) repeat_recommendation(*model.model(), terminal);
    const Distilled distilled = distill_policy(model, read_data(arguments.data.path, progress),
                                               {.budget = {.leaves = arguments.leaves, .terms = arguments.max_terms},
                                                .neurons = arguments.neurons,
                                                .weights_per_neuron = arguments.weights_per_neuron,
                                                .restarts = arguments.restarts,
                                                .folds = arguments.folds,
                                                .group = arguments.data.roles.group,
                                                .propensities = arguments.data.roles.propensities,
                                                .seed = arguments.seed,
                                                .threads = arguments.threads},
                                               progress);

    save(arguments.output, [&](const Sink& sink) { write_model(distilled.tree.policy, sink); }, check_written);
    if (!arguments.tree.empty())
        save(arguments.tree, [&](const Sink& sink) { write_tree_json(distilled.tree, sink); }, check_written);
    if (!arguments.plots.empty()) save(chart_of(arguments), frontier_svg(distilled));
    if (const auto& own = distilled.tree.policy.recommendation) terminal.say(own->sentence);
    terminal.say(text_of(distilled));
    if (!is_standard_output(arguments.output)) terminal.say(fmt::format("model {}", arguments.output));
    if (!arguments.tree.empty() && !is_standard_output(arguments.tree))
        terminal.say(fmt::format("tree {}", arguments.tree));
    if (arguments.json)
        save("-", json_of(distilled, arguments.output, arguments.tree).dump(2, InvalidUtf8::replace) + "\n");
    else if (arguments.frontier)
        save("-", frontier_table(distilled));
}

}  // namespace

Verb distill_verb() {
    const auto arguments = std::make_shared<DistillArguments>();
    Verb verb;
    verb.name = "distill";
    verb.summary = "approximate a model by a small network that has a small exact tree";
    verb.description =
        "Trains small student networks, most of them sparse, on the model's predictions and the data. Among students "
        "whose exact tree is within the budget, it chooses the one with the highest cross-validated doubly robust "
        "value; the model is refitted in each fold, so that held-out rows are not used in training. DATA.csv must be "
        "the file that the model was fitted on. Rows held out by fit --test-fraction stay held out, and polyrx "
        "evaluate finds them with the new model too.";
    verb.positionals = {
        positional(arguments->model, "MODEL", "model file of polyrx fit").completes(Complete::file),
        positional(arguments->data.path, "DATA.csv", "the observations that it was fitted on; - is stdin")
            .completes(Complete::file)};
    verb.add("size of the tree",
             {
                 option(arguments->leaves, "leaves", "N", "maximum number of leaves").must_be(allowed::whole_from_1),
                 option(arguments->max_terms, "max-terms", "N",
                        "maximum number of terms in all splits of the tree together (0 = any)"),
                 option(arguments->neurons, "neurons", "N", "try only students with N hidden neurons")
                     .must_be({"a whole number from 1 to 100", [](double n) { return n >= 1 && n <= 100; }})
                     .default_is("2, 3, 5, 10, and linear models")
                     .advanced(),
                 option(arguments->weights_per_neuron, "weights-per-neuron", "N",
                        "try only students whose hidden neurons have N weights (0 = all)")
                     .must_be(allowed::whole_from_0)
                     .default_is("1, 2, 3, 5 and all")
                     .advanced(),
             });
    verb.add("training",
             {
                 option(arguments->restarts, "restarts", "N", "train each student N times from different seeds")
                     .must_be(allowed::whole_from_1)
                     .default_is(fmt::format("{}; {} if only one kind is tried", DistillOptions{}.restarts,
                                             restarts_of_one_shape))
                     .advanced(),
                 option(arguments->folds, "folds", "N", "number of cross-validation folds")
                     .must_be(allowed::whole_from_2)
                     .advanced(),
                 group_option(arguments->data).default_is("that of the model").advanced(),
                 propensities_option(arguments->data).default_is("those of the model").advanced(),
             });
    verb.add(option_group::output,
             {
                 output_option(arguments->output, "model file of the student"),
                 option(arguments->tree, "tree", "FILE", "also write its exact tree, with certificates (JSON)")
                     .completes(Complete::file),
                 flag(arguments->frontier, "frontier",
                      "print the trade-off between size and value: the best tree of each size"),
                 option(arguments->plots, "plots", "FOLDER", "write a chart of that trade-off (frontier.svg)")
                     .completes(Complete::directory),
                 seed_option(arguments->seed).default_is("that of the model"),
                 threads_option(arguments->threads),
                 json_option(arguments->json),
                 quiet_option(arguments->quiet),
             });
    verb.example = {"polyrx distill model.json train.csv --leaves 8 -o distilled.json --tree tree.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
