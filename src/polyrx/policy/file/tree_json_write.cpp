// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "polyrx/core/atomic_file.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/json/json.hpp"
#include "polyrx/core/sha256.hpp"
#include "polyrx/policy/file/check_written.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_json.hpp"

namespace polyrx {
namespace {

// Written as text instead of a JSON document, because a tree may have millions of nodes.
using Text = std::string;

template <class... Arguments>
void append(Text& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
}

// The shortest text that reads back as the same double.
void append_number(Text& text, double number) {
    if (!std::isfinite(number)) throw data_error("a tree with a number that is not finite cannot be written as JSON");
    if (number == 0 && std::signbit(number))
        text += "-0.0";  // -0 would read as a whole number, which has no signed zero
    else
        append(text, "{}", number);
}

template <class Items, class Append>
void append_list(Text& text, const Items& items, const Append& append_item) {
    text += '[';
    bool first = true;
    for (const auto& item : items) {
        if (!first) text += ',';
        first = false;
        append_item(item);
    }
    text += ']';
}

void append_numbers(Text& text, const Vector& numbers) {
    append_list(text, numbers, [&](double number) { append_number(text, number); });
}

// [[input, weight], ...] for nonzero weights.
void append_terms(Text& text, const Vector& weights) {
    text += '[';
    const char* comma = "";
    for (Eigen::Index input = 0; input < weights.size(); ++input) {
        if (weights[input] == 0) continue;
        append(text, "{}[{},", comma, input);
        append_number(text, weights[input]);
        text += ']';
        comma = ",";
    }
    text += ']';
}

// [[constraint, value], ...]
void append_multipliers(Text& text, const std::vector<Multiplier>& multipliers) {
    append_list(text, multipliers, [&](const Multiplier& multiplier) {
        append(text, "[{},", multiplier.constraint);
        append_number(text, multiplier.value);
        text += ']';
    });
}

void append_step(Text& text, const ProofStep& step) {
    text += '{';
    const char* comma = "";
    if (!step.bounds.empty()) {
        text += "\"bounds\":";
        append_list(text, step.bounds, [&](const BoundProof& bound) {
            if (bound.of == BoundProof::Of::input)
                append(text, "{{\"input\":{},", bound.index);
            else if (bound.of == BoundProof::Of::half_space)
                append(text, "{{\"half_space\":{},", bound.index);
            else
                append(text, "{{\"neuron\":[{},{}],", bound.layer, bound.index);
            append(text, "\"{}\":", bound.upper ? "upper" : "lower");
            append_multipliers(text, bound.multipliers);
            text += '}';
        });
        comma = ",";
    }
    if (!step.comparisons.empty()) {
        append(text, "{}\"comparisons\":", comma);
        append_list(text, step.comparisons, [&](const ComparisonProof& comparison) {
            append(text, "{{\"rival\":{},\"multipliers\":", comparison.rival);
            append_multipliers(text, comparison.multipliers);
            text += '}';
        });
        comma = ",";
    }
    if (step.cases) {
        append(text, "{}\"cases\":{{\"split\":", comma);
        append_terms(text, step.cases->function.weights);
        text += ",\"constant\":";
        append_number(text, step.cases->function.constant);
        append(text, ",\"yes\":{},\"no\":{}}}", step.cases->yes, step.cases->no);
    }
    text += '}';
}

void append_split(Text& text, const Split& split) {
    text += "{\"split\":";
    append_terms(text, split.function.weights);
    text += ",\"constant\":";
    append_number(text, split.function.constant);
    text += ",\"guard\":";
    append_number(text, split.guard);
    switch (split.origin.kind) {
        case SplitOrigin::Kind::neuron:
            append(text, ",\"from\":{{\"neuron\":[{},{}]}}", split.origin.first, split.origin.second);
            break;
        case SplitOrigin::Kind::outcomes:
            append(text, ",\"from\":{{\"outcomes\":[{},{}]}}", split.origin.first, split.origin.second);
            break;
        case SplitOrigin::Kind::cut:
            append(text, ",\"from\":{{\"cut\":{}}}", split.origin.first);
            break;
        case SplitOrigin::Kind::rule:
            append(text, ",\"from\":{{\"rule\":{}}}", split.origin.first);
            break;
        case SplitOrigin::Kind::support:
            append(text, ",\"from\":{{\"support\":[{},{}]}}", split.origin.first, split.origin.second);
            break;
    }
    append(text, ",\"yes\":{},\"no\":{}", split.yes, split.no);
}

void append_leaf(Text& text, const Leaf& leaf, const Policy& policy) {
    if (leaf.treatment == no_treatment)
        text += "{\"treatment\":null,\"label\":null";
    else
        append(text, "{{\"treatment\":{},\"label\":{}", leaf.treatment,
               json_text(policy.treatments.at(static_cast<std::size_t>(leaf.treatment))));
    append(text, ",\"certified\":{}", leaf.certificate.has_value());
    if (!leaf.rules.empty()) {
        text += ",\"rules\":";
        append_list(text, leaf.rules, [&](int rule) { append(text, "{}", rule); });
    }
    if (!leaf.unsupported.empty()) {
        text += ",\"unsupported\":";
        append_list(text, leaf.unsupported, [&](int treatment) { append(text, "{}", treatment); });
    }
    if (leaf.inside.size() > 0) {
        text += ",\"inside\":";
        append_numbers(text, leaf.inside);
    }
    if (leaf.certificate) {
        text += ",\"certificate\":{\"steps\":";
        append_list(text, leaf.certificate->steps, [&](const ProofStep& step) { append_step(text, step); });
        text += '}';
    }
}

Text text_of(const Node& node, const Policy& policy) {
    Text text;
    if (const auto* split = std::get_if<Split>(&node.what))
        append_split(text, *split);
    else
        append_leaf(text, std::get<Leaf>(node.what), policy);
    append(text, ",\"rows\":{}}}", node.rows);
    return text;
}

Text text_of(const Domain& domain) {
    Text text = "{\"lower\":";
    const auto append_bound = [&](double bound) {
        if (std::isinf(bound))
            text += "null";
        else
            append_number(text, bound);
    };
    append_list(text, domain.lower, append_bound);
    text += ",\"upper\":";
    append_list(text, domain.upper, append_bound);
    text += ",\"integer\":";
    append_list(text, domain.integer, [&](char integer) { text += integer ? "true" : "false"; });
    text += ",\"groups\":";
    append_list(text, domain.groups, [&](const std::vector<Eigen::Index>& group) {
        append_list(text, group, [&](Eigen::Index input) { append(text, "{}", input); });
    });
    return text + "}";
}

// The model's file, indented by one space, so that none of its lines begins like a key of the tree.
Text nested(const std::string& model) {
    Text text;
    for (const char c : model.substr(0, model.find_last_of('}') + 1)) {
        text += c;
        if (c == '\n') text += ' ';
    }
    return text;
}

Text head_of(const TreePolicy& whole) {
    const Tree& tree = whole.tree;
    Text text = "{\n \"format\": \"polyrx-tree\"";
    append(text, ",\n \"format_version\": {}", tree_format_version);
    append(text, ",\n \"leaves\": {}", leaf_count(tree));
    append(text, ",\n \"depth\": {}", depth(tree));
    append(text, ",\n \"mode\": \"{}\"", name_of(tree.mode));
    text += ",\n \"certified_share\": ";
    append_number(text, tree.certified_share);
    append(text, ",\n \"rows\": {}", tree.rows);
    append(text, ",\n \"outside\": {}", tree.outside);
    text += ",\n \"fidelity\": ";
    if (tree.fidelity)
        append_number(text, *tree.fidelity);
    else
        text += "null";
    append(text, ",\n \"held_out\": {}", tree.held_out);
    text += ",\n \"inputs\": ";
    append_list(text, whole.policy.encoder.columns(), [&](const EncodedColumn& c) { text += json_text(c.name); });
    append(text, ",\n \"domain\": {}", text_of(tree.domain));
    append(text, ",\n \"model\": {}", nested(to_json(whole.policy)));
    return text + ",\n \"nodes\": [\n";
}

}  // namespace

void write_tree_json(const TreePolicy& tree, const ByteSink& sink) {
    check_well_formed(tree.tree, static_cast<int>(tree.policy.treatments.size()));
    Sha256 hash;
    const auto put = [&](std::string_view text) {
        hash.add(text);
        sink(text);
    };
    put(head_of(tree));
    const std::vector<Node>& nodes = tree.tree.nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        put(fmt::format("  {}{}\n", text_of(nodes[i], tree.policy), i + 1 < nodes.size() ? "," : ""));
    put(" ],\n");
    sink(fmt::format(" \"sha256\": \"{}\"\n}}\n", hash.hex()));
}

void save_tree(const TreePolicy& tree, const std::filesystem::path& path) {
    AtomicFile file(path);
    write_tree_json(tree, [&](std::string_view part) { file.write(part); });
    file.commit(check_written);
}

}  // namespace polyrx
