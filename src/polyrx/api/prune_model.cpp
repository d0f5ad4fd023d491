// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/prune_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "polyrx/api/summary.hpp"
#include "polyrx/core/argmin_rows.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/encode/input_domain.hpp"
#include "polyrx/extract/cells/stable_neurons.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/policy_domain.hpp"

namespace polyrx {
namespace {

std::vector<Eigen::Index> widths_of(const ReluNetwork& network) {
    std::vector<Eigen::Index> widths = {network.inputs()};
    for (const Layer& layer : network.layers()) widths.push_back(layer.bias.size());
    return widths;
}

std::vector<StableNeurons> stable_lists(const NeuronStates& states) {
    std::vector<StableNeurons> lists;
    for (const auto& layer : states) {
        StableNeurons stable;
        for (std::size_t i = 0; i < layer.size(); ++i) {
            if (layer[i] == NeuronState::off) stable.off.push_back(i + 1);
            if (layer[i] == NeuronState::on) stable.on.push_back(i + 1);
        }
        lists.push_back(std::move(stable));
    }
    return lists;
}

std::size_t neuron_count(const std::vector<StableNeurons>& layers) {
    std::size_t sum = 0;
    for (const StableNeurons& layer : layers) sum += layer.off.size() + layer.on.size();
    return sum;
}

NetworkChange change_between(const ReluNetwork& before, const ReluNetwork& after, const Matrix& rows) {
    NetworkChange change;
    change.rows = static_cast<std::size_t>(rows.rows());
    if (change.rows == 0) return change;
    const Matrix ours = forward(before, rows);
    const Matrix theirs = forward(after, rows);
    const std::vector<int> prescribed = argmin_rows(ours);
    const std::vector<int> now = argmin_rows(theirs);
    for (std::size_t row = 0; row < prescribed.size(); ++row) {
        if (prescribed[row] != now[row]) {
            const auto at = static_cast<Eigen::Index>(row);
            ++change.prescriptions;
            change.margin = std::max(change.margin, ours(at, now[row]) - ours(at, prescribed[row]));
        }
    }
    change.outcome = (ours - theirs).cwiseAbs().maxCoeff();
    return change;
}

// Splits rows into those in the domain and the others.
std::pair<Matrix, Matrix> parted(const Matrix& rows, const Domain& domain) {
    std::vector<Eigen::Index> inside;
    std::vector<Eigen::Index> outside;
    for (Eigen::Index row = 0; row < rows.rows(); ++row)
        (contains(domain, rows.row(row).transpose()) ? inside : outside).push_back(row);
    return {rows(inside, Eigen::all), rows(outside, Eigen::all)};
}

std::string neurons_of(const std::vector<StableNeurons>& layers) {
    std::string words;
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const auto& [off, on] = layers[layer];
        if (off.empty() && on.empty()) continue;
        words += fmt::format("  layer {}:", layer + 1);
        if (!off.empty()) words += fmt::format(" off {}", fmt::join(off, ", "));
        if (!off.empty() && !on.empty()) words += ";";
        if (!on.empty()) words += fmt::format(" on {}", fmt::join(on, ", "));
        words += "\n";
    }
    return words;
}

// Neurons that are stable on the rows and not in `remove`. Adds them to `remove` if `remove_too`.
std::vector<StableNeurons> seen_only(const ReluNetwork& network, const Matrix& rows, NeuronStates& remove,
                                     bool remove_too) {
    NeuronStates seen = seen_states(network, rows);
    for (std::size_t layer = 0; layer < seen.size(); ++layer)
        for (std::size_t i = 0; i < seen[layer].size(); ++i) {
            if (remove[layer][i] != NeuronState::varies)
                seen[layer][i] = NeuronState::varies;
            else if (remove_too)
                remove[layer][i] = seen[layer][i];
        }
    return stable_lists(seen);
}

// Adds the original model and the pruning options to the provenance.
Provenance provenance_of(const Policy& policy, const PruneOptions& options, std::size_t rows) {
    Provenance provenance = policy.provenance;
    const auto set = [&](std::string name, std::string value) {
        std::erase_if(provenance.options, [&](const auto& option) { return option.first == name; });
        if (!value.empty()) provenance.options.emplace_back(std::move(name), std::move(value));
    };
    set("pruned-from", model_sha256(policy));
    set("pruned-domain", fmt::format("{}", fmt::join(options.domain, ",")));
    set("pruned-also-on-data", options.also_on_data ? fmt::format("{} rows", rows) : "");
    return provenance;
}

Json change_json(const NetworkChange& change) {
    return {{"rows", change.rows},
            {"prescriptions_changed", change.prescriptions},
            {"largest_outcome_difference", change.outcome}};
}

Json neurons_json(const StableNeurons& stable) {
    return {{"off", stable.off}, {"on", stable.on}};
}

}  // namespace

