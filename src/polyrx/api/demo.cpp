// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/demo.hpp"

#include <fmt/format.h>

#include <chrono>

#include "polyrx/api/fit_text.hpp"
#include "polyrx/api/score_policy.hpp"
#include "polyrx/api/summary.hpp"
#include "polyrx/core/text/number_text.hpp"
#include "polyrx/evaluate/evaluation_text.hpp"
#include "polyrx/extract/extract_tree.hpp"
#include "polyrx/extract/unreachable_leaves.hpp"
#include "polyrx/fit/fit.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "polyrx/policy/policy_domain.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/show/draw/tree_svg.hpp"
#include "polyrx/show/tree_text.hpp"
#include "polyrx/studies/simulate.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "polyrx/verify/check_tree.hpp"

namespace polyrx {
namespace {

using Sink = DemoListeners::Sink;

constexpr std::size_t training_rows = 4000;
constexpr std::size_t new_rows = 2000;
const std::vector<std::string> truth_names = {"y0", "y1", "y2"};

// The first patients as cards: what is known of them, and what each dose is expected to lead to.
std::string first_patients(const Policy& policy, const Table& patients, const Prescriptions& prescriptions,
                           std::size_t count) {
    std::string text;
    for (std::size_t row = 0; row < count; ++row) {
        std::string known;
        for (const Feature& feature : policy.encoder.features()) {
            const Column& column = patients.at(feature.name);
            if (!known.empty()) known += ", ";
            known += fmt::format("{} {}", feature.name, column.is_missing(row) ? "?" : column.text(row));
            if (!feature.unit.empty() && !column.is_missing(row)) known += " " + feature.unit;
        }
        std::string expected;
        for (std::size_t k = 0; k < policy.treatments.size(); ++k)
            expected +=
                fmt::format("{}{} -> {:.1f}", k > 0 ? ", " : "", policy.treatments[k],
                            prescriptions.outcomes(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(k)));
        text += fmt::format("patient {}: {}\n  expected {}: {}; prescribed {}\n", row + 1, known, policy.outcome_name,
                            expected, policy.treatments[static_cast<std::size_t>(prescriptions.treatment[row])]);
    }
    return text;
}

// A network that is small enough to be read, also where a rule divides its tree.
const std::vector<int> readable_network = {2};

// One that a clinic might have: the kidneys must be able to cope with the largest dose.
constexpr const char* rule_text = "if egfr < 40 then not 20 mg\n";
constexpr const char* rules_name = "rules.txt";

// The small network's tree under a rule, exact and proved, as text and as files.
void show_tree(const Observations& observations, const Schema& schema, const FitOptions& options, const Table& patients,
               const DemoListeners& listeners) {
    FitOptions small = options;
    small.network.effects = {};  // one block, as `fit --hidden` has it
    small.network.hidden = readable_network;
    small.rules = parse_rules(rule_text, rules_name);
    small.rules_source = rules_name;
    listeners.file(rules_name, [](const Sink& sink) { sink(rule_text); });
    TreePolicy tree;
    const Fit fitted = fit(observations, small, schema, listeners.progress);
    tree.policy = fitted.policy;
    ExtractOptions extraction;
    extraction.mode = ExtractMode::exact;
    extraction.grow.threads = options.threads;
    tree.tree = extract_tree(tree.policy.network, tree.policy.rules, tree_domain(tree.policy),
                             tree.policy.encoder.encode(observations.features), extraction, listeners.progress);
    listeners.file("small_model.json", [&](const Sink& sink) { write_model(tree.policy, sink); });
    listeners.file("tree.json", [&](const Sink& sink) { write_tree_json(tree, sink); });
    const LeftOut left_out = leaves_to_leave_out(tree.tree, unreachable_leaves(tree.tree, options.threads));
    listeners.file("tree.svg",
                   [&](const Sink& sink) { write_tree_svg(tree.policy, tree.tree, sink, {.left_out = left_out}); });

    listeners.text(
        fmt::format("\nNobody can read 300 neurons. A network of {} is a tree, of which the largest terms are shown "
                    "here. It keeps a "
                    "rule:\n  {}({} received a dose that breaks it)\n\n",
                    readable_network.front(), rule_text, counted(fitted.violations.size(), "patient")));
    write_tree_text(tree.policy, tree.tree, listeners.text,
                    {.words = {.max_terms = 2, .scaled = {}}, .left_out = left_out});
    listeners.text(
        "\nThat it prescribes the same as its network is checked by code that shares nothing with what made it:\n");
    listeners.text(proof_summary(
        check_tree(tree.policy.network, tree.policy.rules.bound, tree.tree, {.threads = options.threads}), tree));
    PrescribeOptions prescribing;
    prescribing.threads = options.threads;
    const TruthScore score = score_against_truth(prescribe(tree, patients, prescribing).prescriptions.treatment,
                                                 truth_matrix(patients, truth_names), false);
    listeners.text(fmt::format("For the new patients, its accuracy is {:.1f} % and its regret {}.\n",
                               100 * score.accuracy, number_text(score.regret)));
}

// What a reviewer would be told if nobody knew the truth: from what the new patients received, and how they fared.
std::string evidence(const Policy& policy, const Table& patients, const Prescriptions& prescriptions,
                     const Roles& roles, const DemoOptions& options, const DemoListeners& listeners) {
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
    return headline_sentence(evaluate(judged, evaluating, listeners.progress), names);
}

// The same steps as commands.
std::string commands(const std::string& folder) {
    return fmt::format(
        "\nThe files are in {0}/. The same with your own data, step by step:\n"
        "  polyrx fit {0}/cohort.csv --schema {0}/schema.json --treatment treatment --outcome outcome --recipe "
        "fast -o {0}/model.json\n"
        "  polyrx prescribe {0}/model.json {0}/new_patients.csv -o {0}/prescriptions.csv\n"
        "  polyrx evaluate {0}/model.json {0}/new_patients.csv --truth y0,y1,y2\n"
        "  polyrx evaluate {0}/model.json {0}/new_patients.csv\n"
        "  polyrx constrain {0}/model.json {0}/rules.txt --data {0}/cohort.csv -o {0}/constrained.json\n"
        "  polyrx tree {0}/small_model.json --data {0}/cohort.csv -o {0}/tree.json\n"
        "  polyrx verify {0}/small_model.json {0}/tree.json\n",
        folder);
}

}  // namespace

void demo(const DemoOptions& options, const DemoListeners& listeners) {
    SimulateOptions simulation;
    simulation.rows = training_rows;
    simulation.seed = options.seed;
    const Table cohort = simulate_clinic(simulation);
    simulation.rows = new_rows;
    simulation.seed = options.seed + 1;
    simulation.truth = true;
    const Table patients = simulate_clinic(simulation);
    const Schema schema = clinic_schema();
    listeners.file("cohort.csv", [&](const Sink& sink) { write_csv(cohort, sink); });
    listeners.file("new_patients.csv", [&](const Sink& sink) { write_csv(patients, sink); });
    listeners.file("schema.json", [&](const Sink& sink) { sink(schema_json(schema)); });

    listeners.text(fmt::format(
        "A cohort of {} patients: who got which dose, and how they fared (simulated, smaller is better).\n\n",
        grouped(training_rows)));
    const auto started = std::chrono::steady_clock::now();
    const Roles roles{.treatment = "treatment", .outcome = "outcome"};
    FitOptions fitting = recipe_options(Recipe::fast);
    fitting.seed = options.seed;
    fitting.threads = options.threads;
    fitting.recommend = RecommendOptions{};
    const Observations observations = observe(cohort, roles, schema);
    const Fit fitted = fit(observations, fitting, schema, listeners.progress);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    listeners.file("model.json", [&](const Sink& sink) { write_model(fitted.policy, sink); });
    listeners.text(fit_summary(fitted, seconds) + "\n\n");

    const Prescriptions prescriptions =
        prescribe(fitted.policy, patients, {.threads = options.threads, .outcomes = true});
    listeners.text(first_patients(fitted.policy, patients, prescriptions, 2) + "\n");
    listeners.text("For new patients the truth is known here, because they are simulated:\n");
    listeners.text(text_of(
        PolicyScore{.truth = score_against_truth(prescriptions.treatment, truth_matrix(patients, truth_names), false),
                    .treatments = fitted.policy.treatments,
                    .columns = truth_names}));
    show_tree(observations, schema, fitting, patients, listeners);
    listeners.text(fmt::format(
        "\nElsewhere nobody knows the truth. From what the new patients received, and how they fared, one could say:\n"
        "{}\n",
        evidence(fitted.policy, patients, prescriptions, roles, options, listeners)));
    listeners.text(commands(options.folder));
}

}  // namespace polyrx
