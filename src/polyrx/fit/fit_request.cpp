// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/fit_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "polyrx/core/error.hpp"
#include "polyrx/fit/option_fields.hpp"
#include "polyrx/train/step/effect_block.hpp"

namespace polyrx {
namespace {

constexpr int restarts_of_sparse = 5;  // the initial weights decide which weights remain

// Sets the given fields in their order, so that a field may depend on earlier ones.
template <class Options>
void set_given(std::span<const OptionField<Options>> fields, const FitRequest& request, Options& options) {
    for (const OptionField<Options>& field : fields)
        for (const auto& [name, text] : request.given)
            if (name == field.name) field.read(options, "--" + name, text);
}

template <class Options>
void refuse_given(std::span<const OptionField<Options>> fields, const FitRequest& request, std::string_view why,
                  std::initializer_list<std::string_view> but = {}) {
    for (const OptionField<Options>& field : fields)
        if (request.has(field.name) && std::ranges::find(but, field.name) == but.end())
            throw usage_error(fmt::format("--{} {}", field.name, why));
}

bool searches_trees(Method method) {
    return name_of(method).starts_with("opt");
}

void refuse_what_does_nothing(const FitRequest& request, Method method, Recipe recipe) {
    if (method != Method::network) {
        const std::string why = fmt::format("is for networks, not for --method {}", name_of(method));
        if (request.recipe) throw usage_error(fmt::format("--recipe {}", why));
        // The method opt has its own `restarts`.
        if (searches_trees(method)) {
            refuse_given(network_fields(), request, why, {"restarts"});
            refuse_given(tuning_fields(), request, why, {"max-seconds"});
        } else {
            refuse_given(network_fields(), request, why);
            refuse_given(tuning_fields(), request, why);
        }
        if (request.has("big-m")) throw usage_error(fmt::format("--big-m {}", why));
    } else if (recipe != Recipe::tuned) {
        refuse_given(tuning_fields(), request, "is for --recipe auto");
    }
    if (method != Method::policytree)
        refuse_given(baseline_fields(), request, "is for --method policytree",
                     {"treatment-rows", "restarts", "max-seconds"});
    if (!searches_trees(method))
        refuse_given(baseline_fields(), request, "is for --method opt and its variants",
                     {"depth", "split-step", "restarts", "max-seconds"});
}

NetworkOptions with_given(NetworkOptions network, const FitRequest& request) {
    set_given(network_fields(), request, network);
    if (request.has("epochs")) network.steps = NetworkOptions().steps;  // steps have no effect if epochs are given
    // Drops the recipe's effect block if these layers cannot have one.
    if (!network.effects.wanted() || (!request.has("effect-share") && !can_be_parted(network.hidden)))
        network.effects = {};
    if (request.has("sparsify") && !network.sparsity.wanted())
        throw usage_error("--sparsify is for --weights-per-neuron or --max-features");
    if (!request.has("restarts") && network.sparsity.wanted() && network.sparsity.how == Sparsify::gradual)
        network.restarts = restarts_of_sparse;
    if (network.patience > 0 && network.validation_fraction == 0)
        throw usage_error(
            "--patience needs held-out rows to compute the validation loss: give --validation-fraction too");
    return network;
}

TuningPlan with_given(const TuningPlan& recipe, const FitRequest& request) {
    TuningPlan plan{.candidates = {}, .options = recipe.options};
    // Applies given settings to all candidates, and merges candidates that become equal.
    for (const NetworkOptions& candidate : recipe.candidates) {
        const NetworkOptions given = with_given(candidate, request);
        if (given.effects.wanted() && !can_be_parted(given.hidden)) continue;  // the linear network
        if (std::ranges::find(plan.candidates, given) == plan.candidates.end()) plan.candidates.push_back(given);
    }
    set_given(tuning_fields(), request, plan.options);
    return plan;
}

void set_networks(const FitRequest& request, FitOptions& options) {
    const bool has_layers = request.has("hidden");
    if (!request.recipe && has_layers) options.network.effects = {};
    NetworkOptions given;
    set_given(network_fields(), request, given);
    if (request.has("effect-share") && given.effects.wanted() && has_layers && !can_be_parted(given.hidden))
        throw usage_error("--effect-share needs hidden layers of two neurons or more");
    options.network = with_given(options.network, request);
    if (options.tuning) options.tuning = with_given(*options.tuning, request);
    const auto is_any = [&](const auto& suits) {
        return options.tuning ? std::ranges::any_of(options.tuning->candidates, suits) : suits(options.network);
    };
    if (request.has("effect-decay") && !is_any([](const NetworkOptions& network) { return network.effects.wanted(); }))
        throw usage_error("--effect-decay is for networks with --effect-share");
    if (request.has("shrink") && !is_any([](const NetworkOptions& network) { return network.effect_shrinkage > 0; }))
        throw usage_error("--shrink is for networks with --effect-shrinkage");
}

void set_rules(const FitRequest& request, FitOptions& options) {
    options.rules = request.rules;
    options.rules_source = request.rules_source;
    if (!options.rules.rules.empty()) return;
    for (const std::string_view name : {"when-missing", "on-violation", "big-m"})
        if (request.has(name))
            throw usage_error(fmt::format("--{} applies to rules: give a file of them with --rules FILE", name));
}

// Call before reading --support, which would turn support on.
void set_support(const FitRequest& request, FitOptions& options) {
    for (const auto& [name, text] : request.given)
        if (name == "beyond-support") field_named(fit_fields(), name).read(options, "--" + name, text);
    if (request.has("support") && !options.support)
        throw usage_error("--support is for --beyond-support avoid: this call prescribes beyond support");
}

void check_recommendation(const FitRequest& request) {
    if (request.recommend) return;
    for (const std::string_view name : {"fallback", "margin", "outcome-range"})
        if (request.has(name))
            throw usage_error(
                fmt::format("--{} is about the recommendation, which --no-recommendation leaves out", name));
}

}  // namespace

bool FitRequest::has(std::string_view name) const {
    return std::ranges::any_of(given, [&](const auto& each) { return each.first == name; });
}

FitOptions requested_options(const FitRequest& request) {
    // Given layers request one plain network, for example to read its tree. They do not request an average of eight
    // networks or a network with an effect block.
    const Recipe recipe = request.recipe.value_or(request.has("hidden") ? Recipe::fast : Recipe::tuned);
    FitOptions options = recipe_options(recipe);
    if (request.recommend) options.recommend.emplace();
    check_recommendation(request);
    set_support(request, options);
    set_given(fit_fields(), request, options);
    refuse_what_does_nothing(request, options.method, recipe);
    set_networks(request, options);
    if (options.method != Method::network) options.tuning.reset();
    set_given(baseline_fields(), request, options.baseline);
    if (request.has("split-step") && options.baseline.policy_tree.depth <= 2)
        throw usage_error("--split-step is for --depth 3 or more: the last two levels of splits try every cut");
    set_rules(request, options);
    return options;
}

}  // namespace polyrx
