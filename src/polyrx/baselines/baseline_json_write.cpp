// SPDX-License-Identifier: Apache-2.0
// Baselines into model files. All of a forest's text takes gigabytes, so no more than one tree's is held at a time.
#include <algorithm>

#include "polyrx/baselines/baseline.hpp"
#include "polyrx/baselines/leaf_numbers.hpp"
#include "polyrx/core/json/json.hpp"
#include "polyrx/learners/trees/axis_tree_text.hpp"

namespace polyrx {
namespace {

using Write = std::function<void(std::string_view)>;

// Sorted, so that equal content is equal text.
void write_sorted(Json json, const Write& write) {
    json.sort_members();
    json.write(write);
}

// An object of these members and one more, whose value write_value() writes.
template <class WriteValue>
void write_object(Json members, const std::string& key, const Write& write, const WriteValue& write_value) {
    members[key] = nullptr;  // its place among the others
    members.sort_members();
    char sign = '{';
    for (const auto& [name, value] : members.members()) {
        write(sign + json_text(name) + ":");
        if (name == key)
            write_value();
        else
            value.write(write);
        sign = ',';
    }
    write("}");
}

template <class Items, class WriteItem>
void write_list(const Items& items, const Write& write, const WriteItem& write_item) {
    write("[");
    bool is_first = true;
    for (const auto& item : items) {
        if (!is_first) write(",");
        is_first = false;
        write_item(item);
    }
    write("]");
}

// ---- trees

LeafNumbers numbers_of(const AxisTree& tree) {
    LeafNumbers leaves;
    leaves.numbers.reserve(tree.nodes.size());
    for (const AxisNode& node : tree.nodes) leaves.numbers.push_back(node.is_leaf() ? node.value() : 0);
    return leaves;
}

template <class Leaf>
LeafNumbers numbers_of(const AxisTree& tree, const std::vector<Leaf>& of_leaves) {
    LeafNumbers leaves;
    std::vector<double> numbers;
    for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
        if (!tree.nodes[node].is_leaf()) continue;
        numbers.clear();
        add_numbers(of_leaves[node], numbers);
        leaves.each = numbers.size();
        leaves.numbers.resize(tree.nodes.size() * leaves.each);
        std::ranges::copy(numbers, leaves.numbers.begin() + static_cast<std::ptrdiff_t>(node * leaves.each));
    }
    return leaves;
}

// None of a tree's characters means anything in a JSON string.
void write_text(const AxisTree& tree, const LeafNumbers& leaves, const Write& write) {
    write("\"");
    write(to_text(tree, leaves));
    write("\"");
}
void write_tree(const AxisTree& tree, const Write& write) {
    write_text(tree, numbers_of(tree), write);
}
void write_tree(const PersonalizationTree& tree, const Write& write) {
    write_text(tree.tree, numbers_of(tree.tree, tree.leaves), write);
}
void write_tree(const CausalTree& tree, const Write& write) {
    write_text(tree.tree, numbers_of(tree.tree, tree.means), write);
}
void write_tree(const EffectTree& tree, const Write& write) {
    write_text(tree.tree, numbers_of(tree.tree, tree.leaves), write);
}

template <class Tree>
void write_trees(const std::vector<Tree>& trees, const Write& write) {
    write_list(trees, write, [&](const Tree& tree) { write_tree(tree, write); });
}

// ---- each model, with the members that are given

void write_model(const ConstantOutcomes& model, Json members, const Write& write) {
    members["means"] = model.means;
    write_sorted(std::move(members), write);
}

void write_model(const LinearOutcomes& model, Json members, const Write& write) {
    members["arms"] = Json::array();
    for (const LinearModel& arm : model.arms)
        members["arms"].push_back(
            {{"weights", std::vector<double>(arm.weights.begin(), arm.weights.end())}, {"intercept", arm.intercept}});
    write_sorted(std::move(members), write);
}

void write_model(const RegressionForest& model, Json members, const Write& write) {
    write_object(std::move(members), "trees", write, [&] { write_trees(model.trees, write); });
}

void write_model(const ForestOutcomes& model, Json members, const Write& write) {
    write_object(std::move(members), "arms", write, [&] {
        write_list(model.arms, write, [&](const RegressionForest& arm) { write_model(arm, Json::object(), write); });
    });
}

void write_model(const PersonalizationTree& model, Json members, const Write& write) {
    write_object(std::move(members), "tree", write, [&] { write_tree(model, write); });
}

void write_model(const PersonalizationForest& model, Json members, const Write& write) {
    write_object(std::move(members), "trees", write, [&] { write_trees(model.trees, write); });
}

void write_model(const OptimalTree& model, Json members, const Write& write) {
    const auto list = [](const Vector& weights) { return std::vector<double>(weights.begin(), weights.end()); };
    Json& nodes = members["nodes"] = Json::array();
    for (const OptimalNode& node : model.nodes) {
        if (!node.is_leaf()) {
            nodes.push_back({{"weights", list(node.weights)}, {"constant", node.constant}});
            continue;
        }
        Json leaf = {{"outcomes", node.leaf.outcomes}, {"rows", node.leaf.rows}};
        for (const LinearModel& arm : node.leaf.arms)
            leaf["arms"].push_back({{"weights", list(arm.weights)}, {"intercept", arm.intercept}});
        nodes.push_back(std::move(leaf));
    }
    write_sorted(std::move(members), write);
}

void write_model(const CausalTree& model, Json members, const Write& write) {
    write_object(std::move(members), "tree", write, [&] { write_tree(model, write); });
}

void write_model(const CausalForest& model, Json members, const Write& write) {
    members["overall"] = model.overall;
    members["least_variance"] = model.least_variance;
    write_object(std::move(members), "trees", write, [&] { write_trees(model.trees, write); });
}

void write_model(const PairwiseEffects& model, Json members, const Write& write) {
    members["rows"] = model.rows;
    write_object(std::move(members), "pairs", write, [&] {
        write_list(model.pairs, write, [&](const ComparedPair& pair) {
            const Json compared = {{"treatment", pair.treatment}, {"against", pair.against}};
            std::visit([&](const auto& effects) { write_model(effects, compared, write); }, pair.model);
        });
    });
}

void write_model(const TreatmentForest& model, Json members, const Write& write) {
    write_model(model.forest, std::move(members), write);
}

void write_model(const ForestPair& pair, const Write& write) {
    std::vector<const RegressionForest*> forests = {&pair.effect};
    if (!pair.centered_propensity.trees.empty())
        forests.insert(forests.end(), {&pair.effect_against, &pair.centered_propensity});
    write_object({{"treatment", pair.treatment}, {"against", pair.against}}, "forests", write, [&] {
        write_list(forests, write, [&](const RegressionForest* each) { write_model(*each, Json::object(), write); });
    });
}

void write_model(const ForestPairs& model, Json members, const Write& write) {
    write_object(std::move(members), "pairs", write,
                 [&] { write_list(model.pairs, write, [&](const ForestPair& pair) { write_model(pair, write); }); });
}

}  // namespace

void write_json(const Baseline& baseline, const std::function<void(std::string_view)>& write) {
    const Json members = {{"method", name_of(baseline.method)}};
    std::visit([&](const auto& model) { write_model(model, members, write); }, baseline.model);
}

std::string to_json(const Baseline& baseline) {
    std::string json;
    write_json(baseline, [&](std::string_view part) { json += part; });
    return json;
}

}  // namespace polyrx
