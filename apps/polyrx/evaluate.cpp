// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "observed_data.hpp"
#include "polyrx/api/evaluate_policy.hpp"
#include "polyrx/api/score_policy.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/report/evaluation_charts.hpp"
#include "support_options.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

const std::vector<Estimator> all_estimators = {Estimator::dr, Estimator::snipw, Estimator::ipw, Estimator::dm};

// The estimators of --estimator: one, or "all".
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

// --- with known truth

void run_with_truth(const EvaluateArguments& arguments, Terminal& terminal) {
    const std::pair<const char*, bool> estimating[] = {{"objective", arguments.data.objective.has_value()},
                                                       {"estimator", arguments.estimator != "all"},
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
    const PolicySource policy = policy_source(arguments.policy, progress);
    const PolicyScore score =
        score_policy(policy, read_data(arguments.data.path, progress), arguments.truth,
                     {.unseen = arguments.unseen, .threads = arguments.threads, .outcomes = true}, progress);
    terminal.say(score.notes);
    repeat_recommendation(*policy.model(), terminal);
    if (!arguments.json) terminal.say(pairs_sentence("truth", score.treatments, score.columns));
    if (arguments.json)
        Output("-").write(json_of(score).dump(2) + "\n");
    else
        Output("-").write_text(text_of(score));
}

// --- without known truth

void check_combination(const EvaluateArguments& arguments, const PolicySource& policy) {
    if (policy.model()) {
        const Roles& roles = arguments.data.roles;
        if (!roles.treatment.empty() || !roles.outcome.empty() || !roles.features.empty() || !roles.ignore.empty() ||
            !arguments.data.schema.empty() || arguments.data.missing || arguments.data.objective)
            throw usage_error(
                "--treatment, --outcome, --objective, --features, --ignore, --schema and --missing are for always: and "
                "column:; a model knows its own");
    } else if (arguments.data.roles.treatment.empty() || arguments.data.roles.outcome.empty()) {
        throw usage_error(fmt::format("{}: without a model, --treatment COLUMN and --outcome COLUMN must be given",
                                      arguments.policy));
    }
    if (!policy.column.empty() && policy.column == arguments.data.roles.treatment)
        throw usage_error(fmt::format(
            "{}: this is the treatment received; each evaluation shows its value as \"as treated\"", arguments.policy));
    if (!arguments.data.roles.propensities.empty() && arguments.propensity_model)
        throw usage_error("--propensity-model is for propensities that are not known (--propensities)");
}

EvaluatePolicyOptions options_of(const EvaluateArguments& arguments, const Progress& progress) {
    EvaluatePolicyOptions options;
    options.study = {arguments.data.roles, arguments.data.objective.value_or(Objective::min),
                     schema_for(arguments.data, progress)};
    options.rows = arguments.rows;
    options.by = arguments.by;
    options.unseen = arguments.unseen;
    options.epsilon = arguments.epsilon;
    EvaluationOptions& evaluation = options.evaluation;
    evaluation.estimators = estimators_of(arguments.estimator);
    evaluation.nuisances.folds = static_cast<std::size_t>(arguments.folds);
    evaluation.nuisances.outcome_trees = arguments.trees;
    evaluation.nuisances.propensity.trees = arguments.trees;
    if (arguments.propensity_model) evaluation.nuisances.propensity.model = arguments.propensity_model;
    evaluation.nuisances.seed = arguments.seed;
    evaluation.nuisances.threads = arguments.threads;
    evaluation.outcome_range = parse_outcome_range(arguments.outcome_range);
    evaluation.level = arguments.level;
    evaluation.draws = static_cast<std::size_t>(arguments.bootstrap);
    return options;
}

void write_charts(const std::vector<NamedChart>& charts, const std::string& folder, Terminal& terminal) {
    std::vector<std::string> files;
    for (const NamedChart& chart : charts) {
        files.push_back((std::filesystem::path(folder) / (chart.name + ".svg")).string());
        save(files.back(), chart.svg);
    }
    terminal.say(fmt::format("pictures: {}", fmt::join(files, ", ")));
}

void run_with_estimates(const EvaluateArguments& arguments, Terminal& terminal) {
    const Progress progress = terminal.progress();
    const PolicySource policy = policy_source(arguments.policy, progress);
    if (policy.model() && arguments.json) repeat_recommendation(*policy.model(), terminal);
    check_combination(arguments, policy);
    std::optional<PolicySource> against;
    if (!arguments.against.empty()) against = policy_source(arguments.against, progress);
    const EvaluatePolicyOptions options = options_of(arguments, progress);
    const PolicyEvaluation evaluated = evaluate_policy(policy, against ? &*against : nullptr,
                                                       read_data(arguments.data.path, progress), options, progress);
    terminal.say(evaluated.notes);
    terminal.warn(evaluated.warnings);
    if (arguments.json)
        Output("-").write(json_text_of(evaluated));
    else
        Output("-").write_text(text_of(evaluated));
    if (!arguments.plots.empty())
        write_charts(evaluation_charts(evaluated.evaluation, evaluated.names), arguments.plots, terminal);
}

void run(const EvaluateArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.policy == "-" && arguments.data.path == "-")
        throw usage_error("only one of POLICY and DATA.csv can be standard input");
    check_inputs(arguments.data);
    std::optional<OutputFolder> plots;
    if (!arguments.plots.empty() && arguments.truth.empty()) plots.emplace(arguments.plots);
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
        "simulated data, it reports accuracy (share of rows that get a truly best treatment) and regret (how much "
        "worse the mean true outcome is than the best possible) instead.";
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
                   "NAME", "model of unknown propensities; stack is a stacked ensemble, weighted by held-out log-loss")
                .default_is("stack")
                .advanced(),
            option(arguments->epsilon, "support", "EPSILON",
                   "a treatment is supported if its propensity is at least EPSILON / 2 times the highest")
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
