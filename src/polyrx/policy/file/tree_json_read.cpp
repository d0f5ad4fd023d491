// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/core/infinity.hpp"
#include "polyrx/core/json/json_cursor.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_file_parts.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "polyrx/tree/numbered_rules.hpp"

namespace polyrx {
namespace {

constexpr const char* format_name = "polyrx-tree";

// Reads a whole number from 0 to `end` - 1.
int index_in(const JsonCursor& json, std::int64_t end, std::string_view what) {
    const auto index = json.json().whole<std::int64_t>();
    if (!index || *index < 0 || *index >= end) json.fail(fmt::format("there is no such {}", what));
    return static_cast<int>(*index);
}

// ---- nodes

// Reads nodes and checks their numbers against the policy.
class NodeReader {
public:
    explicit NodeReader(const Policy& policy)
        : policy_(policy),
          inputs_(policy.network.inputs()),
          half_spaces_(NumberedRules(policy.rules.bound, static_cast<std::size_t>(policy.network.outputs()))
                           .half_spaces.size()) {}

    [[nodiscard]] Node node(const JsonCursor& json) const {
        Node node;
        if (json.has("split"))
            node.what = split(json);
        else
            node.what = leaf(json);
        node.rows = json.at("rows").whole<std::size_t>();
        return node;
    }

private:
    static constexpr std::int64_t most = std::numeric_limits<int>::max();

    [[nodiscard]] AffineFunction function(const JsonCursor& json) const {
        AffineFunction function{Vector::Zero(inputs_), json.at("constant").number()};
        int last = -1;
        for (const JsonCursor term : json.at("split").items()) {
            const JsonItems pair = term.items(2);
            const int input = index_in(pair[0], inputs_, "input");
            if (input <= last) term.fail("the inputs of a split are not in their order");
            function.weights[input] = pair[1].number();
            last = input;
        }
        return function;
    }

    // Numbered from 0. The output layer has outcomes, not neurons.
    [[nodiscard]] std::pair<int, int> neuron(const JsonCursor& json) const {
        const std::vector<Layer>& layers = policy_.network.layers();
        const JsonItems pair = json.items(2);
        const int layer = index_in(pair[0], static_cast<std::int64_t>(layers.size()) - 1, "hidden layer");
        return {layer, index_in(pair[1], layers[static_cast<std::size_t>(layer)].bias.size(), "neuron")};
    }

    [[nodiscard]] SplitOrigin of_two_treatments(SplitOrigin::Kind kind, const JsonCursor& json) const {
        const JsonItems pair = json.items(2);
        return {kind, treatment(pair[0]), treatment(pair[1])};
    }

    [[nodiscard]] SplitOrigin origin(const JsonCursor& json) const {
        if (const auto from = json.find("neuron")) {
            const auto [layer, index] = neuron(*from);
            return {SplitOrigin::Kind::neuron, layer, index};
        }
        if (const auto outcomes = json.find("outcomes"))
            return of_two_treatments(SplitOrigin::Kind::outcomes, *outcomes);
        if (const auto from = json.find("rule")) return {SplitOrigin::Kind::rule, rule(*from), 0};
        if (const auto support = json.find("support")) return of_two_treatments(SplitOrigin::Kind::support, *support);
        return {SplitOrigin::Kind::cut, index_in(json.at("cut"), inputs_, "input"), 0};
    }

    [[nodiscard]] int treatment(const JsonCursor& json) const {
        return index_in(json, policy_.network.outputs(), "treatment");
    }

    [[nodiscard]] int rule(const JsonCursor& json) const {
        return index_in(json, static_cast<std::int64_t>(policy_.rules.bound.rules().size()), "rule");
    }

    [[nodiscard]] Split split(const JsonCursor& json) const {
        return {function(json), json.at("guard").number(), origin(json.at("from")),
                index_in(json.at("yes"), most, "node"), index_in(json.at("no"), most, "node")};
    }

    [[nodiscard]] Leaf leaf(const JsonCursor& json) const {
        Leaf leaf;
        const JsonCursor label = json.at("label");
        if (json.at("treatment").json().is_null()) {
            if (policy_.rules.bound.empty()) json.fail("it has no treatment, and there is no rule that leaves none");
            if (!label.json().is_null()) json.fail("it has a label and no treatment");
            leaf.treatment = no_treatment;
        } else {
            leaf.treatment = treatment(json.at("treatment"));
            if (label.text_view() != policy_.treatments[static_cast<std::size_t>(leaf.treatment)])
                json.fail("its label is not that of its treatment");
        }
        if (const auto rules = json.find("rules"))
            for (const JsonCursor item : rules->items()) leaf.rules.push_back(rule(item));
        if (const auto unsupported = json.find("unsupported"))
            for (const JsonCursor item : unsupported->items()) leaf.unsupported.push_back(treatment(item));
        if (const auto inside = json.find("inside")) {
            const std::vector<double> point = inside->numbers();
            leaf.inside = Eigen::Map<const Vector>(point.data(), static_cast<Eigen::Index>(point.size()));
        }
        if (json.at("certified").truth()) leaf.certificate = certificate(json.at("certificate"));
        return leaf;
    }

