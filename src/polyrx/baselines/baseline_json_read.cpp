// SPDX-License-Identifier: Apache-2.0
// Baselines out of model files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/baselines/baseline.hpp"
#include "polyrx/baselines/leaf_numbers.hpp"
#include "polyrx/core/json/json_cursor.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/learners/trees/axis_tree_text.hpp"

namespace polyrx {
namespace {

// What all parts of a model must fit.
class BaselineReader {
public:
    BaselineReader(std::vector<int> levels, std::size_t treatments, std::string place, TreeReading trees)
        : levels_(std::move(levels)), treatments_(treatments), place_(std::move(place)), trees_(trees) {}

    [[nodiscard]] int treatment(const JsonCursor& json, int lowest) const {
        return json.whole(lowest, static_cast<int>(treatments_) - 1);
    }
    // One for each treatment.
    [[nodiscard]] JsonItems arms(const JsonCursor& json) const { return json.at("arms").items(treatments_); }
    // A tree with so many numbers in each leaf.
    [[nodiscard]] TreeWithLeaves tree(const JsonCursor& json, std::size_t numbers) const {
        TreeWithLeaves tree = parse_axis_tree(json.text_view(), levels_, numbers, place_);
        return trees_ == TreeReading::kept ? std::move(tree) : TreeWithLeaves();
    }
    template <class Leaf>
    void tree(const JsonCursor& json, std::size_t numbers, AxisTree& tree, std::vector<Leaf>& leaves) const {
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
    std::string place_;  // of all of it: that of one tree of many takes long to find
    TreeReading trees_;
};

// ---- each model

std::vector<double> numbers_in(const JsonCursor& json, std::size_t count) {
    (void)json.items(count);
    return json.numbers();
}

Vector weights_of(const JsonCursor& json, std::size_t inputs) {
    const JsonItems items = json.at("weights").items(inputs);
    Vector weights(static_cast<Eigen::Index>(inputs));
    for (Eigen::Index input = 0; input < weights.size(); ++input)
        weights[input] = items[static_cast<std::size_t>(input)].number();
    return weights;
}

LinearOutcomes linear_of(const JsonCursor& json, const BaselineReader& reader, std::size_t inputs) {
    LinearOutcomes model;
    for (const JsonCursor arm : reader.arms(json))
        model.arms.push_back({weights_of(arm, inputs), arm.at("intercept").number()});
    return model;
}

RegressionForest forest_of(const JsonCursor& json, const BaselineReader& reader) {
    RegressionForest forest;
    for (const JsonCursor text : json.at("trees").items()) {
        TreeWithLeaves read = reader.tree(text, 1);
        for (std::size_t node = 0; node < read.tree.nodes.size(); ++node)
            if (read.tree.nodes[node].is_leaf()) read.tree.nodes[node] = AxisNode(read.leaves.numbers[node]);
        forest.trees.push_back(std::move(read.tree));
    }
    if (forest.trees.empty()) json.fail("a forest has no trees");
    return forest;
}

constexpr std::size_t most_rows = 1'000'000'000'000'000;

std::vector<std::size_t> counts_of(const JsonCursor& json, const BaselineReader& reader) {
    std::vector<std::size_t> counts;
    for (const JsonCursor rows : json.at("rows").items(reader.treatments()))
        counts.push_back(rows.whole<std::size_t>(0, most_rows));
    return counts;
}

ForestOutcomes forests_of(const JsonCursor& json, const BaselineReader& reader) {
    ForestOutcomes model;
    for (const JsonCursor arm : reader.arms(json)) model.arms.push_back(forest_of(arm, reader));
    return model;
}

ForestPairs forest_pairs_of(const JsonCursor& json, const BaselineReader& reader, Method method) {
    const std::size_t forests = method == Method::x_learner ? 3 : 1;
    ForestPairs model;
    model.treatments = static_cast<int>(reader.treatments());
    for (const JsonCursor each : json.at("pairs").items()) {
        ForestPair& pair = model.pairs.emplace_back();
        pair.treatment = reader.treatment(each.at("treatment"), 0);
        pair.against = reader.treatment(each.at("against"), 0);
        if (pair.against == pair.treatment) each.fail("a treatment is compared with itself");
        const JsonItems list = each.at("forests").items(forests);
        pair.effect = forest_of(list[0], reader);
        if (forests == 1) continue;
        pair.effect_against = forest_of(list[1], reader);
        pair.centered_propensity = forest_of(list[2], reader);
    }
    if (2 * model.pairs.size() != reader.treatments() * (reader.treatments() - 1))
        json.fail(fmt::format("there are {} pairs of {} treatments", model.pairs.size(), reader.treatments()));
    return model;
}

PersonalizationTree personalization_tree_of(const JsonCursor& text, const BaselineReader& reader) {
    PersonalizationTree model;
    model.treatments = static_cast<int>(reader.treatments());
    reader.tree(text, 2 * reader.treatments(), model.tree, model.leaves);
    return model;
}

PersonalizationForest personalization_forest_of(const JsonCursor& json, const BaselineReader& reader) {
    PersonalizationForest model;
    model.treatments = static_cast<int>(reader.treatments());
    for (const JsonCursor text : json.at("trees").items()) model.trees.push_back(personalization_tree_of(text, reader));
    if (model.trees.empty()) json.fail("a forest has no trees");
    return model;
}

// A node, its low and then its high side: which side a node is on follows from the order.
OptimalTree optimal_tree_of(const JsonCursor& json, const BaselineReader& reader, Method method, std::size_t inputs) {
    const bool is_linear = method == Method::opt_l || method == Method::opt_hl;
    OptimalTree model;
    model.treatments = static_cast<int>(reader.treatments());
    std::vector<std::size_t> open;  // splits whose high side is still to come
    bool is_whole = false;
    for (const JsonCursor each : json.at("nodes").items()) {
        if (is_whole) each.fail("'nodes' has more than one tree");
        const std::size_t number = model.nodes.size();
        OptimalNode& node = model.nodes.emplace_back();
        if (each.has("constant")) {
            if (inputs == 0) each.fail("a split has no inputs");
            node.weights = weights_of(each, inputs);
            node.constant = each.at("constant").number();
            node.low = static_cast<int>(number) + 1;
            open.push_back(number);
            continue;
        }
        node.leaf.outcomes = numbers_in(each.at("outcomes"), reader.treatments());
        node.leaf.rows = counts_of(each, reader);
        node.leaf.treatment =
            static_cast<int>(std::ranges::min_element(node.leaf.outcomes) - node.leaf.outcomes.begin());
        if (is_linear) node.leaf.arms = linear_of(each, reader, inputs).arms;
        is_whole = open.empty();
        if (is_whole) continue;
        model.nodes[open.back()].high = static_cast<int>(number) + 1;
        open.pop_back();
    }
    if (!is_whole) json.fail("'nodes' is not a whole tree");
    return model;
}

EffectModel effect_model_of(const JsonCursor& json, const BaselineReader& reader) {
    if (const auto text = json.find("tree")) {
        CausalTree tree;
        reader.tree(*text, 4, tree.tree, tree.means);
        return tree;
    }
    CausalForest forest;
    for (const JsonCursor text : json.at("trees").items()) {
        EffectTree& tree = forest.trees.emplace_back();
        reader.tree(text, 5, tree.tree, tree.leaves);
    }
    forest.overall = json.at("overall").number();
    forest.least_variance = json.at("least_variance").number();
    return forest;
}

PairwiseEffects pairs_of(const JsonCursor& json, const BaselineReader& reader, Method method) {
    PairwiseEffects model;
    model.scheme = scheme_of(method);
    model.rows = counts_of(json, reader);
    for (const JsonCursor each : json.at("pairs").items()) {
        ComparedPair pair;
        pair.treatment = reader.treatment(each.at("treatment"), 0);
        pair.against = reader.treatment(each.at("against"), ComparedPair::all_others);
        if (pair.against == pair.treatment) each.fail("a treatment is compared with itself");
        pair.model = effect_model_of(each, reader);
        model.pairs.push_back(std::move(pair));
    }
    return model;
}

}  // namespace

Baseline baseline_in(const JsonCursor& json, const Encoder& encoder, std::size_t treatments, TreeReading trees) {
    std::vector<int> levels;
    for (const Feature& feature : encoder.features())
        levels.push_back(feature.type == ColumnType::categorical ? static_cast<int>(feature.categories.size()) : 0);
    const BaselineReader reader(levels, treatments, json.place(), trees);
    const JsonCursor name = json.at("method");
    const std::optional<Method> method = method_named(name.text());
    if (!method || !suits(*method, treatments))
        name.fail(fmt::format("{} is no method that this program knows for {} treatments", in_quotes(name.text_view()),
                              treatments));
    switch (*method) {
        case Method::network:
            name.fail("a network is no baseline");
        case Method::constant:
            return {*method, ConstantOutcomes{numbers_in(json.at("means"), treatments)}};
        case Method::rc_lr:
            return {*method, linear_of(json, reader, encoder.columns().size())};
        case Method::rc_rf:
            return {*method, forests_of(json, reader)};
        case Method::pt:
        case Method::policytree:
            return {*method, personalization_tree_of(json.at("tree"), reader)};
        case Method::pf:
            return {*method, personalization_forest_of(json, reader)};
        case Method::s_learner:
            levels.insert(levels.begin(), static_cast<int>(treatments));
            return {*method, TreatmentForest{forest_of(json, BaselineReader(levels, treatments, json.place(), trees)),
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