PrunedModel prune_model(const Policy& policy, const Table* rows, const PruneOptions& options,
                        const Progress& progress) {
    require_network(policy, "polyrx prune");
    const Domain domain = policy_domain(policy, parse_overrides(options.domain));
    const Matrix encoded = rows ? policy.encoder.encode(*rows) : Matrix(0, policy.network.inputs());
    PrunedModel pruned{.policy = policy, .also_on_data = options.also_on_data};
    NeuronStates remove = proved_states(policy.network, domain, progress);
    pruned.proved = stable_lists(remove);
    // Proofs hold on the domain, so only rows in it count as evidence. Other rows are only compared.
    const auto [inside, outside] = parted(encoded, domain);
    if (options.also_on_data && inside.rows() == 0)
        throw data_error(fmt::format("{}: no row is in the domain, so --also-on-data has nothing to go by",
                                     rows ? rows->source().name : "the data"));
    pruned.seen = inside.rows() > 0 ? seen_only(policy.network, inside, remove, options.also_on_data)
                                    : std::vector<StableNeurons>(pruned.proved.size());
    pruned.policy.provenance = provenance_of(policy, options, static_cast<std::size_t>(inside.rows()));
    pruned.policy.network = prune(policy.network, remove, domain);
    pruned.before = widths_of(policy.network);
    pruned.after = widths_of(pruned.policy.network);
    pruned.inside = change_between(policy.network, pruned.policy.network, inside);
    pruned.outside = change_between(policy.network, pruned.policy.network, outside);
    if (pruned.inside.prescriptions > 0)
        pruned.warnings.push_back(fmt::format("{} changed, where the old one was better by at most {:.2g}",
                                              counted(pruned.inside.prescriptions, "prescription"),
                                              pruned.inside.margin));
    return pruned;
}

std::string text_of(const PrunedModel& pruned) {
    std::string words = fmt::format("{:7} {:>8} {:>11} {:>10}", "layer", "neurons", "always off", "always on");
    const bool any_rows = pruned.inside.rows > 0;
    if (any_rows) words += fmt::format(" {:>12} {:>11}", "off on rows", "on on rows");
    words += "\n";
    for (std::size_t layer = 0; layer < pruned.proved.size(); ++layer) {
        words += fmt::format("{:<7} {:>8} {:>11} {:>10}", layer + 1, pruned.before[layer + 1],
                             pruned.proved[layer].off.size(), pruned.proved[layer].on.size());
        if (any_rows)
            words += fmt::format(" {:>12} {:>11}", pruned.seen[layer].off.size(), pruned.seen[layer].on.size());
        words += "\n";
    }
    words += fmt::format("network {} is now {}\n", fmt::join(pruned.before, "-"), fmt::join(pruned.after, "-"));
    if (neuron_count(pruned.seen) > 0)
        words += (pruned.also_on_data ? "removed though only the rows say so, which is exact on these rows only:\n"
                                      : "kept, since only the rows say so (--also-on-data removes them):\n") +
                 neurons_of(pruned.seen);
    if (any_rows)
        words += fmt::format("{} of the domain: {} changed, outcomes by at most {:.2g}\n",
                             counted(pruned.inside.rows, "row"), counted(pruned.inside.prescriptions, "prescription"),
                             pruned.inside.outcome);
    if (pruned.outside.rows > 0)
        words +=
            fmt::format("{} outside of the domain, of which nothing is claimed: {} changed\n",
                        counted(pruned.outside.rows, "row"), counted(pruned.outside.prescriptions, "prescription"));
    words.pop_back();
    return words;
}

Json json_of(const PrunedModel& pruned, const std::string& model) {
    Json layers = Json::array();
    for (std::size_t layer = 0; layer < pruned.proved.size(); ++layer)
        layers.push_back({{"neurons", pruned.before[layer + 1]},
                          {"proved", neurons_json(pruned.proved[layer])},
                          {"on_rows_only", neurons_json(pruned.seen[layer])}});
    return {{"model", model},
            {"widths_before", pruned.before},
            {"widths_after", pruned.after},
            {"layers", std::move(layers)},
            {"also_on_data", pruned.also_on_data},
            {"inside", change_json(pruned.inside)},
            {"outside", change_json(pruned.outside)}};
}

}  // namespace polyrx
