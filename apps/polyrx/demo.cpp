// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "fit_summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/evaluate/evaluation_text.hpp"
#include "polyrx/evaluate/value/truth.hpp"
#include "polyrx/extract/extract_tree.hpp"
#include "polyrx/fit/fit.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "polyrx/policy/policy_domain.hpp"
#include "polyrx/policy/tree_policy.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/show/draw/tree_svg.hpp"
#include "polyrx/show/tree_text.hpp"
#include "polyrx/studies/simulate.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "polyrx/verify/check_tree.hpp"
#include "polyrx/api/summary.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct DemoArguments {
    std::string folder = "polyrx-demo";
    std::uint64_t seed = 1;
    int threads = 0;
    bool quiet = false;
};

constexpr std::size_t training_rows = 4000;
constexpr std::size_t new_rows = 2000;
const std::vector<std::string> truth_names = {"y0", "y1", "y2"};

void save_table(const std::filesystem::path& path, const Table& table) {
    Output output(path.string());
    write_csv(table, [&](std::string_view text) { output.write(text); });
    output.commit();
}

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
               const std::filesystem::path& folder, Output& out, Terminal& terminal) {
    FitOptions small = options;
    small.network.effects = {};  // one block, as `fit --hidden` has it
    small.network.hidden = readable_network;
    small.rules = parse_rules(rule_text, rules_name);
    small.rules_source = rules_name;
    Output rules((folder / rules_name).string());
    rules.write(rule_text);
    rules.commit();
    TreePolicy tree;
    const Fit fitted = fit(observations, small, schema, terminal.progress());
    tree.policy = fitted.policy;
    ExtractOptions extraction;
    extraction.mode = ExtractMode::exact;
    extraction.grow.threads = options.threads;
    tree.tree = extract_tree(tree.policy.network, tree.policy.rules, tree_domain(tree.policy),
                             tree.policy.encoder.encode(observations.features), extraction, terminal.progress());
    save_model(tree.policy, folder / "small_model.json");
    Output file((folder / "tree.json").string());
    write_tree_json(tree, [&](std::string_view text) { file.write(text); });
    file.commit();
    Output picture((folder / "tree.svg").string());
    write_tree_svg(tree.policy, tree.tree, [&](std::string_view text) { picture.write(text); });
    picture.commit();

    out.write(
        fmt::format("\nNobody can read 300 neurons. A network of {} is a tree, of which the largest terms are shown "
                    "here. It keeps a "
                    "rule:\n  {}({} received a dose that breaks it)\n\n",
                    readable_network.front(), rule_text, counted(fitted.violations.size(), "patient")));
    write_tree_text(tree.policy, tree.tree, [&](std::string_view text) { out.write(text); },
                    {.words = {.max_terms = 2, .scaled = {}}});
    out.write(
        "\nThat it prescribes the same as its network is checked by code that shares nothing with what made it:\n");
    out.write(proof_summary(
        check_tree(tree.policy.network, tree.policy.rules.bound, tree.tree, {.threads = options.threads}), tree));
    PrescribeOptions prescribing;
    prescribing.threads = options.threads;
    const TruthScore score = score_against_truth(prescribe(tree, patients, prescribing).prescriptions.treatment,
                                                 truth_matrix(patients, truth_names), false);
    out.write(fmt::format("For the new patients, its accuracy is {:.1f} % and its regret {:.4g}.\n",
                          100 * score.accuracy, score.regret));
}

// What a reviewer would be told if nobody knew the truth: from what the new patients received, and how they fared.
std::string evidence(const Policy& policy, const Table& patients, const Prescriptions& prescriptions,
                     const Roles& roles, const DemoArguments& arguments, Terminal& terminal) {
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
    EvaluationOptions options;
    options.nuisances.seed = arguments.seed;
    options.nuisances.threads = arguments.threads;
    EvaluationNames names;
    names.outcome = policy.outcome_name;
    return headline_sentence(evaluate(judged, options, terminal.progress()), names);
}

