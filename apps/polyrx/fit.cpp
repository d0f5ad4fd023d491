// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/fit.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>

#include "observed_data.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/data/csv_read.hpp"
#include "polyrx/policy/model_file.hpp"
#include "polyrx/rules/rules_json.hpp"
#include "polyrx/train/train_kernel.hpp"
#include "summary.hpp"
#include "terminal.hpp"
#include "timings.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct Arguments {
    ObservedData data;
    Method method = Method::network;
    std::optional<Recipe> recipe;
    // What a recipe sets unless it is given here.
    std::optional<std::string> hidden;
    std::optional<double> mu;
    std::optional<int> epochs;
    std::optional<int> batch;
    std::optional<double> learning_rate;
    std::optional<Schedule> schedule;
    std::optional<double> weight_decay;
    std::optional<OutcomeScale> outcome_scale;
    std::optional<double> validation;
    std::optional<int> patience;
    std::string rules;
    std::optional<WhenMissing> when_missing;
    std::optional<OnViolation> on_violation;
    bool big_m = false;
    double test_fraction = 0;
    std::uint64_t seed = 1;
    int threads = 0;
    std::string output = "model.json";
    bool timings = false;
    bool json = false;
    bool quiet = false;
};

// The number that a text spells, or the largest there is of one that is larger; 0 for anything else.
int whole_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end != text.data() + text.size() || text.starts_with('-')) return 0;
    return error == std::errc::result_out_of_range ? std::numeric_limits<int>::max() : number;
}

// "100,50", "5x100" or "none"
std::vector<int> parse_hidden(const std::string& text) {
    if (text == "none") return {};
    std::vector<int> widths;
    for (const std::string& part : split_list(text)) {
        const std::size_t x = part.find('x');
        const int times = x == std::string::npos ? 1 : whole_number(std::string_view(part).substr(0, x));
        const int value = whole_number(x == std::string::npos ? part : std::string_view(part).substr(x + 1));
        if (times < 1 || value < 1)
            throw usage_error(fmt::format("--hidden: '{}' is no layer; write 100,50 or 5x100 or none", part));
        if (value > 100'000)
            throw usage_error(fmt::format("--hidden: '{}' is too wide; a layer has at most 100000 neurons", part));
        if (times > 100 || widths.size() + static_cast<std::size_t>(times) > 100)
            throw usage_error(fmt::format("--hidden: '{}' is too deep; a network has at most 100 hidden layers", text));
        widths.insert(widths.end(), static_cast<std::size_t>(times), value);
    }
    return widths;
}

// Options that do nothing for a method are refused.
void refuse_network_options(const Arguments& arguments) {
    const std::pair<const char*, bool> given[] = {
        {"recipe", arguments.recipe.has_value()},
        {"hidden", arguments.hidden.has_value()},
        {"mu", arguments.mu.has_value()},
        {"epochs", arguments.epochs.has_value()},
        {"batch", arguments.batch.has_value()},
        {"learning-rate", arguments.learning_rate.has_value()},
        {"schedule", arguments.schedule.has_value()},
        {"weight-decay", arguments.weight_decay.has_value()},
        {"outcome-scale", arguments.outcome_scale.has_value()},
        {"validation", arguments.validation.has_value()},
        {"patience", arguments.patience.has_value()},
        {"big-m", arguments.big_m},
    };
    for (const auto& [name, is_given] : given)
        if (is_given)
            throw usage_error(
                fmt::format("--{} is for networks, not for --method {}", name, name_of(arguments.method)));
}

FitOptions fit_options(const Arguments& arguments) {
    if (arguments.method != Method::network) refuse_network_options(arguments);
    FitOptions options = recipe_options(arguments.recipe.value_or(Recipe::fast));
    options.objective = arguments.data.objective;
    options.method = arguments.method;
    if (arguments.hidden) options.hidden = parse_hidden(*arguments.hidden);
    options.mu = arguments.mu.value_or(options.mu);
    if (arguments.epochs) options.epochs = arguments.epochs;
    options.batch = arguments.batch.value_or(options.batch);
    options.learning_rate = arguments.learning_rate.value_or(options.learning_rate);
    options.schedule = arguments.schedule.value_or(options.schedule);
    options.weight_decay = arguments.weight_decay.value_or(options.weight_decay);
    options.outcome_scale = arguments.outcome_scale.value_or(options.outcome_scale);
    options.validation = arguments.validation.value_or(options.validation);
    options.patience = arguments.patience.value_or(options.patience);
    if (options.patience > 0 && options.validation == 0)
        throw usage_error("--patience needs rows to judge the epochs by: hold some out with --validation");
    if (!arguments.rules.empty()) {
        options.rules = read_rules(arguments.rules);
        options.rules_source = arguments.rules;
        if (options.rules.rules.empty()) throw data_error(fmt::format("{}: there are no rules in it", arguments.rules));
    } else if (arguments.when_missing || arguments.on_violation || arguments.big_m) {
        throw usage_error(
            fmt::format("{} is about rules: say which with --rules FILE", arguments.when_missing   ? "--when-missing"
                                                                          : arguments.on_violation ? "--on-violation"
                                                                                                   : "--big-m"));
    }
    options.when_missing = arguments.when_missing.value_or(options.when_missing);
    options.on_violation = arguments.on_violation.value_or(options.on_violation);
    options.big_m = arguments.big_m;
    options.test_fraction = arguments.test_fraction;
    options.seed = arguments.seed;
    options.threads = arguments.threads;
    return options;
}

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

nlohmann::ordered_json json_summary(const Fit& fit, const FitTimings& timings, const std::string& model) {
    nlohmann::ordered_json treatments = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < fit.policy.treatments.size(); ++k)
        treatments.push_back(
            {{"label", fit.policy.treatments[k]}, {"given", fit.given[k]}, {"prescribed", fit.prescribed[k]}});
    nlohmann::ordered_json seconds;
    for (const Stage& stage : stages(timings)) seconds[std::string(stage.name)] = stage.seconds;
    nlohmann::ordered_json options;
    for (const auto& [name, value] : fit.policy.provenance.options) options[name] = value;
    return {{"model", model},
            {"method", name_of(fit.policy.baseline ? fit.policy.baseline->method : Method::network)},
            {"options", options},
            {"rows", fit.policy.provenance.rows},
            {"held_out", fit.held_out},
            {"treatments", treatments},
            {"violations", fit.violations},
            {"changed_by_rules", fit.changed},
            {"loss", fit.policy.baseline ? nlohmann::ordered_json() : nlohmann::ordered_json(fit.loss)},
            {"epochs", fit.history.size()},
            {"best_epoch", fit.best_epoch},
            {"seconds", timings.total},
            {"timings", seconds},
            {"kernels", kernel_target()}};
}

