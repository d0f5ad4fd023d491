// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "judged_rows.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/evaluate/evaluation_text.hpp"
#include "polyrx/evaluate/value/truth.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/report/evaluation_charts.hpp"
#include "polyrx/study/columns_by_treatment.hpp"
#include "polyrx/study/splits/folds_for.hpp"
#include "polyrx/api/summary.hpp"
#include "support_options.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

const std::vector<Estimator> all_estimators = {Estimator::dr, Estimator::snipw, Estimator::ipw, Estimator::dm};

// Those that --estimator names: one, or "all".
std::vector<Estimator> estimators_of(const std::string& name) {
    std::vector<Estimator> estimators;
    std::ranges::copy_if(all_estimators, std::back_inserter(estimators),
                         [&](Estimator each) { return name == "all" || name == name_of(each); });
    return estimators;
}

struct EvaluateArguments {
    std::string policy;
    ObservedData data;
    std::vector<std::string> truth;
    std::string estimator = "all";
    std::string against;
    WhichRows rows = WhichRows::automatic;
    std::string by;
    std::optional<PropensityModel> propensity_model;
    std::optional<double> epsilon;
    std::vector<std::string> outcome_range;
    int folds = 5;
    int trees = 100;
    int bootstrap = 2000;
    double level = 0.95;
    std::uint64_t seed = 1;
    Unseen unseen = Unseen::error;
    int threads = 0;
    std::string plots;
    bool json = false;
    bool quiet = false;
};

PrescribeOptions prescribing(const EvaluateArguments& arguments) {
    PrescribeOptions options;
    options.unseen = arguments.unseen;
    options.threads = arguments.threads;
    options.outcomes = true;
    return options;
}

void say_pairs(Terminal& terminal, std::string_view what, const std::vector<std::string>& treatments,
               const std::vector<std::string>& columns) {
    std::vector<std::string> pairs;
    for (std::size_t k = 0; k < columns.size(); ++k) pairs.push_back(fmt::format("{} = {}", treatments[k], columns[k]));
    terminal.say(fmt::format("{}: {}", what, fmt::join(pairs, ", ")));
}

// --- where the truth is known

void run_with_truth(const EvaluateArguments& arguments, Terminal& terminal) {
    const std::pair<const char*, bool> estimating[] = {{"estimator", arguments.estimator != "all"},
                                                       {"against", !arguments.against.empty()},
                                                       {"group", !arguments.data.roles.group.empty()},
                                                       {"by", !arguments.by.empty()},
                                                       {"plots", !arguments.plots.empty()},
                                                       {"propensities", !arguments.data.roles.propensities.empty()},
                                                       {"rows", arguments.rows != WhichRows::automatic},
                                                       {"weight", !arguments.data.roles.weight.empty()}};
    for (const auto& [name, given] : estimating)
        if (given) throw usage_error(fmt::format("--{} is for estimates, and --truth needs none", name));
    const Progress progress = terminal.progress();
    const PolicySource source = policy_source(arguments.policy, progress);
    if (!source.model()) throw usage_error("--truth is for a model or a tree, not for always: or column:");
    if (source.model()->provenance.test_fraction > 0)
        terminal.say("all rows are scored: also those that the model learned from, if they are in the file");
    const Policy& policy = *source.model();
    const std::vector<std::string> columns =
        columns_by_treatment("--truth", policy.treatments, arguments.truth, "the model has");
    std::vector<ColumnSchema> truth;
    truth.reserve(columns.size());
    for (const std::string& column : columns) truth.push_back({.name = column, .type = ColumnType::numeric});
    const Table data = parse_for(policy, read_data(arguments.data.path, progress), truth, progress);
    if (data.rows() == 0) throw data_error(fmt::format("{} has no rows", data.where()));
    JudgedRows rows;
    rows.observations.features = data;
    rows.observations.treatments = policy.treatments;
    repeat_recommendation(policy, terminal);
    const Prescriptions prescriptions = prescribe_for(source, rows, prescribing(arguments), progress);
    const TruthScore score =
        score_against_truth(prescriptions.treatment, truth_matrix(data, columns), policy.objective == Objective::max);

    if (!arguments.json) {
        say_pairs(terminal, "truth", policy.treatments, columns);
        Output("-").write(truth_summary(score, policy));
        return;
    }
    nlohmann::ordered_json json = {
        {"rows", score.rows},       {"accuracy", score.accuracy},         {"regret", score.regret},
        {"outcome", score.outcome}, {"best_outcome", score.best_outcome}, {"always", nlohmann::ordered_json::array()}};
    const std::optional<Recommendation>& recommendation = policy.recommendation;
    json["recommended"] =
        recommendation ? nlohmann::ordered_json(recommendation->recommended) : nlohmann::ordered_json();
    json["recommendation"] =
        recommendation ? nlohmann::ordered_json(recommendation->sentence) : nlohmann::ordered_json();
    for (std::size_t k = 0; k < policy.treatments.size(); ++k)
        json["always"].push_back({{"treatment", policy.treatments[k]},
                                  {"truth", columns[k]},
                                  {"accuracy", score.treatment_accuracies[k]},
                                  {"outcome", score.treatment_outcomes[k]}});
    Output("-").write(json.dump(2) + "\n");
}

