// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/provenance_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ranges>
#include <string_view>

#include "polyrx/fit/fit.hpp"
#include "polyrx/fit/option_fields.hpp"

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

// Splits "hidden 100,100 mu 0.0001 ..." into pairs. If the number of words is odd, the last pair has no value, and no
// setting reads it.
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
    OptionTexts texts(options.begin(), options.end());
    for (auto& [name, text] : texts)
        if (name == "outcome-scale" && text == "standardised") text = "standardized";  // in models of version 0.1.0
    NetworkOptions network;
    if (!read_recorded(network_fields(), texts, network)) return std::nullopt;
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

std::optional<OutcomeRange> declared_range_of(const Provenance& provenance) {
    FitOptions options;
    if (const std::string* text = find(provenance.options, "outcome-range"))
        field_named(fit_fields(), "outcome-range").read(options, "outcome-range", *text);
    return options.outcome_range;
}

BaselineOptions baseline_options_of(const Provenance& provenance) {
    BaselineOptions options;
    options.policy_tree.split_step = 1;  // other values are recorded
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
