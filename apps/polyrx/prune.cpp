// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain_option.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/extract/cells/stable_neurons.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/summary.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct PruneArguments {
    std::string model;
    std::string data;
    std::vector<std::string> domain;
    bool also_on_data = false;
    std::string output = "pruned.json";
    bool json = false;
    bool quiet = false;
};

// Neurons of one layer, counted from 1 as in the words of a tree.
struct Stable {
    std::vector<std::size_t> off;
    std::vector<std::size_t> on;
};

// How the pruned network differs from the original on some rows.
struct NetworkChange {
    std::size_t rows = 0;
    std::size_t prescriptions = 0;
    double outcome = 0;  // the largest difference
    double margin = 0;   // where the prescription changed: the most by which the old one was better
};

struct Pruned {
    ReluNetwork network;
    std::vector<Eigen::Index> before;  // widths, of inputs and outputs too
    std::vector<Eigen::Index> after;
    std::vector<Stable> proved;  // by layer
    std::vector<Stable> seen;    // so on the rows, and not proved
    NetworkChange inside;        // rows of the domain
    NetworkChange outside;
};

std::vector<Eigen::Index> widths_of(const ReluNetwork& network) {
    std::vector<Eigen::Index> widths = {network.inputs()};
    for (const Layer& layer : network.layers()) widths.push_back(layer.bias.size());
    return widths;
}

std::vector<Stable> list(const NeuronStates& states) {
    std::vector<Stable> lists;
    for (const auto& layer : states) {
        Stable stable;
        for (std::size_t i = 0; i < layer.size(); ++i) {
            if (layer[i] == NeuronState::off) stable.off.push_back(i + 1);
            if (layer[i] == NeuronState::on) stable.on.push_back(i + 1);
        }
        lists.push_back(std::move(stable));
    }
    return lists;
}

std::size_t count(const std::vector<Stable>& layers) {
    std::size_t sum = 0;
    for (const Stable& layer : layers) sum += layer.off.size() + layer.on.size();
    return sum;
}

