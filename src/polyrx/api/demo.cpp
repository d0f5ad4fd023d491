// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/demo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/api/summary.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/core/text/number_text.hpp"
#include "polyrx/core/text/text_table.hpp"
#include "polyrx/evaluate/evaluation_text.hpp"
#include "polyrx/evaluate/value/truth.hpp"
#include "polyrx/extract/unreachable_leaves.hpp"
#include "polyrx/fit/distill/distill.hpp"
#include "polyrx/fit/fit.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/show/draw/tree_svg.hpp"
#include "polyrx/show/drawn_nodes.hpp"
#include "polyrx/show/tree_text.hpp"
#include "polyrx/studies/simulate.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "polyrx/verify/check_tree.hpp"

namespace polyrx {
namespace {

using Sink = DemoListeners::Sink;

constexpr std::size_t cohort_rows = 4000;
constexpr std::size_t patient_rows = 2000;
const std::vector<std::string> truth_names = {"y0", "y1", "y2"};

// A rule that a clinic might have, for the step that adds rules.
constexpr const char* rule_text = "if egfr < 40 then not 20 mg\n";

constexpr std::size_t tree_leaves = 8;
constexpr std::size_t tree_terms = 12;

// Accuracy, regret and mean outcome of the network, its tree and the best single treatment.
std::string scores_text(const Policy& policy, const TruthScore& network, const TruthScore& tree) {
    const auto& constants = network.treatment_outcomes;
    const auto best = static_cast<std::size_t>(std::ranges::min_element(constants) - constants.begin());
    const NumberWriter number(std::max(std::abs(network.best_outcome), std::abs(network.outcome)));
    std::vector<std::vector<std::string>> lines = {{"", "accuracy", "regret", "mean outcome"}};
    const auto add = [&](const std::string& name, double accuracy, double regret, double outcome) {
        lines.push_back({name, fmt::format("{:.1f} %", 100 * accuracy), number(regret), number(outcome)});
    };
    add("the network", network.accuracy, network.regret, network.outcome);
    add("the tree below", tree.accuracy, tree.regret, tree.outcome);
    add(fmt::format("always {}", policy.treatments[best]), network.treatment_accuracies[best],
        constants[best] - network.best_outcome, constants[best]);
    add("best possible", 1, 0, network.best_outcome);
    return text_table(lines);
}

// The drawing of the tree alone, without its title and the notes below it.
std::string drawing_of(const TreePolicy& tree, const LeftOut& left_out) {
    std::string text;
    write_tree_text(tree.policy, tree.tree, [&](std::string_view part) { text += part; }, {.left_out = left_out});
    const std::size_t begin = text.find("\n\n") + 2;
    return text.substr(begin, text.find("\n\n", begin) + 1 - begin);
}

// The value of the policy, estimated from observed outcomes alone.
std::string headline(const Policy& policy, const Table& patients, const Prescriptions& prescriptions,
                     const Roles& roles, const DemoOptions& options, const Progress& progress) {
    Roles of_patients = roles;
    of_patients.features = policy.encoder.read_columns();
    Schema schema = policy.encoder.schema();
    schema.treatments = policy.treatments;
    const Observations observations = observe(patients, of_patients, schema);
    const JudgedPolicy judged{.observations = observations,
                              .encoder = policy.encoder,
                              .prescriptions = prescriptions.treatment,
                              .predicted = prescriptions.outcomes,
                              .held_out = true};
    EvaluationOptions evaluating;
    evaluating.nuisances.seed = options.seed;
    evaluating.nuisances.threads = options.threads;
    EvaluationNames names;
    names.outcome = policy.outcome_name;
    return headline_sentence(evaluate(judged, evaluating, progress), names);
}

// The same steps as commands.
std::string commands(const DemoOptions& options) {
    return fmt::format(
        "polyrx fit {0}/cohort.csv --schema {0}/schema.json --treatment treatment --outcome outcome --recipe fast "
        "--seed {1} -o {0}/model.json\n"
        "polyrx prescribe {0}/model.json {0}/new_patients.csv -o {0}/prescriptions.csv\n"
        "polyrx evaluate {0}/model.json {0}/new_patients.csv --truth y0,y1,y2\n"
        "polyrx evaluate {0}/model.json {0}/new_patients.csv\n"
        "polyrx distill {0}/model.json {0}/cohort.csv --leaves {2} --max-terms {3} -o {0}/distilled.json --tree "
        "{0}/tree.json\n"
        "polyrx tree {0}/tree.json --data {0}/cohort.csv\n"
        "polyrx verify {0}/distilled.json {0}/tree.json\n"
        "polyrx constrain {0}/model.json {0}/rules.txt --data {0}/cohort.csv -o {0}/constrained.json\n",
        options.folder, options.seed, tree_leaves, tree_terms);
}

}  // namespace

void demo(const DemoOptions& options, const DemoListeners& listeners) {
    SimulateOptions simulation;
    simulation.rows = cohort_rows;
    simulation.seed = options.seed;
    const Table cohort = simulate_clinic(simulation);
    simulation.rows = patient_rows;
    simulation.seed = options.seed + 1;
    simulation.truth = true;
    const Table patients = simulate_clinic(simulation);
    const Schema schema = clinic_schema();
    listeners.file("cohort.csv", [&](const Sink& sink) { write_csv(cohort, sink); });
    listeners.file("new_patients.csv", [&](const Sink& sink) { write_csv(patients, sink); });
    listeners.file("schema.json", [&](const Sink& sink) { sink(schema_json(schema)); });

    listeners.file("rules.txt", [](const Sink& sink) { sink(rule_text); });
    listeners.file("steps.sh", [&](const Sink& sink) { sink(commands(options)); });

    listeners.text(fmt::format(
        "{} simulated patients: features, the dose that each received, and the outcome (smaller is better).\n",
        grouped(cohort_rows)));
    const Roles roles{.treatment = "treatment", .outcome = "outcome"};
    FitOptions fitting = recipe_options(Recipe::fast);
    fitting.seed = options.seed;
    fitting.threads = options.threads;
    fitting.recommend = RecommendOptions{};
    const Observations observations = observe(cohort, roles, schema);
    const Policy policy =
        fit(observations, fitting, schema, part_of_work(listeners.progress, 0, 0.4, "fitting")).policy;
    listeners.file("model.json", [&](const Sink& sink) { write_model(policy, sink); });
    listeners.text(fmt::format("{}\n", one_line(policy.recommendation->sentence)));

    const Distilled distilled = distill(
        policy, observations,
        {.budget = {.leaves = tree_leaves, .terms = tree_terms}, .seed = options.seed, .threads = options.threads},
        part_of_work(listeners.progress, 0.4, 0.9, "distilling"));
    const TreePolicy& tree = distilled.tree;
    listeners.file("distilled.json", [&](const Sink& sink) { write_model(tree.policy, sink); });
    listeners.file("tree.json", [&](const Sink& sink) { write_tree_json(tree, sink); });
    const LeftOut left_out = leaves_to_leave_out(tree.tree, unreachable_leaves(tree.tree, options.threads));
    listeners.file("tree.svg",
                   [&](const Sink& sink) { write_tree_svg(tree.policy, tree.tree, sink, {.left_out = left_out}); });

    const Matrix truth = truth_matrix(patients, truth_names);
    const Prescriptions prescriptions = prescribe(policy, patients, {.threads = options.threads, .outcomes = true});
    const Prescriptions of_tree = prescribe(tree, patients, {.threads = options.threads}).prescriptions;
    listeners.text(fmt::format("\n{} new patients, for whom the simulation knows the outcome of every dose:\n{}\n",
                               grouped(patient_rows),
                               scores_text(policy, score_against_truth(prescriptions.treatment, truth, false),
                                           score_against_truth(of_tree.treatment, truth, false))));
    listeners.text(
        "From observed outcomes alone, which is all that real data have, the evaluation of the network is:\n");
    listeners.text(headline(policy, patients, prescriptions, roles, options,
                            part_of_work(listeners.progress, 0.9, 1, "evaluating")) +
                   "\n");
    listeners.text("\nThe network, distilled to a small tree:\n" + drawing_of(tree, left_out));
    listeners.text(proof_summary(
        check_tree(tree.policy.network, tree.policy.rules.bound, tree.tree, {.threads = options.threads}), tree));
    listeners.text(
        fmt::format("The files are in {0}/. The same steps as commands are in {0}/steps.sh.\n", options.folder));
}

}  // namespace polyrx