// --- where it is not

// The columns that are read besides features, treatment, outcome and weight; each once.
std::vector<ColumnSchema> asked_columns(const EvaluateArguments& arguments, const PolicySource& policy,
                                        const std::optional<PolicySource>& against) {
    std::vector<ColumnSchema> columns;
    const auto ask = [&](const std::string& name, std::optional<ColumnType> type) {
        if (!name.empty() && std::ranges::find(columns, name, &ColumnSchema::name) == columns.end())
            columns.push_back({.name = name, .type = type});
    };
    ask(policy.column, {});
    if (against) ask(against->column, {});
    ask(arguments.by, {});
    return columns;
}

void check_combination(const EvaluateArguments& arguments, const PolicySource& policy) {
    if (policy.model()) {
        const Roles& roles = arguments.data.roles;
        if (!roles.treatment.empty() || !roles.outcome.empty() || !roles.features.empty() || !roles.ignore.empty() ||
            !arguments.data.schema.empty() || arguments.data.missing)
            throw usage_error(
                "--treatment, --outcome, --features, --ignore, --schema and --missing are for always: and column:; a "
                "model knows its own");
    } else if (arguments.data.roles.treatment.empty() || arguments.data.roles.outcome.empty()) {
        throw usage_error(fmt::format("{}: without a model, --treatment COLUMN and --outcome COLUMN must be given",
                                      arguments.policy));
    }
    if (!arguments.data.roles.propensities.empty() && arguments.propensity_model)
        throw usage_error("--propensity-model is for propensities that are not known (--propensities)");
}

void write_charts(const std::vector<NamedChart>& charts, const std::string& folder, Terminal& terminal) {
    std::vector<std::string> files;
    for (const NamedChart& chart : charts) {
        files.push_back((std::filesystem::path(folder) / (chart.name + ".svg")).string());
        Output output(files.back());
        output.write(chart.svg);
        output.commit();
    }
    terminal.say(fmt::format("pictures: {}", fmt::join(files, ", ")));
}

// What the model's support says of the rows.
struct ModelSupport {
    double epsilon = default_epsilon;
    std::vector<char> supported;  // whether the prescription is, by the model; empty where it extrapolates
};

ModelSupport support_of(const PolicySource& source, const JudgedRows& rows, std::span<const int> prescriptions) {
    ModelSupport result;
    const Policy* model = source.model();
    if (!model || !model->rules.support) return result;
    result.epsilon = judging_epsilon(model->rules.support);
    const Matrix encoded = model->encoder.encode(rows.observations.features, Unseen::ignore);
    const std::vector<TreatmentSet> supported = model->rules.bound.supported(encoded);
    for (std::size_t i = 0; i < supported.size(); ++i)
        result.supported.push_back(has(supported[i], prescriptions[i]) ? 1 : 0);
    return result;
}