NetworkChange compare(const ReluNetwork& before, const ReluNetwork& after, const Matrix& rows) {
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

// Rows of the domain, then the others.
std::pair<Matrix, Matrix> parted(const Matrix& rows, const Domain& domain) {
    std::vector<Eigen::Index> inside;
    std::vector<Eigen::Index> outside;
    for (Eigen::Index row = 0; row < rows.rows(); ++row)
        (contains(domain, rows.row(row).transpose()) ? inside : outside).push_back(row);
    return {rows(inside, Eigen::all), rows(outside, Eigen::all)};
}

Pruned prune(const Policy& policy, const Domain& domain, const Matrix& rows, bool also_on_data,
             const Progress& progress) {
    Pruned pruned;
    NeuronStates remove = proved_states(policy.network, domain, progress);
    pruned.proved = list(remove);
    // The claims that are proved are about rows of the domain: the others are compared, but nothing is learned from
    // them.
    const auto [inside, outside] = parted(rows, domain);
    if (inside.rows() > 0) {
        NeuronStates seen = seen_states(policy.network, inside);
        for (std::size_t layer = 0; layer < seen.size(); ++layer)
            for (std::size_t i = 0; i < seen[layer].size(); ++i) {
                if (remove[layer][i] != NeuronState::varies)
                    seen[layer][i] = NeuronState::varies;
                else if (also_on_data)
                    remove[layer][i] = seen[layer][i];
            }
        pruned.seen = list(seen);
    } else {
        pruned.seen.resize(pruned.proved.size());
    }
    pruned.network = polyrx::prune(policy.network, remove, domain);
    pruned.before = widths_of(policy.network);
    pruned.after = widths_of(pruned.network);
    pruned.inside = compare(policy.network, pruned.network, inside);
    pruned.outside = compare(policy.network, pruned.network, outside);
    return pruned;
}

std::string neurons_of(const std::vector<Stable>& layers) {
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

std::string prescriptions(std::size_t number) {
    return fmt::format("{} prescription{}", grouped(number), number == 1 ? "" : "s");
}

std::string rows_words(std::size_t number) {
    return fmt::format("{} row{}", grouped(number), number == 1 ? "" : "s");
}

// No line break at the end.
std::string summary(const Pruned& pruned, const PruneArguments& arguments) {
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
    if (count(pruned.seen) > 0)
        words += (arguments.also_on_data ? "removed though only the rows say so, which is exact on these rows only:\n"
                                         : "kept, since only the rows say so (--also-on-data removes them):\n") +
                 neurons_of(pruned.seen);
    if (any_rows)
        words +=
            fmt::format("{} of the domain: {} changed, outcomes by at most {:.2g}\n", rows_words(pruned.inside.rows),
                        prescriptions(pruned.inside.prescriptions), pruned.inside.outcome);
    if (pruned.outside.rows > 0)
        words += fmt::format("{} outside of the domain, of which nothing is claimed: {} changed\n",
                             rows_words(pruned.outside.rows), prescriptions(pruned.outside.prescriptions));
    words.pop_back();
    return words;
}

nlohmann::ordered_json to_json(const NetworkChange& change) {
    return {{"rows", change.rows},
            {"prescriptions_changed", change.prescriptions},
            {"largest_outcome_difference", change.outcome}};
}

nlohmann::ordered_json to_json(const Stable& stable) {
    return {{"off", stable.off}, {"on", stable.on}};
}

std::string json_summary(const Pruned& pruned, const PruneArguments& arguments) {
    nlohmann::ordered_json layers = nlohmann::ordered_json::array();
    for (std::size_t layer = 0; layer < pruned.proved.size(); ++layer)
        layers.push_back({{"neurons", pruned.before[layer + 1]},
                          {"proved", to_json(pruned.proved[layer])},
                          {"on_rows_only", to_json(pruned.seen[layer])}});
    const nlohmann::ordered_json json = {{"model", arguments.output},
                                         {"widths_before", pruned.before},
                                         {"widths_after", pruned.after},
                                         {"layers", std::move(layers)},
                                         {"also_on_data", arguments.also_on_data},
                                         {"inside", to_json(pruned.inside)},
                                         {"outside", to_json(pruned.outside)}};
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// Where the model came from, and from which model it was pruned; one that was pruned itself says so in its own file.
Provenance provenance_of(const Policy& policy, const Pruned& pruned, const PruneArguments& arguments) {
    Provenance provenance = policy.provenance;
    const auto set = [&](std::string name, std::string value) {
        std::erase_if(provenance.options, [&](const auto& option) { return option.first == name; });
        if (!value.empty()) provenance.options.emplace_back(std::move(name), std::move(value));
    };
    set("pruned-from", model_sha256(policy));
    set("pruned-domain", fmt::format("{}", fmt::join(arguments.domain, ",")));
    set("pruned-also-on-data", arguments.also_on_data ? fmt::format("{} rows", pruned.inside.rows) : "");
    return provenance;
}

void run(const PruneArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.model == "-" && arguments.data == "-")
        throw usage_error("only one of MODEL and --data can be standard input");
    if (arguments.json && is_standard_output(arguments.output))
        throw usage_error(fmt::format("--json and -o {} would both write to standard output", arguments.output));
    if (arguments.also_on_data && arguments.data.empty())
        throw usage_error("--also-on-data removes neurons that never change on some rows: name a file with --data");
    check_writable(arguments.output, {arguments.model, arguments.data});
    const Progress progress = terminal.progress();
    Policy policy = load_model(arguments.model, progress);
    repeat_recommendation(policy, terminal);
    require_network(policy, "polyrx prune");
    const Domain domain = domain_for(policy, arguments.domain);
    Matrix rows(0, policy.network.inputs());
    if (!arguments.data.empty()) {
        const Table data = parse_for(policy, read_data(arguments.data, progress), {}, progress);
        if (data.rows() == 0) throw data_error(fmt::format("{}: there are no rows", data.where()));
        rows = policy.encoder.encode(data);
    }
    const Pruned pruned = prune(policy, domain, rows, arguments.also_on_data, progress);
    if (arguments.also_on_data && pruned.inside.rows == 0)
        throw data_error(
            fmt::format("{}: no row is in the domain, so --also-on-data has nothing to go by", arguments.data));
    policy.provenance = provenance_of(policy, pruned, arguments);
    policy.network = pruned.network;
    Output output(arguments.output);
    output.write(polyrx::to_json(policy));
    output.commit();
    terminal.say(summary(pruned, arguments));
    if (!is_standard_output(arguments.output)) terminal.say(fmt::format("model {}", arguments.output));
    if (pruned.inside.prescriptions > 0)
        terminal.warn(fmt::format("{} changed, where the old one was better by at most {:.2g}",
                                  prescriptions(pruned.inside.prescriptions), pruned.inside.margin));
    if (arguments.json) Output("-").write(json_summary(pruned, arguments));
}

}  // namespace

Verb prune_verb() {
    const auto arguments = std::make_shared<PruneArguments>();
    Verb verb;
    verb.name = "prune";
    verb.summary = "remove neurons that are always active or always inactive";
    verb.description =
        "Removes neurons that are proved to be inactive on the whole domain, and folds those that are always active "
        "into the next layer where possible. The new model predicts the same outcomes on every row of the domain, up "
        "to rounding, but not necessarily outside of it. Neurons that never change on the rows of --data, but might "
        "elsewhere, are reported and kept. --also-on-data removes them too; the new model is then exact on these rows "
        "only.";
    verb.positionals = {positional(arguments->model, "MODEL", "model file").completes(Complete::file)};
    verb.options = {
        option(arguments->data, "data", "DATA.csv", "rows to compare both models on").completes(Complete::file),
        domain_option(arguments->domain),
        flag(arguments->also_on_data, "also-on-data", "also remove neurons that never change on the rows of --data"),
        output_option(arguments->output, "new model file"),
        json_option(arguments->json),
        quiet_option(arguments->quiet),
    };
    verb.example = {"polyrx prune model.json --data train.csv -o pruned.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
