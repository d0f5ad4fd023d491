// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/learn/network_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"

namespace polyrx {

std::string_view name_of(OutcomeScale scale) {
    return scale == OutcomeScale::raw ? "raw" : "standardized";
}

void check_network_options(const NetworkOptions& options) {
    if (!(options.validation >= 0 && options.validation < 1))
        throw usage_error(fmt::format("the validation share must lie in 0..1, not {}", options.validation));
    if (options.batch < 1) throw usage_error("a batch needs at least one row");
    // Here too, because training sees the mu of the scaled outcome, which is not what the user wrote.
    if (!(options.mu >= 0 && options.mu <= 1))
        throw usage_error(fmt::format("mu must lie in 0..1, not {}", options.mu));
    if (options.balance != 0 && !(options.balance >= 1 && std::isfinite(options.balance)))
        throw usage_error(fmt::format("rows cannot count at most {} times", options.balance));
    if (options.restarts < 1) throw usage_error("a network is begun at least once");
    if (options.members < 1) throw usage_error("a policy needs at least one network");
}

// A small table is seen often enough to be learned, a huge one does not take all day.
int epochs_for(const NetworkOptions& options, std::size_t rows) {
    if (options.epochs) return *options.epochs;
    const double steps_per_epoch = std::ceil(static_cast<double>(rows) / options.batch);
    return static_cast<int>(std::clamp(std::round(options.steps / steps_per_epoch), 5.0, 200.0));
}

std::vector<std::pair<std::string, std::string>> spelled(const NetworkOptions& options, int epochs) {
    std::vector<std::pair<std::string, std::string>> list = {
        {"hidden", options.hidden.empty() ? "none" : fmt::format("{}", fmt::join(options.hidden, ","))},
        {"mu", fmt::format("{}", options.mu)},
        {"epochs", fmt::format("{}", epochs)},
        {"batch", fmt::format("{}", options.batch)},
        {"learning-rate", fmt::format("{}", options.learning_rate)},
        {"schedule", std::string(name_of(options.schedule))},
        {"weight-decay", fmt::format("{}", options.weight_decay)},
        {"outcome-scale", std::string(name_of(options.outcome_scale))},
        {"validation", fmt::format("{}", options.validation)},
        {"patience", fmt::format("{}", options.patience)},
    };
    if (options.effect_shrinkage > 0) {
        list.emplace_back("effect-shrinkage", fmt::format("{}", options.effect_shrinkage));
        list.emplace_back("shrink", name_of(options.shrunk));
    }
    if (options.effects.wanted()) {
        list.emplace_back("effect-share", fmt::format("{}", options.effects.share));
        list.emplace_back("effect-decay", fmt::format("{}", options.effects.decay));
    }
    if (options.balance > 0) list.emplace_back("balance", fmt::format("{}", options.balance));
    if (options.clip_gradient > 0) list.emplace_back("clip-gradient", fmt::format("{}", options.clip_gradient));
    if (options.members > 1) list.emplace_back("members", fmt::format("{}", options.members));
    if (options.members > 1 || options.bagged) list.emplace_back("bagged", options.bagged ? "yes" : "no");
    if (options.sparsity.weights_per_neuron > 0)
        list.emplace_back("weights-per-neuron", fmt::format("{}", options.sparsity.weights_per_neuron));
    if (options.sparsity.max_features > 0)
        list.emplace_back("max-features", fmt::format("{}", options.sparsity.max_features));
    if (options.sparsity.wanted()) list.emplace_back("sparsify", name_of(options.sparsity.how));
    if (options.restarts > 1) list.emplace_back("restarts", fmt::format("{}", options.restarts));
    return list;
}

}  // namespace polyrx
