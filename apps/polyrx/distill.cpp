// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "observed_data.hpp"
#include "polyrx/api/distill_policy.hpp"
#include "polyrx/core/error.hpp"
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
    std::string frontier_svg;
    std::optional<int> neurons;
    std::optional<int> weights_per_neuron;
    std::optional<int> restarts;
    std::uint64_t folds = DistillOptions{}.folds;
    std::optional<std::uint64_t> seed;
    int threads = 0;
    std::string output = "small.json";
    bool json = false;
    bool quiet = false;
};

void check_outputs(const DistillArguments& arguments) {
    if (arguments.model == "-" && arguments.data.path == "-")
        throw usage_error("only one of MODEL and DATA.csv can be standard input");
    const std::vector<std::pair<std::string, std::string>> outputs = {
        {"-o", arguments.output}, {"--tree", arguments.tree}, {"--frontier-svg", arguments.frontier_svg}};
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

    save(arguments.output, [&](const Sink& sink) { write_model(distilled.tree.policy, sink); });
    if (!arguments.tree.empty()) save(arguments.tree, [&](const Sink& sink) { write_tree_json(distilled.tree, sink); });
    if (!arguments.frontier_svg.empty()) save(arguments.frontier_svg, frontier_svg(distilled));
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
    verb.summary = "make a tree of few leaves that does almost what a model does";
    verb.description =
        "Small networks, most of them with few weights, learn what the model expects of every treatment, beside the "
        "data. Of those whose exact tree is within the budget, the one is taken that is worth most to rows it has not "
        "seen: cross-validated, doubly robust, and with a model that is fitted again in each fold, so that nothing of "
        "these rows is passed on by it. DATA.csv is the file that the model was fitted on; rows that were held out "
        "(fit --test-fraction) stay so, and polyrx evaluate finds them with the new model too.";
    verb.positionals = {
        positional(arguments->model, "MODEL", "a model file of polyrx fit").completes(Complete::file),
        positional(arguments->data.path, "DATA.csv", "the observations that it was fitted on; - is standard input")
            .completes(Complete::file)};
    verb.options = {
        option(arguments->leaves, "leaves", "N", "most leaves of the tree")
            .must_be("a whole number of 1 or more", [](double n) { return n >= 1; }),
        option(arguments->max_terms, "max-terms", "N",
               "most coefficients in all splits of the tree together; 0 is any"),
        option(arguments->tree, "tree", "FILE", "also write the exact tree, with its proof, there (JSON)")
            .completes(Complete::file),
        flag(arguments->frontier, "frontier",
             "show on standard output which trees, smaller and larger, are worth their leaves and terms"),
        option(arguments->frontier_svg, "frontier-svg", "FILE", "draw that").completes(Complete::file),
        option(arguments->neurons, "neurons", "N", "only networks of so many hidden neurons are tried")
            .must_be("a whole number from 1 to 100", [](double n) { return n >= 1 && n <= 100; })
            .default_is("2, 3, 5 and 10, and none"),
        option(arguments->weights_per_neuron, "weights-per-neuron", "N",
               "only networks whose neurons have so many weights are tried; 0 is all")
            .must_be("a whole number of 0 or more", [](double n) { return n >= 0; })
            .default_is("1, 2, 3, 5 and all"),
        option(arguments->restarts, "restarts", "N", "networks of each kind, begun from different seeds")
            .must_be("a whole number of 1 or more", [](double n) { return n >= 1; })
            .default_is(fmt::format("{}; {} of one kind alone", DistillOptions{}.restarts, restarts_of_one_shape)),
        group_option(arguments->data).default_is("that of the model"),
        propensities_option(arguments->data).default_is("those of the model"),
        option(arguments->folds, "folds", "N", "parts of the rows, each held out once")
            .must_be("a whole number of 2 or more", [](double n) { return n >= 2; }),
        option(arguments->seed, "seed", "N", "the same seed gives the same bytes").default_is("that of the model"),
        threads_option(arguments->threads),
        option(arguments->output, "output", "FILE", "the new model file; - is standard output")
            .letter_is('o')
            .completes(Complete::file),
        flag(arguments->json, "json", "a summary for machines on standard output, with the frontier"),
        flag(arguments->quiet, "quiet", "say nothing on standard error but what is wrong").letter_is('q'),
    };
    verb.example = {"polyrx distill model.json train.csv --leaves 8 -o small.json --tree tree.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
