// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "polyrx/core/error.hpp"
#include "polyrx/core/infinity.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_file_parts.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "polyrx/tree/numbered_rules.hpp"

namespace polyrx {
namespace {

using Json = nlohmann::json;

constexpr const char* format_name = "polyrx-tree";

// A value of the file, and where it stands, to begin messages with.
class Value {
public:
    Value(const Json& json, const std::string& place) : json_(json), place_(place) {}

    [[noreturn]] void fail(std::string_view what) const { throw data_error(fmt::format("{}: {}", place_, what)); }

    [[nodiscard]] bool has(const char* key) const { return json_.is_object() && json_.contains(key); }
    [[nodiscard]] bool is_null() const { return json_.is_null(); }
    [[nodiscard]] const Json& json() const { return json_; }

    [[nodiscard]] Value at(const char* key) const {
        if (!json_.is_object()) fail("an object was expected");
        const auto found = json_.find(key);
        if (found == json_.end()) fail(fmt::format("'{}' is missing", key));
        return {*found, place_};
    }

    [[nodiscard]] double number() const {
        if (!json_.is_number()) fail("a number was expected");
        return json_.get<double>();
    }

    // A whole number of 0 or more, below `end`.
    [[nodiscard]] int index(std::int64_t end, std::string_view what) const {
        if (!json_.is_number_integer() || json_.get<std::int64_t>() < 0 || json_.get<std::int64_t>() >= end)
            fail(fmt::format("there is no such {}", what));
        return json_.get<int>();
    }

    [[nodiscard]] std::size_t count() const {
        if (!json_.is_number_unsigned()) fail("a number of rows was expected");
        return json_.get<std::size_t>();
    }

    [[nodiscard]] bool truth() const {
        if (!json_.is_boolean()) fail("true or false was expected");
        return json_.get<bool>();
    }

    [[nodiscard]] std::string text() const {
        if (!json_.is_string()) fail("a text was expected");
        return json_.get<std::string>();
    }

    // Calls read(value) for each item of a list.
    template <class Read>
    void each(const Read& read) const {
        if (!json_.is_array()) fail("a list was expected");
        for (const Json& item : json_) read(Value(item, place_));
    }

    // The two items of a pair.
    [[nodiscard]] std::pair<Value, Value> pair() const {
        if (!json_.is_array() || json_.size() != 2) fail("a list of two was expected");
        return {Value(json_[0], place_), Value(json_[1], place_)};
    }

private:
    const Json& json_;
    const std::string& place_;  // of the caller, who outlives this
};

// ---- nodes

// What a node's numbers must keep to.
class NodeReader {
public:
    explicit NodeReader(const Policy& policy)
        : policy_(policy),
          inputs_(policy.network.inputs()),
          half_spaces_(NumberedRules(policy.rules.bound, static_cast<std::size_t>(policy.network.outputs()))
                           .half_spaces.size()) {}

    [[nodiscard]] Node node(const Value& value) const {
        Node node;
        if (value.has("split"))
            node.what = split(value);
        else
            node.what = leaf(value);
        node.rows = value.at("rows").count();
        return node;
    }

private:
    static constexpr std::int64_t most = std::numeric_limits<int>::max();

    [[nodiscard]] AffineFunction function(const Value& value) const {
        AffineFunction function{Vector::Zero(inputs_), value.at("constant").number()};
        int last = -1;
        value.at("split").each([&](const Value& term) {
            const auto [input, weight] = term.pair();
            const int at = input.index(inputs_, "input");
            if (at <= last) term.fail("the inputs of a split are not in their order");
            function.weights[at] = weight.number();
            last = at;
        });
        return function;
    }

    // Counted from 0; the output layer has outcomes, not neurons.
    [[nodiscard]] std::pair<int, int> neuron(const Value& value) const {
        const std::vector<Layer>& layers = policy_.network.layers();
        const auto [layer, index] = value.pair();
        const int at = layer.index(static_cast<std::int64_t>(layers.size()) - 1, "hidden layer");
        return {at, index.index(layers[static_cast<std::size_t>(at)].bias.size(), "neuron")};
    }

    [[nodiscard]] SplitOrigin origin(const Value& value) const {
        if (value.has("neuron")) {
            const auto [layer, index] = neuron(value.at("neuron"));
            return {SplitOrigin::Kind::neuron, layer, index};
        }
        if (value.has("outcomes")) {
            const auto [a, b] = value.at("outcomes").pair();
            return {SplitOrigin::Kind::outcomes, treatment(a), treatment(b)};
        }
        if (value.has("rule")) return {SplitOrigin::Kind::rule, rule(value.at("rule")), 0};
        if (value.has("support")) {
            const auto [treatment_of, instead] = value.at("support").pair();
            return {SplitOrigin::Kind::support, treatment(treatment_of), treatment(instead)};
        }
        return {SplitOrigin::Kind::cut, value.at("cut").index(inputs_, "input"), 0};
    }

    [[nodiscard]] int treatment(const Value& value) const {
        return value.index(policy_.network.outputs(), "treatment");
    }

