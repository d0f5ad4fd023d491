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

// Those that a word of --method means: its name, or "all".
std::vector<Estimator> estimators_of(const std::string& method) {
    std::vector<Estimator> estimators;
    std::ranges::copy_if(all_estimators, std::back_inserter(estimators),
                         [&](Estimator each) { return method == "all" || method == name_of(each); });
    return estimators;
}

struct EvaluateArguments {
    std::string policy;
    ObservedData data;
    std::vector<std::string> truth;
    std::string method = "all";
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

// --- where the truth is known

void run_with_truth(const EvaluateArguments& arguments, Terminal& terminal) {
    const std::pair<const char*, bool> estimating[] = {{"method", arguments.method != "all"},
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

// --- where it is not

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

EvaluatePolicyOptions options_of(const EvaluateArguments& arguments, const Progress& progress) {
    EvaluatePolicyOptions options;
    options.study = {arguments.data.roles, arguments.data.objective, schema_for(arguments.data, progress)};
    options.rows = arguments.rows;
    options.by = arguments.by;
    options.unseen = arguments.unseen;
    options.epsilon = arguments.epsilon;
    EvaluationOptions& evaluation = options.evaluation;
    evaluation.estimators = estimators_of(arguments.method);
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
    verb.summary = "say what a policy is worth, and how sure that is";
    verb.description =
        "Estimates, from what was observed, the mean outcome if every row received its prescription, and compares it "
        "with what was done, with the best single treatment and with other policies (docs/evaluate.md). Rows that the "
        "model learned from flatter it: with fit --test-fraction, evaluate takes the rows that were held out. With "
        "--truth, where the outcome of every treatment is known, it says accuracy (the share of rows that get a "
        "treatment with the best true outcome; where several tie, each is right) and regret (how far the mean true "
        "outcome is from the best possible) instead.";
    verb.positionals = {
        positional(arguments->policy, "POLICY",
                   "a model or tree file; or always:LABEL; or column:NAME, with prescriptions from elsewhere")
            .completes(Complete::file),
        positional(arguments->data.path, "DATA.csv", "rows with features, treatment and outcome; - is standard input")
            .completes(Complete::file)};
    verb.options = {
        option(arguments->method, "method", "NAME",
               "the estimator: doubly robust, self-normalized or plain inverse propensity, direct method")
            .one_of({"dr", "snipw", "ipw", "dm", "all"}),
        option(arguments->against, "against", "POLICY", "also compare with this one, on the same rows")
            .completes(Complete::file),
        choice(arguments->rows, {WhichRows::automatic, WhichRows::held_out, WhichRows::all}, "rows", "WHICH",
               "automatic: those that the model held out, if it did, else all"),
        group_option(arguments->data).default_is("that of the model"),
        option(arguments->by, "by", "COLUMN", "also the value in each group of this column"),
        propensities_option(arguments->data),
        choice(arguments->propensity_model, {PropensityModel::stack, PropensityModel::logistic}, "propensity-model",
               "NAME", "how to estimate unknown propensities; a stack combines several models by held-out log-loss")
            .default_is("stack"),
        option(arguments->epsilon, "support", "EPSILON",
               "a treatment is supported where its propensity is at least half of EPSILON times the highest")
            .must_be("a number above 0 and below 1", [](double epsilon) { return epsilon > 0 && epsilon < 1; })
            .default_is(fmt::format("that of the model, else {}", default_epsilon)),
        option(arguments->outcome_range, "outcome-range", "A,B",
               "the least and greatest possible outcome, which bound unsupported prescriptions")
            .default_is("0,1 for events, else the least and greatest observed"),
        option(arguments->folds, "folds", "N", "no row is scored by models that saw its fold")
            .must_be("a whole number of 2 or more", [](double n) { return n >= 2; }),
        option(arguments->trees, "trees", "N", "of each forest")
            .must_be("a whole number of 1 or more", [](double n) { return n >= 1; }),
        option(arguments->bootstrap, "bootstrap", "N", "samples for the bootstrap's intervals; 0 is none")
            .must_be("0, or a whole number of 100 or more", [](double n) { return n == 0 || n >= 100; }),
        option(arguments->level, "level", "SHARE", "how often intervals should hold")
            .must_be("a number between 0 and 1", [](double level) { return level > 0 && level < 1; }),
        option(arguments->truth, "truth", "A,B,...",
               "columns with the true outcome of each treatment, in the model's order, or LABEL=COLUMN"),
        option(arguments->data.roles.weight, "weight", "COLUMN", "a column that says how much each row counts"),
        option(arguments->data.roles.treatment, "treatment", "COLUMN", "without a model: the treatment that was given"),
        option(arguments->data.roles.outcome, "outcome", "COLUMN", "without a model: the outcome that was seen"),
        choice(arguments->data.objective, {Objective::min, Objective::max}, "objective", "WHICH",
               "without a model: whether small or large outcomes are good"),
        option(arguments->data.roles.features, "features", "A,B,...", "without a model: only these are features"),
        option(arguments->data.roles.ignore, "ignore", "A,B,...", "without a model: these are not features"),
        option(arguments->data.schema, "schema", "FILE", "without a model: JSON with types and treatment labels")
            .completes(Complete::file),
        option(arguments->data.missing, "missing", "A,B,...", "without a model: texts that mean no value")
            .default_is("NA,NaN"),
        choice(arguments->unseen, {Unseen::error, Unseen::ignore}, "unseen", "HOW",
               "a category that the training data did not have"),
        option(arguments->seed, "seed", "N", "the same seed gives the same bytes"),
        threads_option(arguments->threads),
        option(arguments->plots, "plots", "FOLDER",
               "also pictures (SVG) of values, overlap and balance, and for two treatments the Qini curve"),
        flag(arguments->json, "json", "the answer as JSON"),
        flag(arguments->quiet, "quiet", "say nothing on standard error but what is wrong").letter_is('q'),
    };
    verb.example = {"polyrx evaluate model.json test.csv", "polyrx evaluate model.json test.csv --truth y0,y1"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
