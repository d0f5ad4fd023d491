// SPDX-License-Identifier: Apache-2.0
#include "fit_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "polyrx/train/step/effect_block.hpp"

namespace polyrx::cli {
namespace {

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

using GivenOptions = std::vector<std::pair<const char*, bool>>;

bool searches_trees(const FitArguments& arguments) {
    return name_of(arguments.method).starts_with("opt");
}

GivenOptions network_options(const FitArguments& arguments) {
    return {
        {"recipe", arguments.recipe.has_value()},
        {"hidden", arguments.hidden.has_value()},
        {"mu", arguments.mu.has_value()},
        {"epochs", arguments.epochs.has_value()},
        {"batch", arguments.batch.has_value()},
        {"learning-rate", arguments.learning_rate.has_value()},
        {"schedule", arguments.schedule.has_value()},
        {"weight-decay", arguments.weight_decay.has_value()},
        {"effect-shrinkage", arguments.effect_shrinkage.has_value()},
        {"shrink", arguments.shrink.has_value()},
        {"effect-share", arguments.effect_share.has_value()},
        {"effect-decay", arguments.effect_decay.has_value()},
        {"balance", arguments.balance.has_value()},
        {"clip-gradient", arguments.clip_gradient.has_value()},
        {"members", arguments.members.has_value()},
        {"bagged", arguments.bagged},
        {"retries", arguments.retries.has_value()},
        {"weights-per-neuron", arguments.weights_per_neuron.has_value()},
        {"max-features", arguments.max_features.has_value()},
        {"sparsify", arguments.sparsify.has_value()},
        {"restarts", arguments.restarts.has_value() && !searches_trees(arguments)},
        {"outcome-scale", arguments.outcome_scale.has_value()},
        {"validation", arguments.validation.has_value()},
        {"patience", arguments.patience.has_value()},
        {"big-m", arguments.big_m},
    };
}

GivenOptions tuning_options(const FitArguments& arguments) {
    return {
        {"criterion", arguments.criterion.has_value()},
        {"candidates", arguments.candidates.has_value()},
        {"averaged", arguments.averaged.has_value()},
        {"folds", arguments.folds.has_value()},
        {"max-seconds", arguments.max_seconds.has_value() && !searches_trees(arguments)},
        {"tuning-log", !arguments.tuning_log.empty()},
    };
}

GivenOptions policy_tree_options(const FitArguments& arguments) {
    return {{"depth", arguments.depth.has_value()}, {"split-step", arguments.split_step.has_value()}};
}

// Options that would do nothing are refused.
void refuse(const GivenOptions& options, std::string_view why) {
    for (const auto& [name, is_given] : options)
        if (is_given) throw usage_error(fmt::format("--{} {}", name, why));
}

// What is given takes the place of what the recipe says.
NetworkOptions with_given(NetworkOptions network, const FitArguments& arguments) {
    if (arguments.hidden) network.hidden = parse_hidden(*arguments.hidden);
    network.mu = arguments.mu.value_or(network.mu);
    if (arguments.epochs) {
        network.epochs = arguments.epochs;
        network.steps = NetworkOptions().steps;  // which mean nothing then
    }
    network.batch = arguments.batch.value_or(network.batch);
    network.learning_rate = arguments.learning_rate.value_or(network.learning_rate);
    network.schedule = arguments.schedule.value_or(network.schedule);
    network.weight_decay = arguments.weight_decay.value_or(network.weight_decay);
    network.effect_shrinkage = arguments.effect_shrinkage.value_or(network.effect_shrinkage);
    network.shrunk = arguments.shrink.value_or(network.shrunk);
    network.effects.share = arguments.effect_share.value_or(network.effects.share);
    network.effects.decay = arguments.effect_decay.value_or(network.effects.decay);
    // A recipe's blocks are for layers that can have them.
    if (!network.effects.wanted() || (!arguments.effect_share && !can_be_parted(network.hidden))) network.effects = {};
    network.balance = arguments.balance.value_or(network.balance);
    network.clip_gradient = arguments.clip_gradient.value_or(network.clip_gradient);
    network.members = arguments.members.value_or(network.members);
    network.bagged = arguments.bagged || network.bagged;
    network.retries = arguments.retries.value_or(network.retries);
    network.sparsity.weights_per_neuron = arguments.weights_per_neuron.value_or(network.sparsity.weights_per_neuron);
    network.sparsity.max_features = arguments.max_features.value_or(network.sparsity.max_features);
    network.sparsity.how = arguments.sparsify.value_or(network.sparsity.how);
    if (arguments.sparsify && !network.sparsity.wanted())
        throw usage_error("--sparsify is for --weights-per-neuron or --max-features");
    constexpr int restarts_of_sparse = 5;
    const bool begins_often = network.sparsity.wanted() && network.sparsity.how == Sparsify::gradual;
    network.restarts = arguments.restarts.value_or(begins_often ? restarts_of_sparse : network.restarts);
    network.outcome_scale = arguments.outcome_scale.value_or(network.outcome_scale);
    network.validation = arguments.validation.value_or(network.validation);
    network.patience = arguments.patience.value_or(network.patience);
    if (network.patience > 0 && network.validation == 0)
        throw usage_error("--patience needs rows to judge the epochs by: hold some out with --validation");
    return network;
}

TuningPlan with_given(const TuningPlan& recipe, const FitArguments& arguments) {
    TuningPlan plan{.candidates = {}, .options = recipe.options};
    // What is given is no longer chosen, and candidates that differ in nothing else are one.
    for (const NetworkOptions& candidate : recipe.candidates) {
        const NetworkOptions given = with_given(candidate, arguments);
        if (given.effects.wanted() && !can_be_parted(given.hidden)) continue;  // the linear one
        if (std::ranges::find(plan.candidates, given) == plan.candidates.end()) plan.candidates.push_back(given);
    }
    plan.options.criterion = arguments.criterion.value_or(plan.options.criterion);
    if (arguments.candidates) plan.options.candidates = static_cast<std::size_t>(*arguments.candidates);
    if (arguments.averaged) plan.options.averaged = static_cast<std::size_t>(*arguments.averaged);
    if (arguments.folds) plan.options.folds = static_cast<std::size_t>(*arguments.folds);
    plan.options.max_seconds = arguments.max_seconds.value_or(plan.options.max_seconds);
    return plan;
}

}  // namespace

FitOptions fit_options(const FitArguments& arguments) {
    if (arguments.method != Method::network)
        for (const GivenOptions& given : {network_options(arguments), tuning_options(arguments)})
            refuse(given, fmt::format("is for networks, not for --method {}", name_of(arguments.method)));
    if (arguments.method != Method::policytree) refuse(policy_tree_options(arguments), "is for --method policytree");
    if (!searches_trees(arguments))
        refuse({{"treatment-rows", arguments.treatment_rows.has_value()}}, "is for --method opt and its variants");
    // Who names the layers asks for that network, to read its tree perhaps, and not for the mean of eight or for one in
    // two blocks.
    const Recipe recipe = arguments.recipe.value_or(arguments.hidden ? Recipe::fast : Recipe::tuned);
    if (recipe != Recipe::tuned) refuse(tuning_options(arguments), "is for --recipe auto");
    FitOptions options = recipe_options(recipe);
    options.objective = arguments.data.objective;
    options.method = arguments.method;
    if (arguments.effect_share > 0.0 && arguments.hidden && !can_be_parted(parse_hidden(*arguments.hidden)))
        throw usage_error("--effect-share needs hidden layers of two neurons or more");
    if (!arguments.recipe && arguments.hidden) options.network.effects = {};
    options.network = with_given(options.network, arguments);
    if (options.tuning) options.tuning = with_given(*options.tuning, arguments);
    const auto is_any = [&](const auto& suits) {
        return options.tuning ? std::ranges::any_of(options.tuning->candidates, suits) : suits(options.network);
    };
    if (arguments.effect_decay && !is_any([](const NetworkOptions& network) { return network.effects.wanted(); }))
        throw usage_error("--effect-decay is for networks with --effect-share");
    if (arguments.shrink && !is_any([](const NetworkOptions& network) { return network.effect_shrinkage > 0; }))
        throw usage_error("--shrink is for networks with --effect-shrinkage");
    if (arguments.method != Method::network) options.tuning.reset();
    OptimalTreeSearch& optimal_tree = options.baseline.optimal_tree;
    optimal_tree.restarts = arguments.restarts.value_or(optimal_tree.restarts);
    optimal_tree.max_seconds = arguments.max_seconds.value_or(optimal_tree.max_seconds);
    if (arguments.treatment_rows)
        optimal_tree.options.treatment_rows = static_cast<std::size_t>(*arguments.treatment_rows);
    PolicyTreeOptions& policy_tree = options.baseline.policy_tree;
    policy_tree.depth = arguments.depth.value_or(policy_tree.depth);
    if (arguments.split_step && policy_tree.depth <= 2)
        throw usage_error("--split-step is for --depth 3 or more: the last two levels of splits try every cut");
    if (arguments.split_step) policy_tree.split_step = static_cast<std::size_t>(*arguments.split_step);
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
    if (arguments.leaves && arguments.big_m)
        throw usage_error("--leaves and --big-m: a model that obeys its rules by a penalty has no tree");
    options.support = epsilon_for(arguments.support, options.support);
    if (arguments.no_recommendation)
        refuse({{"fallback", arguments.fallback.has_value()},
                {"margin", arguments.margin.has_value()},
                {"outcome-range", !arguments.outcome_range.empty()}},
               "is about the recommendation, which --no-recommendation leaves out");
    else
        options.recommend = RecommendOptions{arguments.margin.value_or(0), arguments.fallback.value_or(Fallback::best)};
    options.outcome_range = parse_outcome_range(arguments.outcome_range);
    options.test_fraction = arguments.test_fraction;
    options.row_sketch = !arguments.no_row_sketch;
    options.seed = arguments.seed;
    options.threads = arguments.threads;
    return options;
}

std::vector<Option> options_of(FitArguments& arguments) {
    std::vector<Option> options = data_options(arguments.data);
    const std::vector<Option> others = {
        choice(arguments.method, all_methods(), "method", "NAME",
               "what is learned: a prescriptive network, or a method to compare it with (docs/baselines.md)"),
        choice(arguments.recipe, {Recipe::tuned, Recipe::fast, Recipe::paper}, "recipe", "NAME",
               "of a network: auto chooses settings by cross-validation and averages the best, fast is one good "
               "setting, paper has every setting that Section 5.2 prints")
            .default_is("auto; with --hidden, fast"),
        option(arguments.hidden, "hidden", "WIDTHS", "neurons of each hidden layer: 100,50 or 5x100 or none")
            .default_is("auto chooses, fast 3x100, paper 5x100"),
        option(arguments.mu, "mu", "X", "objective (4): 0 is prediction error only, 1 prescription outcome only")
            .must_be("a number from 0 to 1", [](double mu) { return mu >= 0 && mu <= 1; })
            .default_is("0.0001"),
        option(arguments.epochs, "epochs", "N", "passes over the rows")
            .must_be("a whole number of 1 or more", [](double epochs) { return epochs >= 1; })
            .default_is("for about 6000 steps, 5 to 200; paper 20"),
        option(arguments.batch, "batch", "N", "rows of a step")
            .must_be("a whole number of 1 or more", [](double rows) { return rows >= 1; })
            .default_is("64"),
        option(arguments.learning_rate, "learning-rate", "X", "of Adam")
            .must_be("a number above 0", [](double rate) { return rate > 0; })
            .default_is("0.003, paper 0.001"),
        choice(arguments.schedule, {Schedule::constant, Schedule::linear, Schedule::cosine}, "schedule", "NAME",
               "learning-rate schedule (linear and cosine decay to 0)")
            .default_is("cosine, paper constant"),
        option(arguments.weight_decay, "weight-decay", "X", "decoupled, on weights and not on biases")
            .must_be("a number of 0 or more", [](double decay) { return decay >= 0; })
            .default_is("auto chooses, fast 0.3, paper 0"),
        option(arguments.effect_shrinkage, "effect-shrinkage", "X",
               "decay of differences between treatments, which leaves the outcome that they share free")
            .must_be("a number of 0 or more", [](double shrinkage) { return shrinkage >= 0; })
            .default_is("auto chooses, else 0"),
        choice(arguments.shrink, {ShrunkParts::weights, ShrunkParts::weights_and_biases}, "shrink", "WHAT",
               "of the output layer; weights leaves the best treatment for all free")
            .default_is("weights+biases"),
        option(arguments.effect_share, "effect-share", "SHARE",
               "of each hidden layer, neurons only for what treatments differ in; the others are for the outcome that "
               "they share; 0 is all for both")
            .must_be("a share from 0 to below 1", [](double share) { return share >= 0 && share < 1; })
            .default_is("auto chooses, fast 0.5; paper, and with --hidden alone, 0"),
        option(arguments.effect_decay, "effect-decay", "X",
               "of the weights of neurons for effects, on top of --weight-decay")
            .must_be("a number of 0 or more", [](double decay) { return decay >= 0; })
            .default_is("auto chooses, fast 0.5; paper, and with --hidden alone, 0"),
        option(arguments.balance, "balance", "N", "weight rows by inverse propensity, capped at N (0 = off)")
            .must_be("0, or a number of 1 or more", [](double n) { return n == 0 || n >= 1; })
            .default_is("auto chooses, else 0"),
        option(arguments.clip_gradient, "clip-gradient", "X", "longest gradient of a step; 0 is any")
            .must_be("a number of 0 or more", [](double norm) { return norm >= 0; })
            .default_is("0"),
        option(arguments.members, "members", "N", "networks from different seeds, of which the policy is the mean")
            .must_be("a whole number of 1 or more", [](double members) { return members >= 1; })
            .default_is("1"),
        flag(arguments.bagged, "bagged", "each member learns from rows drawn with replacement"),
        option(arguments.retries, "retries", "N", "times that a diverged run is begun again with a smaller step")
            .must_be("a whole number of 0 or more", [](double retries) { return retries >= 0; })
            .default_is("3, paper 0"),
        option(arguments.weights_per_neuron, "weights-per-neuron", "N",
               "weights that each hidden neuron keeps, so that trees have short splits")
            .must_be("a whole number of 1 or more", [](double n) { return n >= 1; })
            .default_is("all"),
        option(arguments.max_features, "max-features", "N", "inputs that each network keeps")
            .must_be("a whole number of 1 or more", [](double n) { return n >= 1; })
            .default_is("all"),
        choice(arguments.sparsify, {Sparsify::gradual, Sparsify::paper}, "sparsify", "HOW",
               "gradual trains dense and prunes little by little; paper prunes after every step (Section 5.3)")
            .default_is("gradual"),
        option(arguments.restarts, "restarts", "N",
               "networks, or searches of opt, begun from different seeds, of which the best is kept")
            .must_be("a whole number of 1 or more", [](double n) { return n >= 1; })
            .default_is("1; 5 where pruned gradually; opt 100, with hyperplanes 20"),
        choice(arguments.outcome_scale, {OutcomeScale::raw, OutcomeScale::standardized}, "outcome-scale", "HOW",
               "what training sees; the policy is in your units either way")
            .default_is("standardized, paper raw"),
        option(arguments.validation, "validation", "SHARE", "rows held out to choose the best epoch")
            .must_be("a share from 0 to below 1", [](double share) { return share >= 0 && share < 1; })
            .default_is("0"),
        option(arguments.patience, "patience", "N",
               "stop after N epochs without a better one on the held-out rows; 0 is never")
            .must_be("a whole number of 0 or more", [](double patience) { return patience >= 0; })
            .default_is("0"),
        choice(arguments.criterion,
               {TuningCriterion::weighted_error, TuningCriterion::error, TuningCriterion::contrast,
                TuningCriterion::value},
               "criterion", "NAME", "of auto, on held-out rows (docs/tuning.md)")
            .default_is("weighted-error"),
        option(arguments.candidates, "candidates", "N", "of auto: how many settings are tried")
            .must_be("a whole number of 1 or more", [](double n) { return n >= 1; })
            .default_is(fmt::format("{}", recipe_options(Recipe::tuned).tuning->candidates.size())),
        option(arguments.averaged, "averaged", "N",
               "of auto: how many networks are averaged, of settings that are best together")
            .must_be("a whole number of 1 or more", [](double n) { return n >= 1; })
            .default_is("8"),
        option(arguments.folds, "folds", "N", "of auto: parts of the rows, each held out once")
            .must_be("a whole number of 2 or more", [](double n) { return n >= 2; })
            .default_is("5"),
        option(
            arguments.max_seconds, "max-seconds", "S",
            "of auto and opt: try nothing new after so long, and take the best so far, which auto then trains on all "
            "rows; results are then not reproducible")
            .must_be("a number above 0", [](double seconds) { return seconds > 0; })
            .default_is("any time"),
        option(arguments.depth, "depth", "N", "of policytree: levels of splits")
            .must_be("a whole number from 0 to 5", [](double n) { return n >= 0 && n <= 5; })
            .default_is("2"),
        option(arguments.split_step, "split-step", "N",
               "of policytree: rows between the cuts that are tried above the last two levels")
            .must_be("a whole number of 1 or more", [](double n) { return n >= 1; })
            .default_is("1 where that is within reach"),
        option(arguments.treatment_rows, "treatment-rows", "N",
               "of opt: rows that a treatment needs in a leaf to be prescribed there")
            .must_be("a whole number of 1 or more", [](double n) { return n >= 1; })
            .default_is(fmt::format("{}", OptimalTreeOptions{}.treatment_rows)),
        option(arguments.tuning_log, "tuning-log", "FILE", "of auto: a table (CSV) of what was tried"),
        option(arguments.rules, "rules", "FILE",
               "rules that every prescription keeps (docs/rules.md), and that training knows")
            .completes(Complete::file),
        choice(arguments.when_missing, {WhenMissing::apply, WhenMissing::skip}, "when-missing", "HOW",
               "a rule that a missing value leaves open applies, or is skipped")
            .default_is("apply"),
        choice(arguments.on_violation, {OnViolation::keep, OnViolation::error}, "on-violation", "HOW",
               "learn from rows whose treatment breaks a rule, or refuse them")
            .default_is("keep"),
        flag(arguments.big_m, "big-m",
             "keep rules in the paper's form, by a number added to outcomes that is large enough on the domain"),
        choice(arguments.fallback, {Fallback::best, Fallback::none}, "fallback", "WHICH",
               "if the learned policy is not shown to be better than current practice, write the safest policy "
               "(best; docs/support.md), or the learned one (none)")
            .default_is("best"),
        option(arguments.margin, "margin", "X",
               "gain over current practice, in units of the outcome, that a policy must exceed to be recommended")
            .must_be("a number of 0 or more", [](double margin) { return margin >= 0; })
            .default_is("0"),
        option(arguments.outcome_range, "outcome-range", "A,B",
               "the least and greatest possible outcome, which bound unsupported prescriptions")
            .default_is("0,1 for events, else the least and greatest observed"),
        flag(arguments.no_recommendation, "no-recommendation",
             "skip the comparison with current practice (it takes longer than training with --recipe fast)"),
        option(arguments.leaves, "leaves", "N", "distill the model into a tree of at most N leaves and write the tree")
            .must_be("a whole number of 1 or more", [](double n) { return n >= 1; })
            .default_is("the model as it is"),
        option(arguments.test_fraction, "test-fraction", "SHARE", "share of rows to hold out for polyrx evaluate")
            .must_be("a share from 0 to below 1", [](double share) { return share >= 0 && share < 1; }),
        option(arguments.test_file, "test-file", "FILE", "write the held-out rows there (CSV), with all columns")
            .completes(Complete::file),
        flag(arguments.no_row_sketch, "no-row-sketch",
             "keep no hashes of training rows in the model, by which evaluate recognizes them"),
        option(arguments.seed, "seed", "N", "the same seed gives the same bytes"),
        threads_option(arguments.threads),
        option(arguments.output, "output", "FILE", "the model file; - is standard output")
            .letter_is('o')
            .completes(Complete::file),
        flag(arguments.timings, "timings", "also say where the time went, stage by stage; --json always does"),
        flag(arguments.json, "json", "a summary for machines on standard output"),
        flag(arguments.quiet, "quiet", "say nothing on standard error but what is wrong").letter_is('q'),
    };
    const std::vector<Option> support = support_options(arguments.support);
    options.insert(options.end(), support.begin(), support.end());
    options.insert(options.end(), others.begin(), others.end());
    return options;
}

}  // namespace polyrx::cli