void run(const Arguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.json && is_standard_output(arguments.output))
        throw usage_error(fmt::format("--json and -o {} would both write to standard output", arguments.output));
    check_inputs(arguments.data);
    const auto began = Clock::now();
    const FitOptions options = fit_options(arguments);
    check_writable(arguments.output, {arguments.data.path, arguments.data.schema, arguments.rules});

    FitTimings timings;
    const Progress progress = terminal.progress();
    CsvOptions reading;
    reading.schema = schema_for(arguments.data, progress);
    const Observations observations =
        observe(read_csv(arguments.data.path, reading, progress), arguments.data.roles, reading.schema);
    timings.read = seconds_since(began);
    for (const std::string& note : observations.notes) terminal.say(note);
    const Fit fitted = fit(observations, options, reading.schema, progress);
    timings.fit = fitted.seconds;
    if (fitted.held_out > 0)
        terminal.say(fmt::format("{} of {} held out for polyrx evaluate", grouped(fitted.held_out),
                                 counted(observations.rows(), "row")));
    if (fitted.violations > 0)
        terminal.say(fmt::format("{} of {} whose treatment breaks a rule {}", grouped(fitted.violations),
                                 counted(observations.rows(), "row"),
                                 options.on_violation == OnViolation::drop ? "left out" : "kept"));

    const auto writing_began = Clock::now();
    Output output(arguments.output);
    write_model(fitted.policy, [&](std::string_view part) { output.write(part); });
    output.commit();
    timings.write = seconds_since(writing_began);
    timings.total = seconds_since(began);
    terminal.say(fit_summary(fitted, timings.total));
    if (!fitted.conflict_free) terminal.warn(not_certain_words(arguments.rules));
    if (fitted.policy.rules.big_m) terminal.say(big_m_words(fitted.policy));
    if (!is_standard_output(arguments.output)) terminal.say(fmt::format("model {}", arguments.output));
    if (arguments.timings) terminal.say(timings_table(timings));
    if (arguments.json)
        Output("-").write(json_summary(fitted, timings, arguments.output)
                              .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                          "\n");
}

}  // namespace