    [[nodiscard]] int rule(const Value& value) const {
        return value.index(static_cast<std::int64_t>(policy_.rules.bound.rules().size()), "rule");
    }

    [[nodiscard]] Split split(const Value& value) const {
        return {function(value), value.at("guard").number(), origin(value.at("from")),
                value.at("yes").index(most, "node"), value.at("no").index(most, "node")};
    }

    [[nodiscard]] Leaf leaf(const Value& value) const {
        Leaf leaf;
        if (value.at("treatment").is_null()) {
            if (policy_.rules.bound.empty()) value.fail("it has no treatment, and there is no rule that leaves none");
            if (!value.at("label").is_null()) value.fail("it has a label and no treatment");
            leaf.treatment = no_treatment;
        } else {
            leaf.treatment = treatment(value.at("treatment"));
            if (value.at("label").text() != policy_.treatments[static_cast<std::size_t>(leaf.treatment)])
                value.fail("its label is not that of its treatment");
        }
        if (value.has("rules")) value.at("rules").each([&](const Value& item) { leaf.rules.push_back(rule(item)); });
        if (value.has("unsupported"))
            value.at("unsupported").each([&](const Value& item) { leaf.unsupported.push_back(treatment(item)); });
        if (value.has("inside")) {
            std::vector<double> point;
            value.at("inside").each([&](const Value& item) { point.push_back(item.number()); });
            leaf.inside = Eigen::Map<const Vector>(point.data(), static_cast<Eigen::Index>(point.size()));
        }
        if (value.at("certified").truth()) leaf.certificate = certificate(value.at("certificate"));
        return leaf;
    }

    [[nodiscard]] static std::vector<Multiplier> multipliers(const Value& value) {
        std::vector<Multiplier> multipliers;
        value.each([&](const Value& item) {
            const auto [constraint, multiplier] = item.pair();
            multipliers.push_back({constraint.index(most, "constraint"), multiplier.number()});
        });
        return multipliers;
    }

    [[nodiscard]] BoundProof bound(const Value& value) const {
        BoundProof bound;
        if (value.has("neuron")) {
            bound.of = BoundProof::Of::neuron;
            std::tie(bound.layer, bound.index) = neuron(value.at("neuron"));
        } else if (value.has("half_space")) {
            bound.of = BoundProof::Of::half_space;
            bound.index = value.at("half_space").index(static_cast<std::int64_t>(half_spaces_), "half-space of a rule");
        } else {
            bound.index = value.at("input").index(inputs_, "input");
        }
        bound.upper = value.has("upper");
        bound.multipliers = multipliers(value.at(bound.upper ? "upper" : "lower"));
        return bound;
    }

    [[nodiscard]] Certificate certificate(const Value& value) const {
        Certificate certificate;
        value.at("steps").each([&](const Value& item) {
            ProofStep& step = certificate.steps.emplace_back();
            if (item.has("bounds")) item.at("bounds").each([&](const Value& b) { step.bounds.push_back(bound(b)); });
            if (item.has("comparisons"))
                item.at("comparisons").each([&](const Value& c) {
                    step.comparisons.push_back({treatment(c.at("rival")), multipliers(c.at("multipliers"))});
                });
            if (!item.has("cases")) return;
            const Value cases = item.at("cases");
            step.cases =
                Cases{function(cases), cases.at("yes").index(most, "step"), cases.at("no").index(most, "step")};
        });
        return certificate;
    }