void run(const DemoArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    const std::filesystem::path folder(arguments.folder);
    make_folder(arguments.folder);
    Output out("-");

    SimulateOptions simulation;
    simulation.rows = training_rows;
    simulation.seed = arguments.seed;
    const Table cohort = simulate_clinic(simulation);
    simulation.rows = new_rows;
    simulation.seed = arguments.seed + 1;
    simulation.truth = true;
    const Table patients = simulate_clinic(simulation);
    const Schema schema = clinic_schema();
    save_table(folder / "cohort.csv", cohort);
    save_table(folder / "new_patients.csv", patients);
    Output schema_file((folder / "schema.json").string());
    schema_file.write(schema_json(schema));
    schema_file.commit();

    out.write(fmt::format(
        "A cohort of {} patients: who got which dose, and how they fared (simulated, smaller is better).\n\n",
        grouped(training_rows)));
    const auto started = std::chrono::steady_clock::now();
    const Roles roles{.treatment = "treatment", .outcome = "outcome", .weight = {}, .features = {}, .ignore = {}};
    FitOptions options = recipe_options(Recipe::fast);
    options.seed = arguments.seed;
    options.threads = arguments.threads;
    options.recommend = RecommendOptions{};
    const Observations observations = observe(cohort, roles, schema);
    const Fit fitted = fit(observations, options, schema, terminal.progress());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    const std::filesystem::path model = folder / "model.json";
    save_model(fitted.policy, model);
    out.write(fit_summary(fitted, seconds) + "\n\n");

    PrescribeOptions prescribing;
    prescribing.threads = arguments.threads;
    prescribing.outcomes = true;
    const Prescriptions prescriptions = prescribe(fitted.policy, patients, prescribing);
    out.write(first_patients(fitted.policy, patients, prescriptions, 2) + "\n");
    out.write("For new patients the truth is known here, because they are simulated:\n");
    out.write(truth_summary(score_against_truth(prescriptions.treatment, truth_matrix(patients, truth_names), false),
                            fitted.policy));
    show_tree(observations, schema, options, patients, folder, out, terminal);
    out.write(fmt::format(
        "\nElsewhere nobody knows the truth. From what the new patients received, and how they fared, one could say:\n"
        "{}\n",
        evidence(fitted.policy, patients, prescriptions, roles, arguments, terminal)));
    out.write(fmt::format(
        "\nThe files are in {0}/. The same with your own data, step by step:\n"
        "  polyrx fit {0}/cohort.csv --schema {0}/schema.json --treatment treatment --outcome outcome --recipe "
        "fast -o {0}/model.json\n"
        "  polyrx prescribe {0}/model.json {0}/new_patients.csv -o {0}/prescriptions.csv\n"
        "  polyrx evaluate {0}/model.json {0}/new_patients.csv --truth y0,y1,y2\n"
        "  polyrx evaluate {0}/model.json {0}/new_patients.csv\n"
        "  polyrx constrain {0}/model.json {0}/rules.txt --data {0}/cohort.csv -o {0}/constrained.json\n"
        "  polyrx tree {0}/small_model.json --data {0}/cohort.csv -o {0}/tree.json\n"
        "  polyrx verify {0}/small_model.json {0}/tree.json\n",
        folder.string()));
}

}  // namespace

Verb demo_verb() {
    const auto arguments = std::make_shared<DemoArguments>();
    Verb verb;
    verb.name = "demo";
    verb.summary = "learn a policy from simulated patients, in seconds; needs no arguments";
    verb.description =
        "Simulates a cohort of patients, learns which dose to give, recommends doses for new patients and compares "
        "them with the known truth. It then fits a network that is small enough to read as a tree, and proves that "
        "tree and network make the same recommendations. The data, the schema, the models and the tree stay in a "
        "folder for you to try the other verbs on.";
    verb.options = {
        option(arguments->folder, "output", "FOLDER", "folder for the files")
            .letter_is('o')
            .completes(Complete::directory),
        seed_option(arguments->seed),
        threads_option(arguments->threads),
        quiet_option(arguments->quiet),
    };
    verb.example = {"polyrx demo -o polyrx-demo"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
