// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/distill/distill.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "frontier_words.hpp"
#include "judged_rows.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/fit/rows_learned_from.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "polyrx/api/summary.hpp"
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

// The file of the frontier's chart; empty without one.
std::string chart_of(const DistillArguments& arguments) {
    return arguments.plots.empty() ? "" : (std::filesystem::path(arguments.plots) / "frontier.svg").string();
}

void check_outputs(const DistillArguments& arguments) {
    if (arguments.model == "-" && arguments.data.path == "-")
        throw usage_error("only one of MODEL and DATA.csv can be standard input");
    if (!arguments.plots.empty()) make_folder(arguments.plots);
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

// Of one kind alone more are begun: not all of them have a tree within the budget.
constexpr int restarts_of_one_kind = 20;

// All of them, or those of the shape that is asked for; and one treatment for all in any case.
std::vector<StudentShape> shapes_for(const DistillArguments& arguments) {
    if (!arguments.neurons && !arguments.weights_per_neuron) return student_shapes();
    std::vector<StudentShape> shapes = {{.kind = StudentShape::Kind::constant}};
    for (StudentShape shape : student_shapes()) {
        if (shape.kind != StudentShape::Kind::network) continue;
        shape.neurons = arguments.neurons.value_or(shape.neurons);
        shape.weights_per_neuron = arguments.weights_per_neuron.value_or(shape.weights_per_neuron);
        if (std::ranges::find(shapes, shape) == shapes.end()) shapes.push_back(shape);
    }
    return shapes;
}

template <class Write>
void save(const std::string& path, const Write& write) {
    if (path.empty()) return;
    Output output(path);
    write([&](std::string_view part) { output.write(part); });
    output.commit();
}

void run(DistillArguments arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    check_outputs(arguments);
    const Progress progress = terminal.progress();
    const PolicySource source = policy_source(arguments.model, progress);
    const Policy& model = *source.model();
    repeat_recommendation(model, terminal);
    arguments.data.roles.weight = weight_column_of(model);
    if (arguments.data.roles.propensities.empty()) arguments.data.roles.propensities = propensities_of(model);
    const Observations observations =
        rows_learned_from(model, read_judged_rows(source, arguments.data, {}, WhichRows::all, progress).observations);

    DistillOptions options;
    options.budget = {.leaves = arguments.leaves, .terms = arguments.max_terms};
    options.shapes = shapes_for(arguments);
    const bool is_one_kind = arguments.neurons && arguments.weights_per_neuron;
    options.restarts = arguments.restarts.value_or(is_one_kind ? restarts_of_one_kind : options.restarts);
    options.folds = arguments.folds;
    options.seed = arguments.seed.value_or(model.provenance.seed);
    options.threads = arguments.threads;
    const Distilled distilled = distill(model, observations, options, progress);

    save(arguments.output, [&](const auto& sink) { write_model(distilled.tree.policy, sink); });
    save(arguments.tree, [&](const auto& sink) { write_tree_json(distilled.tree, sink); });
    save(chart_of(arguments), [&](const auto& sink) { sink(frontier_svg(distilled)); });
    if (const auto& own = distilled.tree.policy.recommendation) terminal.say(own->sentence);
    terminal.say(distilled_words(distilled));
    if (!is_standard_output(arguments.output)) terminal.say(fmt::format("model {}", arguments.output));
    if (!arguments.tree.empty() && !is_standard_output(arguments.tree))
        terminal.say(fmt::format("tree {}", arguments.tree));
    if (arguments.json) {
        nlohmann::ordered_json json = {{"model", arguments.output}};
        if (!arguments.tree.empty()) json["tree"] = arguments.tree;
        json.update(to_json(distilled));
        Output("-").write(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    } else if (arguments.frontier) {
        Output("-").write(frontier_table(distilled));
    }
}

}  // namespace

Verb distill_verb() {
    const auto arguments = std::make_shared<DistillArguments>();
    Verb verb;
    verb.name = "distill";
    verb.summary = "distill a model to a small tree with almost the same value";
    verb.description =
        "Trains small student networks, most of them sparse, on the model's predictions and the data. Among students "
        "whose exact tree is within the budget, it chooses the one with the highest cross-validated doubly robust "
        "value; the model is refitted in each fold, so that nothing is learned from held-out rows. DATA.csv must be "
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
                                             restarts_of_one_kind))
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