    const Policy& policy_;
    Eigen::Index inputs_;
    std::size_t half_spaces_;  // of the rules
};

// ---- the rest

Vector bounds_of(const Value& value, double infinite) {
    std::vector<double> bounds;
    value.each([&](const Value& item) { bounds.push_back(item.is_null() ? infinite : item.number()); });
    return Eigen::Map<const Vector>(bounds.data(), static_cast<Eigen::Index>(bounds.size()));
}

Domain domain_in(const Value& value, Eigen::Index inputs) {
    Domain domain;
    domain.lower = bounds_of(value.at("lower"), -infinity);
    domain.upper = bounds_of(value.at("upper"), infinity);
    value.at("integer").each([&](const Value& item) { domain.integer.push_back(item.truth() ? 1 : 0); });
    if (domain.lower.size() != inputs || domain.upper.size() != inputs ||
        static_cast<Eigen::Index>(domain.integer.size()) != inputs)
        value.fail(fmt::format("the domain does not have {} inputs, as the model has", inputs));
    if (!(domain.lower.array() <= domain.upper.array()).all())
        value.fail("a lower bound of the domain is above its upper bound");
    std::vector<char> grouped(static_cast<std::size_t>(inputs));
    value.at("groups").each([&](const Value& group) {
        std::vector<Eigen::Index>& members = domain.groups.emplace_back();
        group.each([&](const Value& item) {
            const int input = item.index(inputs, "input");
            const auto at = static_cast<std::size_t>(input);
            if (grouped[at] || !domain.integer[at] || domain.lower[input] < 0 || domain.upper[input] > 1)
                item.fail("a group of the domain holds an input that is in another, or not a whole number in 0 to 1");
            grouped[at] = 1;
            members.push_back(input);
        });
    });
    return domain;
}

void read_head(const Value& head, TreePolicy& into, const std::string& name) {
    into.policy = parse_model(head.at("model").json().dump(), name + ": model");
    const std::vector<EncodedColumn>& columns = into.policy.encoder.columns();
    std::size_t input = 0;
    head.at("inputs").each([&](const Value& item) {
        if (input >= columns.size() || item.text() != columns[input].name)
            item.fail(fmt::format("input {} is not named as the model names it", input));
        ++input;
    });
    if (input != columns.size()) head.fail("'inputs' does not name every input of the model");

    Tree& tree = into.tree;
    const std::string mode = head.at("mode").text();
    if (mode != name_of(TreeMode::exact) && mode != name_of(TreeMode::supported))
        head.fail(fmt::format("'{}' is not a mode (exact, supported)", mode));
    tree.mode = mode == name_of(TreeMode::exact) ? TreeMode::exact : TreeMode::supported;
    tree.certified_share = head.at("certified_share").number();
    tree.rows = head.at("rows").count();
    tree.outside = head.at("outside").count();
    if (const Value fidelity = head.at("fidelity"); !fidelity.is_null()) tree.fidelity = fidelity.number();
    tree.held_out = head.at("held_out").count();
    tree.domain = domain_in(head.at("domain"), into.policy.network.inputs());
}

// ---- the file

// Writing a document recurses into it, so a file of a million brackets must not get that far.
constexpr int deepest_tree = 24;

// The document without what is deeper than this.
Json parse_down_to(int depth, std::string_view text) {
    return Json::parse(text, [depth](int at, Json::parse_event_t, Json&) { return at <= depth; });
}

void check_version(const Json& document, const std::string& name) {
    const std::string not_a_tree = fmt::format("{}: not a polyrx tree", name);
    if (!document.is_object() || !document.contains("format") || document["format"] != format_name)
        throw data_error(not_a_tree);
    const auto version = document.find("format_version");
    if (version == document.end() || !version->is_number_integer() || version->get<std::int64_t>() < 1)
        throw data_error(fmt::format("{}: 'format_version' is not one that there is", name));
    if (version->get<std::int64_t>() > tree_format_version)
        throw data_error(fmt::format("{}: written by a newer polyrx (tree format {}; this program reads up to {})",
                                     name, version->get<std::int64_t>(), tree_format_version));
}

// What is wrong with a file that is not as it was written.
[[noreturn]] void explain(std::string_view bytes, const std::string& name) {
    Json document;
    try {
        document = parse_down_to(1, bytes);
    } catch (const Json::exception&) {
        throw data_error(fmt::format("{}: not a polyrx tree: it is not JSON, or was cut short", name));
    }
    check_version(document, name);
    throw data_error(fmt::format(
        "{}: the file was changed or damaged since it was written: its content does not match its checksum", name));
}

std::vector<Node> read_nodes(std::string_view lines, const Policy& policy, const std::string& name,
                             const Progress& progress) {
    constexpr std::size_t between_reports = 1000;
    const auto whole = static_cast<double>(lines.size());
    const NodeReader reader(policy);
    std::vector<Node> nodes;
    while (!lines.empty()) {
        if (nodes.size() % between_reports == 0)
            report(progress, 1 - static_cast<double>(lines.size()) / whole, fmt::format("reading {}", name));
        const std::string place = fmt::format("{}: node {}", name, nodes.size());
        const std::size_t end = std::min(lines.find('\n'), lines.size() - 1);
        std::string_view line = lines.substr(0, end);
        lines.remove_prefix(end + 1);
        if (!lines.empty() && line.ends_with(',')) line.remove_suffix(1);
        Json json;
        try {
            json = Json::parse(line);
        } catch (const Json::exception&) {
            throw data_error(fmt::format("{}: it is not JSON", place));
        }
        nodes.push_back(reader.node(Value(json, place)));
    }
    return nodes;
}

}  // namespace

TreePolicy parse_tree_json(std::string_view bytes, const std::string& name, const Progress& progress) {
    const auto parts = tree_file_parts(bytes);
    if (!parts) explain(bytes, name);
    Json head;
    try {
        head = parse_down_to(deepest_tree, std::string(parts->head) + "}");
    } catch (const Json::exception&) {
        throw data_error(fmt::format("{}: not a polyrx tree: it is not JSON", name));
    }
    check_version(head, name);

    TreePolicy tree;
    const Value root(head, name);
    read_head(root, tree, name);
    tree.tree.nodes = read_nodes(parts->nodes, tree.policy, name, progress);
    try {
        check_well_formed(tree.tree, static_cast<int>(tree.policy.treatments.size()));
    } catch (const Error& error) {
        throw data_error(fmt::format("{}: {}", name, error.what()));
    }
    if (root.at("leaves").count() != leaf_count(tree.tree) || root.at("depth").count() != depth(tree.tree))
        root.fail("'leaves' or 'depth' is not that of its nodes");
    return tree;
}

TreePolicy load_tree(const std::string& path, const Progress& progress) {
    const PolicyFile file = read_policy_file(path, progress);
    return parse_tree_json(file.bytes, file.name, progress);
}

}  // namespace polyrx