Verb fit_verb() {
    const auto arguments = std::make_shared<Arguments>();
    Verb verb;
    verb.name = "fit";
    verb.summary = "learn a policy from observations";
    verb.description =
        "Learns from rows of (features, treatment given, outcome) a prescriptive ReLU network: it predicts the outcome "
        "of every "
        "treatment and prescribes the best. Every column that is not the treatment, the outcome or the weight is a "
        "feature, unless "
        "--features or --ignore says otherwise (y0, y1, ... and best, as simulate --truth writes them, are left out). "
        "Types are inferred "
        "from the values or fixed by a schema. A recipe sets every option of the network and its training; those given "
        "here override it.";
    verb.positionals = {data_positional(arguments->data)};
    verb.options = data_options(arguments->data);
    const std::vector<Option> others = {
        choice(arguments->method, all_methods(), "method", "NAME",
               "what is learned: a prescriptive network, or a method to compare it with (docs/baselines.md)"),
        choice(arguments->recipe, {Recipe::fast, Recipe::paper}, "recipe", "NAME",
               "of a network: a set of the options below; paper is Section 5.2 to the letter")
            .default_is("fast"),
        option(arguments->hidden, "hidden", "WIDTHS", "neurons of each hidden layer: 100,50 or 5x100 or none")
            .default_is("fast 3x100, paper 5x100"),
        option(arguments->mu, "mu", "X", "objective (4): 0 is prediction error only, 1 prescription outcome only")
            .must_be("a number from 0 to 1", [](double mu) { return mu >= 0 && mu <= 1; })
            .default_is("0.0001"),
        option(arguments->epochs, "epochs", "N", "passes over the rows")
            .must_be("a whole number of 1 or more", [](double epochs) { return epochs >= 1; })
            .default_is("fast: for about 6000 steps, 5 to 200; paper 20"),
        option(arguments->batch, "batch", "N", "rows of a step")
            .must_be("a whole number of 1 or more", [](double rows) { return rows >= 1; })
            .default_is("64"),
        option(arguments->learning_rate, "learning-rate", "X", "of Adam")
            .must_be("a number above 0", [](double rate) { return rate > 0; })
            .default_is("fast 0.003, paper 0.001"),
        choice(arguments->schedule, {Schedule::constant, Schedule::linear, Schedule::cosine}, "schedule", "NAME",
               "how the learning rate goes; the last two end at 0")
            .default_is("fast cosine, paper constant"),
        option(arguments->weight_decay, "weight-decay", "X", "decoupled, on weights and not on biases")
            .must_be("a number of 0 or more", [](double decay) { return decay >= 0; })
            .default_is("fast 0.3, paper 0"),
        choice(arguments->outcome_scale, {OutcomeScale::raw, OutcomeScale::standardised}, "outcome-scale", "HOW",
               "what training sees; the policy is in your units either way")
            .default_is("fast standardised, paper raw"),
        option(arguments->validation, "validation", "SHARE", "rows held out to choose the best epoch")
            .must_be("a share from 0 to below 1", [](double share) { return share >= 0 && share < 1; })
            .default_is("0"),
        option(arguments->patience, "patience", "N",
               "stop after N epochs without a better one on the held-out rows; 0 is never")
            .must_be("a whole number of 0 or more", [](double patience) { return patience >= 0; })
            .default_is("0"),
        option(arguments->rules, "rules", "FILE",
               "rules that every prescription keeps (docs/rules.md), and that training knows")
            .completes(Complete::file),
        choice(arguments->when_missing, {WhenMissing::apply, WhenMissing::skip}, "when-missing", "HOW",
               "a rule that a missing value leaves open applies, or is skipped")
            .default_is("apply"),
        choice(arguments->on_violation, {OnViolation::drop, OnViolation::keep, OnViolation::error}, "on-violation",
               "HOW", "training rows whose treatment breaks a rule")
            .default_is("drop"),
        flag(arguments->big_m, "big-m",
             "keep rules in the paper's form, by a number added to outcomes that is large enough on the domain"),
        option(arguments->test_fraction, "test-fraction", "SHARE",
               "rows that nothing is learned from, and that polyrx evaluate finds again")
            .must_be("a share from 0 to below 1", [](double share) { return share >= 0 && share < 1; }),
        option(arguments->seed, "seed", "N", "the same seed gives the same bytes"),
        threads_option(arguments->threads),
        option(arguments->output, "output", "FILE", "the model file; - is standard output")
            .letter_is('o')
            .completes(Complete::file),
        flag(arguments->timings, "timings", "also say where the time went, stage by stage; --json always does"),
        flag(arguments->json, "json", "a summary for machines on standard output"),
        flag(arguments->quiet, "quiet", "say nothing on standard error but what is wrong").letter_is('q'),
    };
    verb.options.insert(verb.options.end(), others.begin(), others.end());
    verb.example = {"polyrx fit train.csv --treatment treatment --outcome outcome --seed 1 -o model.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
