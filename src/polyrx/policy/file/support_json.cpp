// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/file/support_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/json/json_cursor.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

constexpr std::size_t most_nodes = 255;

Json json_of(const PropensityTree::Node& node, const Encoder& encoder) {
    if (node.feature < 0) return {{"rows", node.rows}};
    const Feature& feature = encoder.features()[static_cast<std::size_t>(node.feature)];
    Json json = {{"feature", feature.name}, {"left", node.left}, {"missing_left", node.missing_left}};
    if (feature.type != ColumnType::categorical) {
        json["at_most"] = node.threshold;
        return json;
    }
    json["one_of"] = Json::array();
    for (const int category : node.categories)
        json["one_of"].push_back(feature.categories[static_cast<std::size_t>(category)]);
    return json;
}

Json json_of(const LinearLogOdds::Score& score) {
    Json terms = Json::array();
    for (const HalfSpace::Term& term : score.terms) terms.push_back(Json::array({term.input, term.weight}));
    return {{"constant", score.constant}, {"terms", std::move(terms)}};
}

// The index of the name in `names`.
int index_in(const std::vector<std::string>& names, const JsonCursor& name) {
    const auto found = std::ranges::find(names, name.text_view());
    if (found == names.end()) name.fail(fmt::format("there is no {}", in_quotes(name.text_view())));
    return static_cast<int>(found - names.begin());
}

PropensityTree::Node node_in(const JsonCursor& json, const Encoder& encoder) {
    PropensityTree::Node node;
    if (const auto rows = json.find("rows")) {
        node.rows = rows->numbers();
        return node;
    }
    std::vector<std::string> names;
    for (const Feature& feature : encoder.features()) names.push_back(feature.name);
    node.feature = index_in(names, json.at("feature"));
    node.left = json.at("left").whole<int>();
    node.missing_left = json.at("missing_left").truth();
    const Feature& feature = encoder.features()[static_cast<std::size_t>(node.feature)];
    if (feature.type != ColumnType::categorical)
        node.threshold = json.at("at_most").number();
    else
        for (const JsonCursor category : json.at("one_of").items())
            node.categories.push_back(index_in(feature.categories, category));
    return node;
}

LinearLogOdds::Score score_in(const JsonCursor& json) {
    LinearLogOdds::Score score;
    score.constant = json.at("constant").number();
    for (const JsonCursor term : json.at("terms").items()) {
        const JsonItems pair = term.items(2);
        score.terms.push_back({pair[0].whole<Eigen::Index>(), pair[1].number()});
    }
    return score;
}

}  // namespace

Json json_of(const Support& support, const Encoder& encoder, const std::vector<std::string>& treatments) {
    Json json = {{"epsilon", support.epsilon}, {"kind", kind_of(support)}, {"never", Json::array()}};
    for (const int k : support.never) json["never"].push_back(treatments[static_cast<std::size_t>(k)]);
    if (const auto* tree = std::get_if<PropensityTree>(&support.model)) {
        json["nodes"] = Json::array();
        for (const PropensityTree::Node& node : tree->nodes) json["nodes"].push_back(json_of(node, encoder));
    } else {
        json["log_odds"] = Json::array();
        for (const LinearLogOdds::Score& score : std::get<LinearLogOdds>(support.model).scores)
            json["log_odds"].push_back(json_of(score));
    }
    return json;
}

Support support_in(const JsonCursor& json, const Encoder& encoder, const std::vector<std::string>& treatments) {
    Support support;
    support.epsilon = json.at("epsilon").number();
    support.design = json.at("kind").text_view() == "design";
    for (const JsonCursor label : json.at("never").items()) support.never.push_back(index_in(treatments, label));
    if (const auto nodes = json.find("nodes")) {
        if (nodes->size() > most_nodes) nodes->fail(fmt::format("a propensity tree has at most {} nodes", most_nodes));
        PropensityTree tree;
        for (const JsonCursor node : nodes->items()) tree.nodes.push_back(node_in(node, encoder));
        support.model = std::move(tree);
    } else {
        LinearLogOdds linear;
        for (const JsonCursor score : json.at("log_odds").items()) linear.scores.push_back(score_in(score));
        support.model = std::move(linear);
    }
    return support;
}

}  // namespace polyrx
