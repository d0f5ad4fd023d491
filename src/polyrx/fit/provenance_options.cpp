// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/provenance_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <ranges>
#include <string_view>

namespace polyrx {
namespace {

using Options = std::span<const std::pair<std::string, std::string>>;

const std::string* find(Options options, std::string_view name) {
    const auto found = std::ranges::find(options, name, &std::pair<std::string, std::string>::first);
    return found == options.end() ? nullptr : &found->second;
}

template <class Number>
bool read(std::string_view text, Number& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

bool read(std::string_view text, std::optional<int>& value) {
    return read(text, value.emplace());
}

bool read(std::string_view text, bool& value) {
    value = text == "yes";
    return value || text == "no";
}

bool read(std::string_view text, std::vector<int>& widths) {
    widths.clear();
    if (text == "none") return true;
    for (const auto part : std::views::split(text, ','))
        if (!read(std::string_view(part.begin(), part.end()), widths.emplace_back())) return false;
    return !widths.empty();
}

template <class Enum>
bool read_name(std::string_view text, std::initializer_list<Enum> all, Enum& value) {
    for (const Enum each : all) {
        if (name_of(each) != text) continue;
        value = each;
        return true;
    }
    return false;
}

bool read(std::string_view text, Schedule& value) {
    return read_name(text, {Schedule::constant, Schedule::linear, Schedule::cosine}, value);
}
bool read(std::string_view text, OutcomeScale& value) {
    if (text == "standardised") text = "standardized";  // models of 0.1.0 are spelled this way
    return read_name(text, {OutcomeScale::raw, OutcomeScale::standardized}, value);
}
bool read(std::string_view text, ShrunkParts& value) {
    return read_name(text, {ShrunkParts::weights, ShrunkParts::weights_and_biases}, value);
}
bool read(std::string_view text, Sparsify& value) {
    return read_name(text, {Sparsify::gradual, Sparsify::paper}, value);
}

// "hidden 100,100 mu 0.0001 ..." as pairs; the last has no value if their number is odd, which nothing reads.
std::vector<std::pair<std::string, std::string>> pairs_in(std::string_view words) {
    std::vector<std::pair<std::string, std::string>> pairs;
    bool is_name = true;
    for (const auto part : std::views::split(words, ' ')) {
        const std::string word(part.begin(), part.end());
        if (is_name)
            pairs.emplace_back(word, "");
        else
            pairs.back().second = word;
        is_name = !is_name;
    }
    return pairs;
}

}  // namespace

std::optional<NetworkOptions> parse_network_options(Options options) {
    if (!find(options, "hidden")) return std::nullopt;
    NetworkOptions network;
    bool readable = true;
    const auto take = [&](std::string_view name, auto& value) {
        if (const std::string* text = find(options, name)) readable = read(*text, value) && readable;
    };
    take("hidden", network.hidden);
    take("mu", network.mu);
    take("epochs", network.epochs);
    take("batch", network.batch);
    take("learning-rate", network.learning_rate);
    take("schedule", network.schedule);
    take("weight-decay", network.weight_decay);
    take("outcome-scale", network.outcome_scale);
    take("validation", network.validation);
    take("patience", network.patience);
    take("effect-shrinkage", network.effect_shrinkage);
    take("shrink", network.shrunk);
    take("effect-share", network.effects.share);
    take("effect-decay", network.effects.decay);
    take("balance", network.balance);
    take("clip-gradient", network.clip_gradient);
    take("members", network.members);
    take("bagged", network.bagged);
    take("weights-per-neuron", network.sparsity.weights_per_neuron);
    take("max-features", network.sparsity.max_features);
    take("sparsify", network.sparsity.how);
    take("restarts", network.restarts);
    if (!readable) return std::nullopt;
    return network;
}

std::optional<std::vector<NetworkOptions>> network_options_of(const Provenance& provenance) {
    std::vector<NetworkOptions> networks;
    const auto add = [&](Options options) {
        const std::optional<NetworkOptions> network = parse_network_options(options);
        if (network) networks.push_back(*network);
        return network.has_value();
    };
    const auto chosen = [&](std::size_t number) { return find(provenance.options, fmt::format("chosen {}", number)); };
    if (!chosen(1)) {
        if (!add(provenance.options)) return std::nullopt;
        return networks;
    }
    for (std::size_t i = 1; const std::string* words = chosen(i); ++i)
        if (!add(pairs_in(*words))) return std::nullopt;
    return networks;
}

BaselineOptions baseline_options_of(const Provenance& provenance) {
    BaselineOptions options;
    options.policy_tree.split_step = 1;  // others are written down
    const auto take = [&](std::string_view name, auto& value) {
        auto number = value;
        if (const std::string* text = find(provenance.options, name); text && read(*text, number)) value = number;
    };
    take("max-depth", options.policy_tree.depth);
    take("leaf-rows", options.policy_tree.leaf_rows);
    take("split-step", options.policy_tree.split_step);
    take("restarts", options.optimal_tree.restarts);
    take("treatment-rows", options.optimal_tree.options.treatment_rows);
    return options;
}

}  // namespace polyrx