    [[nodiscard]] static std::vector<Multiplier> multipliers(const JsonCursor& json) {
        std::vector<Multiplier> multipliers;
        for (const JsonCursor item : json.items()) {
            const JsonItems pair = item.items(2);
            multipliers.push_back({index_in(pair[0], most, "constraint"), pair[1].number()});
        }
        return multipliers;
    }

    [[nodiscard]] BoundProof bound(const JsonCursor& json) const {
        BoundProof bound;
        if (const auto of = json.find("neuron")) {
            bound.of = BoundProof::Of::neuron;
            std::tie(bound.layer, bound.index) = neuron(*of);
        } else if (const auto half_space = json.find("half_space")) {
            bound.of = BoundProof::Of::half_space;
            bound.index = index_in(*half_space, static_cast<std::int64_t>(half_spaces_), "half-space of a rule");
        } else {
            bound.index = index_in(json.at("input"), inputs_, "input");
        }
        bound.upper = json.has("upper");
        bound.multipliers = multipliers(json.at(bound.upper ? "upper" : "lower"));
        return bound;
    }

    [[nodiscard]] ProofStep step(const JsonCursor& json) const {
        ProofStep step;
        if (const auto bounds = json.find("bounds"))
            for (const JsonCursor item : bounds->items()) step.bounds.push_back(bound(item));
        if (const auto comparisons = json.find("comparisons"))
            for (const JsonCursor item : comparisons->items())
                step.comparisons.push_back({treatment(item.at("rival")), multipliers(item.at("multipliers"))});
        if (const auto cases = json.find("cases"))
            step.cases = Cases{function(*cases), index_in(cases->at("yes"), most, "step"),
                               index_in(cases->at("no"), most, "step")};
        return step;
    }

    [[nodiscard]] Certificate certificate(const JsonCursor& json) const {
        Certificate certificate;
        for (const JsonCursor item : json.at("steps").items()) certificate.steps.push_back(step(item));
        return certificate;
    }