void run_with_estimates(const EvaluateArguments& arguments, Terminal& terminal) {
    constexpr std::size_t most_groups = 50;
    const Progress progress = terminal.progress();
    const PolicySource policy = policy_source(arguments.policy, progress);
    if (policy.model() && arguments.json) repeat_recommendation(*policy.model(), terminal);
    check_combination(arguments, policy);
    std::optional<PolicySource> against;
    if (!arguments.against.empty()) against = policy_source(arguments.against, progress);
    const JudgedRows rows =
        read_judged_rows(policy, arguments.data, asked_columns(arguments, policy, against), arguments.rows, progress);
    for (const std::string& note : rows.observations.notes) terminal.say(note);
    const std::vector<std::string>& treatments = rows.observations.treatments;

    const Prescriptions prescriptions = prescribe_for(policy, rows, prescribing(arguments), progress);
    std::vector<int> other;
    if (against) other = prescribe_for(*against, rows, prescribing(arguments), progress).treatment;
    if (const std::vector<std::string>& given = arguments.data.roles.propensities; !given.empty())
        say_pairs(terminal, "propensities", treatments,
                  texts_by_treatment("--propensities", treatments, given, "there are"));
    const std::optional<Partition> leaves = leaves_of(policy, rows);
    std::optional<Partition> by;
    if (!arguments.by.empty()) by = values_of(rows, arguments.by, most_groups);
    if (against && may_have_learned_from(*against, policy))
        terminal.warn(fmt::format(
            "{} was not fitted with the same rows held out: it may have learned from these, which flatters it",
            arguments.against));

    const ModelSupport model_support = support_of(policy, rows, prescriptions.treatment);
    const JudgedPolicy judged{.observations = rows.observations,
                              .encoder = rows.encoder,
                              .prescriptions = prescriptions.treatment,
                              .larger_is_better = rows.larger_is_better,
                              .predicted = prescriptions.outcomes,
                              .against = other,
                              .against_name = arguments.against,
                              .leaves = leaves ? &*leaves : nullptr,
                              .by = by ? &*by : nullptr,
                              .group = rows.observations.group,
                              .propensities = rows.observations.known_design(),
                              .held_out = rows.held_out,
                              .supported_by_model = model_support.supported};
    EvaluationOptions options;
    options.estimators = estimators_of(arguments.estimator);
    options.nuisances.folds = folds_for(rows.observations.group, static_cast<std::size_t>(arguments.folds));
    options.nuisances.outcome_trees = arguments.trees;
    options.nuisances.propensity.trees = arguments.trees;
    if (arguments.propensity_model) options.nuisances.propensity.model = arguments.propensity_model;
    options.nuisances.seed = arguments.seed;
    options.nuisances.threads = arguments.threads;
    options.epsilon = arguments.epsilon.value_or(model_support.epsilon);
    options.outcome_range = parse_outcome_range(arguments.outcome_range);
    options.level = arguments.level;
    options.draws = static_cast<std::size_t>(arguments.bootstrap);
    const Evaluation evaluation = evaluate(judged, options, progress);

    EvaluationNames names;
    names.rows = rows.words;
    names.outcome = rows.observations.outcome_name;
    names.treatments = treatments;
    for (const EncodedColumn& column : rows.encoder.columns()) names.inputs.push_back(column.name);
    if (leaves) names.leaves = leaves->names;
    names.by = arguments.by;
    if (by) names.groups = by->names;
    names.larger_is_better = rows.larger_is_better;
    names.level = arguments.level;
    if (policy.model() && policy.model()->recommendation) {
        names.recommended = policy.model()->recommendation->recommended;
        names.recommendation = policy.model()->recommendation->sentence;
    }
    Output("-").write(arguments.json ? evaluation_json(evaluation, names) : evaluation_text(evaluation, names));
    if (!arguments.plots.empty()) write_charts(evaluation_charts(evaluation, names), arguments.plots, terminal);
}

void run(const EvaluateArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.policy == "-" && arguments.data.path == "-")
        throw usage_error("only one of POLICY and DATA.csv can be standard input");
    check_inputs(arguments.data);
    if (!arguments.plots.empty() && arguments.truth.empty()) make_folder(arguments.plots);
    arguments.truth.empty() ? run_with_estimates(arguments, terminal) : run_with_truth(arguments, terminal);
}

}  // namespace

