// SPDX-License-Identifier: Apache-2.0
// Baselines out of model files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "polyrx/baselines/baseline.hpp"
#include "polyrx/baselines/cut_texts.hpp"
#include "polyrx/baselines/leaf_numbers.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/learners/trees/axis_tree_text.hpp"

namespace polyrx {
namespace {

using Json = nlohmann::json;

// Reads members, and says where one is wrong.
class Reader {
public:
    Reader(std::vector<int> levels, std::size_t treatments, std::span<const std::string_view> texts, std::string place)
        : levels_(std::move(levels)), treatments_(treatments), texts_(texts), place_(std::move(place)) {}

    [[noreturn]] void fail(const std::string& what) const { throw data_error(fmt::format("{}: {}", place_, what)); }

    [[nodiscard]] const Json& member(const Json& json, const char* key) const {
        if (!json.is_object() || !json.contains(key)) fail(fmt::format("'{}' is missing", key));
        return json[key];
    }
    [[nodiscard]] const Json& list(const Json& json, const char* key) const {
        const Json& found = member(json, key);
        if (!found.is_array()) fail(fmt::format("'{}' is not a list", key));
        return found;
    }
    [[nodiscard]] double number(const Json& json, const char* key) const {
        const Json& found = member(json, key);
        if (!found.is_number()) fail(fmt::format("'{}' is not a number", key));
        return found.get<double>();
    }
    [[nodiscard]] int whole(const Json& json, const char* key, int lowest) const {
        const Json& found = member(json, key);
        if (!found.is_number_integer() || found.get<std::int64_t>() < lowest ||
            found.get<std::int64_t>() >= static_cast<std::int64_t>(treatments_))
            fail(fmt::format("'{}' is not one of the treatments", key));
        return found.get<int>();
    }
    [[nodiscard]] std::vector<double> numbers(const Json& json, const char* key, std::size_t count) const {
        std::vector<double> numbers;
        for (const Json& each : list(json, key)) {
            if (!each.is_number()) fail(fmt::format("'{}' has something that is not a number", key));
            numbers.push_back(each.get<double>());
        }
        if (numbers.size() != count) fail(fmt::format("'{}' has {} numbers, not {}", key, numbers.size(), count));
        return numbers;
    }
    // One for each treatment.
    [[nodiscard]] const Json& arms(const Json& json) const {
        const Json& found = list(json, "arms");
        if (found.size() != treatments_)
            fail(fmt::format("there are {} arms, but {} treatments", found.size(), treatments_));
        return found;
    }
    // A tree with so many numbers in each leaf.
    [[nodiscard]] TreeWithLeaves tree(const Json& json, std::size_t numbers) const {
        if (!json.is_string()) fail("a tree is not a text");
        const std::optional<std::string_view> text = whole_text(json.get_ref<const std::string&>(), texts_);
        if (!text) fail("a tree is not a text");
        return parse_axis_tree(*text, levels_, numbers, place_);
    }
    template <class Leaf>
    void tree(const Json& json, std::size_t numbers, AxisTree& tree, std::vector<Leaf>& leaves) const {
        TreeWithLeaves read = this->tree(json, numbers);
        tree = std::move(read.tree);
        leaves.resize(tree.nodes.size());
        for (std::size_t node = 0; node < leaves.size(); ++node)
            if (tree.nodes[node].is_leaf()) read_numbers(read.leaves.of(node), leaves[node]);
    }
    [[nodiscard]] std::size_t treatments() const { return treatments_; }

private:
    std::vector<int> levels_;
    std::size_t treatments_;
    std::span<const std::string_view> texts_;
    std::string place_;
};

// ---- each model

Vector weights_of(const Json& json, const Reader& reader, std::size_t inputs) {
    const std::vector<double> weights = reader.numbers(json, "weights", inputs);
    return Eigen::Map<const Vector>(weights.data(), static_cast<Eigen::Index>(inputs));
}

LinearOutcomes linear_of(const Json& json, const Reader& reader, std::size_t inputs) {
    LinearOutcomes model;
    for (const Json& arm : reader.arms(json))
        model.arms.push_back({weights_of(arm, reader, inputs), reader.number(arm, "intercept")});
    return model;
}

RegressionForest forest_of(const Json& json, const Reader& reader) {
    RegressionForest forest;
    for (const Json& text : reader.list(json, "trees")) {
        TreeWithLeaves read = reader.tree(text, 1);
        for (std::size_t node = 0; node < read.tree.nodes.size(); ++node)
            if (read.tree.nodes[node].is_leaf()) read.tree.nodes[node] = AxisNode(read.leaves.numbers[node]);
        forest.trees.push_back(std::move(read.tree));
    }
    if (forest.trees.empty()) reader.fail("a forest has no trees");
    return forest;
}

std::vector<std::size_t> counts_of(const Json& json, const Reader& reader) {
    std::vector<std::size_t> counts;
    for (const double rows : reader.numbers(json, "rows", reader.treatments())) {
        if (!(rows >= 0 && rows < 1e15)) reader.fail("'rows' has something that is no count");
        counts.push_back(static_cast<std::size_t>(rows));
    }
    return counts;
}

ForestOutcomes forests_of(const Json& json, const Reader& reader) {
    ForestOutcomes model;
    for (const Json& arm : reader.arms(json)) model.arms.push_back(forest_of(arm, reader));
    return model;
}

ForestPairs forest_pairs_of(const Json& json, const Reader& reader, Method method) {
    const std::size_t forests = method == Method::x_learner ? 3 : 1;
    ForestPairs model;
    model.treatments = static_cast<int>(reader.treatments());
    for (const Json& each : reader.list(json, "pairs")) {
        ForestPair& pair = model.pairs.emplace_back();
        pair.treatment = reader.whole(each, "treatment", 0);
        pair.against = reader.whole(each, "against", 0);
        if (pair.against == pair.treatment) reader.fail("a treatment is compared with itself");
        const Json& list = reader.list(each, "forests");
        if (list.size() != forests) reader.fail(fmt::format("a pair has {} forests, not {}", list.size(), forests));
        pair.effect = forest_of(list[0], reader);
        if (forests == 1) continue;
        pair.effect_against = forest_of(list[1], reader);
        pair.centered_propensity = forest_of(list[2], reader);
    }
    if (2 * model.pairs.size() != reader.treatments() * (reader.treatments() - 1))
        reader.fail(fmt::format("there are {} pairs of {} treatments", model.pairs.size(), reader.treatments()));
    return model;
}

PersonalizationTree personalization_tree_of(const Json& text, const Reader& reader) {
    PersonalizationTree model;
    model.treatments = static_cast<int>(reader.treatments());
    reader.tree(text, 2 * reader.treatments(), model.tree, model.leaves);
    return model;
}

PersonalizationForest personalization_forest_of(const Json& json, const Reader& reader) {
    PersonalizationForest model;
    model.treatments = static_cast<int>(reader.treatments());
    for (const Json& text : reader.list(json, "trees")) model.trees.push_back(personalization_tree_of(text, reader));
    if (model.trees.empty()) reader.fail("a forest has no trees");
    return model;
}

// A node, its low and then its high side: which side a node is on follows from the order.
OptimalTree optimal_tree_of(const Json& json, const Reader& reader, Method method, std::size_t inputs) {
    const bool is_linear = method == Method::opt_l || method == Method::opt_hl;
    OptimalTree model;
    model.treatments = static_cast<int>(reader.treatments());
    std::vector<std::size_t> open;  // splits whose high side is still to come
    bool is_whole = false;
    for (const Json& each : reader.list(json, "nodes")) {
        if (is_whole) reader.fail("'nodes' has more than one tree");
        const std::size_t number = model.nodes.size();
        OptimalNode& node = model.nodes.emplace_back();
        if (each.contains("constant")) {
            if (inputs == 0) reader.fail("a split has no inputs");
            node.weights = weights_of(each, reader, inputs);
            node.constant = reader.number(each, "constant");
            node.low = static_cast<int>(number) + 1;
            open.push_back(number);
            continue;
        }
        node.leaf.outcomes = reader.numbers(each, "outcomes", reader.treatments());
        node.leaf.rows = counts_of(each, reader);
        node.leaf.treatment =
            static_cast<int>(std::ranges::min_element(node.leaf.outcomes) - node.leaf.outcomes.begin());
        if (is_linear) node.leaf.arms = linear_of(each, reader, inputs).arms;
        is_whole = open.empty();
        if (is_whole) continue;
        model.nodes[open.back()].high = static_cast<int>(number) + 1;
        open.pop_back();
    }
    if (!is_whole) reader.fail("'nodes' is not a whole tree");
    return model;
}

EffectModel effect_model_of(const Json& json, const Reader& reader) {
    if (json.contains("tree")) {
        CausalTree tree;
        reader.tree(json["tree"], 4, tree.tree, tree.means);
        return tree;
    }
    CausalForest forest;
    for (const Json& text : reader.list(json, "trees")) {
        EffectTree& tree = forest.trees.emplace_back();
        reader.tree(text, 5, tree.tree, tree.leaves);
    }
    forest.overall = reader.number(json, "overall");
    forest.least_variance = reader.number(json, "least_variance");
    return forest;
}

PairwiseEffects pairs_of(const Json& json, const Reader& reader, Method method) {
    PairwiseEffects model;
    model.scheme = scheme_of(method);
    model.rows = counts_of(json, reader);
    for (const Json& each : reader.list(json, "pairs")) {
        ComparedPair pair;
        pair.treatment = reader.whole(each, "treatment", 0);
        pair.against = reader.whole(each, "against", ComparedPair::all_others);
        if (pair.against == pair.treatment) reader.fail("a treatment is compared with itself");
        pair.model = effect_model_of(each, reader);
        model.pairs.push_back(std::move(pair));
    }
    return model;
}

}  // namespace

Baseline parse_baseline(std::string_view text, const Encoder& encoder, std::size_t treatments, const std::string& place,
                        std::span<const std::string_view> texts) {
    std::vector<int> levels;
    for (const Feature& feature : encoder.features())
        levels.push_back(feature.type == ColumnType::categorical ? static_cast<int>(feature.categories.size()) : 0);
    const Reader reader(levels, treatments, texts, place);
    const Json json = Json::parse(text, nullptr, false);
    const Json& name = reader.member(json, "method");
    const std::optional<Method> method = name.is_string() ? method_named(name.get<std::string>()) : std::nullopt;
    if (!method || !suits(*method, treatments)) reader.fail("'method' is not one that this program knows for it");
    switch (*method) {
        case Method::network:
            reader.fail("a network is no baseline");
        case Method::constant:
            return {*method, ConstantOutcomes{reader.numbers(json, "means", treatments)}};
        case Method::rc_lr:
            return {*method, linear_of(json, reader, encoder.columns().size())};
        case Method::rc_rf:
            return {*method, forests_of(json, reader)};
        case Method::pt:
        case Method::policytree:
            return {*method, personalization_tree_of(reader.member(json, "tree"), reader)};
        case Method::pf:
            return {*method, personalization_forest_of(json, reader)};
        case Method::s_learner:
            levels.insert(levels.begin(), static_cast<int>(treatments));
            return {*method, TreatmentForest{forest_of(json, Reader(levels, treatments, texts, place)),
                                             static_cast<int>(treatments)}};
        case Method::x_learner:
        case Method::r_learner:
        case Method::dr_learner:
            return {*method, forest_pairs_of(json, reader, *method)};
        case Method::opt:
        case Method::opt_l:
        case Method::opt_h:
        case Method::opt_hl:
            return {*method, optimal_tree_of(json, reader, *method, encoder.columns().size())};
        default:
            return {*method, pairs_of(json, reader, *method)};
    }
}

}  // namespace polyrx