    const Policy& policy_;
    Eigen::Index inputs_;
    std::size_t half_spaces_;  // number of half-spaces of the rules
};

// ---- the rest

Vector bounds_in(const JsonCursor& json, double infinite) {
    std::vector<double> bounds;
    for (const JsonCursor item : json.items()) bounds.push_back(item.json().is_null() ? infinite : item.number());
    return Eigen::Map<const Vector>(bounds.data(), static_cast<Eigen::Index>(bounds.size()));
}

Domain domain_in(const JsonCursor& json, Eigen::Index inputs) {
    Domain domain;
    domain.lower = bounds_in(json.at("lower"), -infinity);
    domain.upper = bounds_in(json.at("upper"), infinity);
    for (const JsonCursor item : json.at("integer").items()) domain.integer.push_back(item.truth() ? 1 : 0);
    if (domain.lower.size() != inputs || domain.upper.size() != inputs ||
        static_cast<Eigen::Index>(domain.integer.size()) != inputs)
        json.fail(fmt::format("the domain does not have {} inputs, as the model has", inputs));
    if (!(domain.lower.array() <= domain.upper.array()).all())
        json.fail("a lower bound of the domain is above its upper bound");
    std::vector<char> grouped(static_cast<std::size_t>(inputs));
    for (const JsonCursor group : json.at("groups").items()) {
        std::vector<Eigen::Index>& members = domain.groups.emplace_back();
        for (const JsonCursor item : group.items()) {
            const int input = index_in(item, inputs, "input");
            const auto at = static_cast<std::size_t>(input);
            if (grouped[at] || !domain.integer[at] || domain.lower[input] < 0 || domain.upper[input] > 1)
                item.fail("a group of the domain holds an input that is in another, or not a whole number in 0 to 1");
            grouped[at] = 1;
            members.push_back(input);
        }
    }
    return domain;
}

void check_inputs(const JsonCursor& json, const std::vector<EncodedColumn>& columns) {
    std::size_t input = 0;
    for (const JsonCursor item : json.items()) {
        if (input >= columns.size() || item.text_view() != columns[input].name)
            item.fail("the input is not named as the model names it");
        ++input;
    }
    if (input != columns.size()) json.fail("not every input of the model is named");
}

// Reads everything except the nodes.
TreePolicy read_head(JsonDocument& document, TreeReading trees) {
    const JsonCursor head = document.root();
    TreePolicy into;
    (void)head.at("model");
    into.policy = policy_in(std::move(document.json["model"]), document.name + ": model", trees);
    check_inputs(head.at("inputs"), into.policy.encoder.columns());

    Tree& tree = into.tree;
    const JsonCursor mode = head.at("mode");
    if (mode.text_view() != name_of(TreeMode::exact) && mode.text_view() != name_of(TreeMode::supported))
        mode.fail(fmt::format("{} is not a mode (exact, supported)", in_quotes(mode.text_view())));
    tree.mode = mode.text_view() == name_of(TreeMode::exact) ? TreeMode::exact : TreeMode::supported;
    tree.certified_share = head.at("certified_share").number();
    tree.rows = head.at("rows").whole<std::size_t>();
    tree.outside = head.at("outside").whole<std::size_t>();
    if (const JsonCursor fidelity = head.at("fidelity"); !fidelity.json().is_null()) tree.fidelity = fidelity.number();
    tree.held_out = head.at("held_out").whole<std::size_t>();
    tree.domain = domain_in(head.at("domain"), into.policy.network.inputs());
    return into;
}

// ---- the file

std::string not_a_tree(const std::string& name) {
    return name + ": not a polyrx tree";
}

void check_version(const JsonDocument& document) {
    const Json* format = document.json.find("format");
    if (format == nullptr || !format->is_text() || format->text() != format_name)
        throw data_error(not_a_tree(document.name));
    const JsonCursor json = document.root().at("format_version");
    const auto version = json.whole<std::int64_t>();
    if (version < 1) json.fail(fmt::format("there is no tree format {}", version));
    if (version > tree_format_version)
        throw data_error(fmt::format("{}: written by a newer polyrx (tree format {}; this program reads up to {})",
                                     document.name, version, tree_format_version));
}

// Throws an error that says how the file differs from a written one.
[[noreturn]] void explain(std::string_view bytes, const std::string& name) {
    const JsonDocument document{name, parse_json(bytes, not_a_tree(name), {.deepest_kept = 1})};
    check_version(document);
    throw data_error(fmt::format(
        "{}: the file was changed or damaged since it was written: its content does not match its checksum", name));
}

// Calls act(node) for each node.
template <class Act>
void for_each_node(std::string_view lines, const Policy& policy, const std::string& name, const Progress& progress,
                   const Act& act) {
    constexpr std::size_t between_reports = 1000;
    const auto whole = static_cast<double>(lines.size());
    const NodeReader reader(policy);
    for (std::size_t number = 0; !lines.empty(); ++number) {
        if (number % between_reports == 0)
            report(progress, 1 - static_cast<double>(lines.size()) / whole, fmt::format("reading {}", name));
        const std::size_t end = std::min(lines.find('\n'), lines.size() - 1);
        std::string_view line = lines.substr(0, end);
        lines.remove_prefix(end + 1);
        if (!lines.empty() && line.ends_with(',')) line.remove_suffix(1);
        const JsonDocument document = parse_json_document(line, fmt::format("{}: node {}", name, number));
        act(reader.node(document.root()));
    }
}

TreePolicy read_tree(std::string_view bytes, const std::string& name, const Progress& progress, TreeReading trees) {
    const auto parts = tree_file_parts(bytes);
    if (!parts) explain(bytes, name);
    const std::string text = std::string(parts->head) + "}";
    JsonDocument head{name, parse_json(text, not_a_tree(name), {.borrow_long_texts = true})};
    check_version(head);
    TreePolicy tree = read_head(head, trees);
    for_each_node(parts->nodes, tree.policy, name, progress, [&](Node node) {
        if (trees == TreeReading::kept) tree.tree.nodes.push_back(std::move(node));
    });
    if (trees == TreeReading::checked) return tree;
    try {
        check_well_formed(tree.tree, static_cast<int>(tree.policy.treatments.size()));
    } catch (const Error& error) {
        throw data_error(fmt::format("{}: {}", name, error.what()));
    }
    const JsonCursor root = head.root();
    if (root.at("leaves").whole<std::size_t>() != leaf_count(tree.tree) ||
        root.at("depth").whole<std::size_t>() != depth(tree.tree))
        root.fail("'leaves' or 'depth' is not that of its nodes");
    return tree;
}

}  // namespace

TreePolicy parse_tree_json(std::string_view bytes, const std::string& name, const Progress& progress) {
    return read_tree(bytes, name, progress, TreeReading::kept);
}

void check_tree_json(std::string_view bytes, const std::string& name) {
    (void)read_tree(bytes, name, {}, TreeReading::checked);
}

TreePolicy load_tree(const std::string& path, const Progress& progress) {
    const PolicyFile file = read_policy_file(path, progress);
    return parse_tree_json(file.bytes, file.name, progress);
}

}  // namespace polyrx