Verb evaluate_verb() {
    const auto arguments = std::make_shared<EvaluateArguments>();
    Verb verb;
    verb.name = "evaluate";
    verb.summary = "estimate the value of a policy, with confidence intervals";
    verb.description =
        "Estimates the mean outcome if every row received its recommendation. Compares it with current practice, with "
        "the best single treatment and with other policies (docs/evaluate.md). Rows that the model learned from make "
        "it look better than it is: after fit --test-fraction, evaluate uses the held-out rows. With --truth, for "
        "simulated data, it reports accuracy (share of rows that get a truly best treatment) and regret (distance of "
        "the mean true outcome from the best possible) instead.";
    verb.positionals = {
        positional(arguments->policy, "POLICY",
                   "model or tree file; always:LABEL; or column:NAME, a column of the data with recommendations")
            .completes(Complete::file),
        positional(arguments->data.path, "DATA.csv", "rows with features, treatment and outcome; - is stdin")
            .completes(Complete::file)};
    verb.add("policy and rows",
             {
                 option(arguments->against, "against", "POLICY", "another policy to compare with, on the same rows")
                     .completes(Complete::file),
                 choice(arguments->rows, {WhichRows::automatic, WhichRows::held_out, WhichRows::all}, "rows", "WHICH",
                        "rows to use; automatic means the held-out rows if the model has any, else all"),
                 option(arguments->by, "by", "COLUMN", "also estimate the value in each group of this column"),
                 group_option(arguments->data).default_is("that of the model"),
                 weight_option(arguments->data),
                 option(arguments->truth, "truth", "A,B,...",
                        "columns of the true outcome under each treatment, in the model's order, or LABEL=COLUMN"),
                 unseen_option(arguments->unseen).advanced(),
             });
    verb.add(
        "estimation",
        {
            option(arguments->estimator, "estimator", "NAME",
                   "doubly robust (dr), self-normalized or plain inverse propensity weighting (snipw, ipw), "
                   "direct method (dm)")
                .one_of({"dr", "snipw", "ipw", "dm", "all"}),
            propensities_option(arguments->data),
            choice(arguments->propensity_model, {PropensityModel::stack, PropensityModel::logistic}, "propensity-model",
                   "NAME", "model of unknown propensities; stack combines several models by held-out log-loss")
                .default_is("stack")
                .advanced(),
            option(arguments->epsilon, "support", "EPSILON",
                   "a treatment is supported if its propensity is at least half of EPSILON times the highest")
                .must_be(allowed::between_0_and_1)
                .default_is(fmt::format("that of the model, else {}", default_epsilon))
                .advanced(),
            outcome_range_option(arguments->outcome_range),
            option(arguments->folds, "folds", "N", "number of cross-fitting folds")
                .must_be(allowed::whole_from_2)
                .advanced(),
            option(arguments->trees, "trees", "N", "number of trees in each forest")
                .must_be(allowed::whole_from_1)
                .advanced(),
            option(arguments->bootstrap, "bootstrap", "N", "number of bootstrap samples for intervals (0 = none)")
                .must_be({"0, or a whole number of 100 or more", [](double n) { return n == 0 || n >= 100; }})
                .advanced(),
            option(arguments->level, "level", "X", "confidence level of intervals")
                .must_be(allowed::between_0_and_1)
                .advanced(),
        });
    verb.add("without a model file",
             {
                 option(arguments->data.roles.treatment, "treatment", "COLUMN", "column of the treatment received"),
                 option(arguments->data.roles.outcome, "outcome", "COLUMN", "column of the observed outcome"),
                 objective_option(arguments->data),
                 option(arguments->data.roles.features, "features", "A,B,...", "use only these columns as features")
                     .advanced(),
                 option(arguments->data.roles.ignore, "ignore", "A,B,...", "do not use these columns as features")
                     .advanced(),
                 option(arguments->data.schema, "schema", "FILE", "schema (JSON; docs/data.md)")
                     .completes(Complete::file)
                     .advanced(),
                 option(arguments->data.missing, "missing", "A,B,...",
                        "texts that mean a missing value, besides an empty cell")
                     .default_is("NA,NaN")
                     .advanced(),
             });
    verb.add(option_group::output, {
                                       option(arguments->plots, "plots", "FOLDER",
                                              "write charts (SVG) of values, overlap and balance, and for two "
                                              "treatments the Qini curve")
                                           .completes(Complete::directory),
                                       seed_option(arguments->seed),
                                       threads_option(arguments->threads),
                                       json_option(arguments->json),
                                       quiet_option(arguments->quiet),
                                   });
    verb.example = {"polyrx evaluate model.json test.csv", "polyrx evaluate model.json test.csv --truth y0,y1"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
