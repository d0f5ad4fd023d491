// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/option_fields.hpp"

#include <fmt/format.h>

#include <cmath>

#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/fit/fit.hpp"

namespace polyrx {
namespace {

using NetworkField = OptionField<NetworkOptions>;
using TuningField = OptionField<TuningOptions>;
using BaselineField = OptionField<BaselineOptions>;
using FitField = OptionField<FitOptions>;

constexpr Allowed propensity_cap{"0, or a number of 1 or more", [](double n) { return n == 0 || n >= 1; }};
constexpr Allowed tree_depth{"a whole number from 0 to 5", [](double n) { return n >= 0 && n <= 5; }};

constexpr const char* restarts_help = "start each network, or each search of opt, N times; keep the best";
constexpr const char* max_seconds_help = "time limit in seconds; results may then not be reproducible";

template <class Field>
std::vector<Field> in_group(std::string_view group, std::vector<Field> fields) {
    for (Field& field : fields)
        if (field.group.empty()) field.group = group;
    return fields;
}

template <class Access>
NetworkField network_field(std::string name, Access access, std::string value, std::string help, Allowed range = {}) {
    return option_field<NetworkOptions>(std::move(name), access, std::move(value), std::move(help), range);
}

// The order of model files of version 0.1.0, followed by later fields.
std::vector<NetworkField> make_network_fields() {
    using N = NetworkOptions;
    const auto shrinks = [](const N& options) { return options.effect_shrinkage > 0; };
    const auto in_two_blocks = [](const N& options) { return options.effects.wanted(); };
    const auto is_sparse = [](const N& options) { return options.sparsity.wanted(); };
    const auto is_ensemble = [](const N& options) { return options.members > 1 || options.bagged; };
    const auto weights = [](auto& options) -> auto& { return options.sparsity.weights_per_neuron; };
    const auto features = [](auto& options) -> auto& { return options.sparsity.max_features; };
    return {
        network_field("hidden", &N::hidden, "WIDTHS", "hidden layers: 100,50 or 5x100 or none")
            .common()
            .always_recorded()
            .default_is("fast 3x100, paper 5x100"),
        network_field("mu", &N::mu, "X",
                      "weight of the policy's outcome in the loss; squared error has weight 1 - X (docs/method.md)",
                      allowed::from_0_to_1)
            .always_recorded()
            .default_is("0.0001"),
        network_field("epochs", &N::epochs, "N", "passes over the training rows", allowed::whole_from_1)
            .always_recorded()
            .default_is("as many as make about 6000 steps, from 5 to 200; paper 20"),
        network_field("batch", &N::batch, "N", "batch size", allowed::whole_from_1).always_recorded().default_is("64"),
        network_field("learning-rate", &N::learning_rate, "X", "learning rate of Adam", allowed::above_0)
            .always_recorded()
            .default_is("0.003; paper 0.001"),
        choice_field<N>("schedule", &N::schedule, std::vector{Schedule::constant, Schedule::linear, Schedule::cosine},
                        "NAME", "learning-rate schedule (linear and cosine decay to 0)")
            .always_recorded()
            .default_is("cosine; paper constant"),
        network_field("weight-decay", &N::weight_decay, "X", "decoupled weight decay (AdamW); biases have none",
                      allowed::from_0)
            .always_recorded()
            .default_is("auto chooses; fast 0.3, paper 0"),
        choice_field<N>("outcome-scale", &N::outcome_scale, std::vector{OutcomeScale::raw, OutcomeScale::standardized},
                        "HOW", "scale of the outcome in training; predictions are in the user's units either way")
            .always_recorded()
            .default_is("standardized; paper raw"),
        network_field("validation-fraction", &N::validation_fraction, "X",
                      "fraction of training rows to hold out for choosing the best epoch", allowed::fraction)
            .always_recorded()
            .formerly("validation")
            .default_is("0"),
        network_field("patience", &N::patience, "N", "stop after N epochs without a better validation loss (0 = off)",
                      allowed::whole_from_0)
            .always_recorded()
            .default_is("0"),
        network_field("effect-shrinkage", &N::effect_shrinkage, "X",
                      "shrink differences between treatments in the output layer (0 = off)", allowed::from_0)
            .recorded_if(shrinks)
            .default_is("auto chooses; else 0"),
        choice_field<N>("shrink", &N::shrunk, std::vector{ShrunkParts::weights, ShrunkParts::weights_and_biases},
                        "WHAT", "what --effect-shrinkage applies to in the output layer")
            .recorded_if(shrinks)
            .default_is("weights+biases"),
        network_field(
            "effect-share", [](auto& options) -> auto& { return options.effects.share; }, "X",
            "fraction of each hidden layer reserved for treatment effects (0 = none)", allowed::fraction)
            .recorded_if(in_two_blocks)
            .default_is("auto chooses; fast 0.5; paper, and with --hidden alone, 0"),
        network_field(
            "effect-decay", [](auto& options) -> auto& { return options.effects.decay; }, "X",
            "extra weight decay of neurons reserved for treatment effects", allowed::from_0)
            .recorded_if(in_two_blocks)
            .default_is("auto chooses; fast 0.5; paper, and with --hidden alone, 0"),
        network_field("balance", &N::balance, "N", "weight rows by inverse propensity, capped at N (0 = off)",
                      propensity_cap)
            .default_is("auto chooses; else 0"),
        network_field("clip-gradient", &N::clip_gradient, "X", "clip the gradient norm to X (0 = off)", allowed::from_0)
            .default_is("0"),
        network_field("members", &N::members, "N", "average an ensemble of N networks trained from different seeds",
                      allowed::whole_from_1)
            .default_is("1"),
        network_field("bagged", &N::bagged, "", "train each network of the ensemble on a bootstrap sample of the rows")
            .recorded_if(is_ensemble),
        network_field(
            "weights-per-neuron", weights, "N",
            "number of nonzero incoming weights of each hidden neuron; a split of a tree then has at most N terms",
            allowed::whole_from_1)
            .default_is("all"),
        network_field("max-features", features, "N", "use only N inputs in each network", allowed::whole_from_1)
            .default_is("all"),
        choice_field<N>(
            "sparsify", [](auto& options) -> auto& { return options.sparsity.how; },
            std::vector{Sparsify::gradual, Sparsify::paper}, "HOW",
            "how weights are pruned: gradually during training, or after every step (paper, Section 5.3)")
            .recorded_if(is_sparse)
            .default_is("gradual"),
        network_field("restarts", &N::restarts, "N", restarts_help, allowed::whole_from_1)
            .default_is("1; 5 if pruned gradually; opt and opt-l 100; opt-h and opt-hl 20"),
        network_field("retries", &N::retries, "N",
                      "retry a run that diverges up to N times, each with a third of the learning rate",
                      allowed::whole_from_0)
            .default_is("3; paper 0"),
    };
}

std::vector<TuningField> make_tuning_fields() {
    using T = TuningOptions;
    return {
        choice_field<T>("criterion", &T::criterion,
                        std::vector{TuningCriterion::weighted_error, TuningCriterion::error, TuningCriterion::contrast,
                                    TuningCriterion::value},
                        "NAME", "criterion that compares settings on held-out rows (docs/tuning.md)")
            .always_recorded()
            .default_is("weighted-error"),
        option_field<T>("candidates", &T::candidates, "N", "number of settings to try", allowed::whole_from_1)
            .never_recorded()  // the model has the number that was tried
            .default_is(fmt::format("{}", recipe_options(Recipe::tuned).tuning->candidates.size())),
        option_field<T>("averaged", &T::averaged, "N", "number of networks to average", allowed::whole_from_1)
            .default_is(option_text(T{}.averaged)),
        option_field<T>("folds", &T::folds, "N", "number of cross-validation folds", allowed::whole_from_2)
            .default_is(option_text(T{}.folds)),
        option_field<T>("max-seconds", &T::max_seconds, "S", max_seconds_help, allowed::above_0)
            .never_recorded()  // unless time ran out, which only the fit knows
            .default_is("none"),
    };
}

std::vector<BaselineField> make_baseline_fields() {
    using B = BaselineOptions;
    std::vector<BaselineField> fields = {
        option_field<B>(
            "depth", [](auto& options) -> auto& { return options.policy_tree.depth; }, "N",
            "maximum depth of the tree of --method policytree", tree_depth)
            .default_is(option_text(PolicyTreeOptions{}.depth)),
        option_field<B>(
            "split-step", [](auto& options) -> auto& { return options.policy_tree.split_step; }, "N",
            "minimum number of rows between the cuts of --method policytree, except in its last two levels",
            allowed::whole_from_1)
            .default_is("1, or as large as needed for a search of minutes"),
        option_field<B>(
            "treatment-rows", [](auto& options) -> auto& { return options.optimal_tree.options.treatment_rows; }, "N",
            "minimum number of rows of a treatment in a leaf of --method opt that prescribes it", allowed::whole_from_1)
            .default_is(option_text(OptimalTreeOptions{}.treatment_rows)),
        option_field<B>(
            "restarts", [](auto& options) -> auto& { return options.optimal_tree.restarts; }, "N", restarts_help,
            allowed::whole_from_1),
        option_field<B>(
            "max-seconds", [](auto& options) -> auto& { return options.optimal_tree.max_seconds; }, "S",
            max_seconds_help, allowed::above_0),
    };
    return fields;
}

// Whether treatments without support are prescribed; stored in the same number as epsilon.
FitField beyond_support_field() {
    FitField field;
    field.name = "beyond-support";
    field.value = "HOW";
    field.help = "treatments that similar rows hardly ever received: avoid or extrapolate (docs/support.md)";
    field.choices = {std::string(name_of(BeyondSupport::avoid)), std::string(name_of(BeyondSupport::extrapolate))};
    field.read = [choices = field.choices](FitOptions& options, std::string_view shown, std::string_view text) {
        if (text == name_of(BeyondSupport::avoid))
            options.support = options.support.value_or(default_epsilon);
        else if (text == name_of(BeyondSupport::extrapolate))
            options.support.reset();
        else
            refuse_choice(shown, text, choices);
    };
    field.write = [](const FitOptions& options) {
        return std::string(name_of(options.support ? BeyondSupport::avoid : BeyondSupport::extrapolate));
    };
    field.number = [](const FitOptions&) { return std::optional<double>(); };
    // If not recorded, as in models of earlier versions, the policy extrapolates.
    field.is_recorded = [](const FitOptions& options) { return options.support.has_value(); };
    return std::move(field).default_is("avoid; recipe paper extrapolate").common();
}

FitField outcome_range_field() {
    FitField field;
    field.name = "outcome-range";
    field.value = "A,B";
    field.help = "smallest and largest possible outcome, used to bound the value of unsupported prescriptions";
    field.default_text = "0,1 for a 0/1 outcome, else the smallest and largest observed";
    field.read = [](FitOptions& options, std::string_view shown, std::string_view text) {
        const std::size_t comma = text.find(',');
        const std::optional<double> least = parse_number(trimmed(text.substr(0, comma)));
        const std::optional<double> greatest =
            comma == std::string_view::npos ? std::nullopt : parse_number(trimmed(text.substr(comma + 1)));
        const auto is_finite = [](const std::optional<double>& number) { return number && std::isfinite(*number); };
        if (!is_finite(least) || !is_finite(greatest) || !(*least < *greatest))
            throw usage_error(fmt::format(
                "{} {}: expected two numbers A,B with A below B, the smallest and the largest possible outcome", shown,
                text));
        options.outcome_range = OutcomeRange{*least, *greatest, RangeOrigin::declared};
    };
    field.write = [](const FitOptions& options) {
        const auto& range = options.outcome_range;
        return range ? fmt::format("{},{}", range->least, range->greatest) : std::string();
    };
    field.number = [](const FitOptions&) { return std::optional<double>(); };
    field.is_recorded = [](const FitOptions& options) { return options.outcome_range.has_value(); };
    return field;
}

// A field of the recommendation, if there is one.
template <class Field>
FitField of_recommendation(const OptionField<RecommendOptions>& field, Field is_recorded) {
    FitField lifted;
    lifted.name = field.name;
    lifted.value = field.value;
    lifted.help = field.help;
    lifted.default_text = field.default_text;
    lifted.choices = field.choices;
    lifted.allowed = field.allowed;
    lifted.is_common = field.is_common;
    lifted.read = [read = field.read](FitOptions& options, std::string_view shown, std::string_view text) {
        if (!options.recommend) options.recommend.emplace();
        read(*options.recommend, shown, text);
    };
    lifted.write = [write = field.write](const FitOptions& options) {
        return options.recommend ? write(*options.recommend) : std::string();
    };
    lifted.number = [number = field.number](const FitOptions& options) {
        return options.recommend ? number(*options.recommend) : std::nullopt;
    };
    lifted.is_recorded = is_recorded;
    return lifted;
}

std::vector<FitField> make_fit_fields() {
    using F = FitOptions;
    const auto has_rules = [](const F& options) { return !options.rules.rules.empty(); };
    std::vector<FitField> fields = in_group<FitField>(
        option_group::policy,
        {
            choice_field<F>("method", &F::method, all_methods(), "NAME",
                            "network, or a baseline such as rc-rf, cf or policytree (docs/baselines.md)")
                .common()
                .default_is("network")
                .recorded_if([](const F& options) { return options.method != Method::network; }),
            choice_field<F>("objective", &F::objective, std::vector{Objective::min, Objective::max}, "WHICH",
                            "whether to minimize or maximize the outcome")
                .in(option_group::data)
                .common()
                .default_is("min")
                .never_recorded(),  // the model stores it
        });
    const std::vector<FitField> support = in_group<FitField>(
        option_group::support,
        {
            choice_field<F>(
                "when-missing", &F::when_missing, std::vector{WhenMissing::apply, WhenMissing::skip}, "HOW",
                "whether to apply or skip a rule or claim whose condition is unknown because of missing values")
                .recorded_if(has_rules)
                .default_is("apply"),
            choice_field<F>("on-violation", &F::on_violation, std::vector{OnViolation::keep, OnViolation::error}, "HOW",
                            "training rows whose treatment breaks a rule: learn from them, or stop with an error")
                .recorded_if(has_rules)
                .default_is("keep"),
            option_field<F>("big-m", &F::big_m, "",
                            "enforce rules by a penalty on predicted outcomes, as in the paper")
                .never_recorded(),  // the model's rules store it
            beyond_support_field(),
            option_field<F>("support", &F::support, "EPSILON",
                            "a treatment is supported if its propensity is at least EPSILON times the highest",
                            allowed::between_0_and_1)
                .recorded_if([](const F& options) { return options.support.has_value(); })
                .default_is(option_text(default_epsilon)),
            of_recommendation(
                choice_field<RecommendOptions>("fallback", &RecommendOptions::fallback,
                                               std::vector{Fallback::best, Fallback::none}, "WHICH",
                                               "policy to write if the learned one is not recommended: the one whose "
                                               "gain has the largest lower bound (best), or the learned one (none)")
                    .default_is("best"),
                [](const F&) { return false; }),  // the model stores which policy it has
            of_recommendation(option_field<RecommendOptions>(
                                  "margin", &RecommendOptions::margin, "X",
                                  "recommend a policy only if its gain over current practice exceeds X outcome units",
                                  allowed::from_0)
                                  .default_is("0"),
                              [](const F& options) { return options.recommend && options.recommend->margin != 0; }),
            outcome_range_field(),
        });
    const std::vector<FitField> output = in_group<FitField>(
        option_group::output,
        {
            option_field<F>("test-fraction", &F::test_fraction, "X", "fraction of rows to hold out for polyrx evaluate",
                            allowed::fraction)
                .common()
                .never_recorded()  // stored next to the options, with the method of splitting rows
                .default_is("0"),
            option_field<F>("row-sketch", &F::row_sketch, "",
                            "keep hashes of training rows, so that evaluate recognizes them")
                .never_recorded(),
            option_field<F>("seed", &F::seed, "N", "random seed; the same seed gives the same results")
                .common()
                .never_recorded()  // stored next to the options
                .default_is("1"),
            option_field<F>("threads", &F::threads, "N", "number of threads (0 = all cores); does not affect results",
                            allowed::whole_from_0)
                .common()
                .never_recorded()
                .default_is("0"),
        });
    fields.insert(fields.end(), support.begin(), support.end());
    fields.insert(fields.end(), output.begin(), output.end());
    return fields;
}

}  // namespace

std::span<const NetworkField> network_fields() {
    static const std::vector<NetworkField> fields = in_group(option_group::network, make_network_fields());
    return fields;
}

std::span<const TuningField> tuning_fields() {
    static const std::vector<TuningField> fields = in_group(option_group::tuning, make_tuning_fields());
    return fields;
}

std::span<const BaselineField> baseline_fields() {
    static const std::vector<BaselineField> fields = in_group(option_group::tuning, make_baseline_fields());
    return fields;
}

std::span<const FitField> fit_fields() {
    static const std::vector<FitField> fields = make_fit_fields();
    return fields;
}

}  // namespace polyrx
