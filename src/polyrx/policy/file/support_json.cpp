// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/file/support_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

using Json = nlohmann::json;

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
    for (const HalfSpace::Term& term : score.terms) terms.push_back({term.input, term.weight});
    return {{"constant", score.constant}, {"terms", std::move(terms)}};
}

int place_of(const std::vector<std::string>& names, const std::string& name, const std::string& place) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) throw data_error(fmt::format("{}: there is no {}", place, in_quotes(name)));
    return static_cast<int>(found - names.begin());
}

PropensityTree::Node node_of(const Json& json, const Encoder& encoder, const std::string& place) {
    PropensityTree::Node node;
    if (json.contains("rows")) {
        node.rows = json.at("rows").get<std::vector<double>>();
        return node;
    }
    std::vector<std::string> names;
    for (const Feature& feature : encoder.features()) names.push_back(feature.name);
    node.feature = place_of(names, json.at("feature").get<std::string>(), place);
    node.left = json.at("left").get<int>();
    node.missing_left = json.at("missing_left").get<bool>();
    const Feature& feature = encoder.features()[static_cast<std::size_t>(node.feature)];
    if (feature.type != ColumnType::categorical)
        node.threshold = json.at("at_most").get<double>();
    else
        for (const Json& category : json.at("one_of"))
            node.categories.push_back(place_of(feature.categories, category.get<std::string>(), place));
    return node;
}

LinearLogOdds::Score score_of(const Json& json) {
    LinearLogOdds::Score score;
    score.constant = json.at("constant").get<double>();
    for (const Json& term : json.at("terms"))
        score.terms.push_back({term.at(0).get<Eigen::Index>(), term.at(1).get<double>()});
    return score;
}

}  // namespace

std::string support_json(const Support& support, const Encoder& encoder, const std::vector<std::string>& treatments) {
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
    return json.dump();
}

Support parse_support(std::string_view text, const Encoder& encoder, const std::vector<std::string>& treatments,
                      const std::string& place) {
    try {
        const Json json = Json::parse(text);
        Support support;
        support.epsilon = json.at("epsilon").get<double>();
        support.design = json.at("kind").get<std::string>() == "design";
        for (const Json& label : json.at("never"))
            support.never.push_back(place_of(treatments, label.get<std::string>(), place));
        if (json.contains("nodes")) {
            if (json.at("nodes").size() > most_nodes)
                throw data_error(fmt::format("{}: a propensity tree has at most {} nodes", place, most_nodes));
            PropensityTree tree;
            for (const Json& node : json.at("nodes")) tree.nodes.push_back(node_of(node, encoder, place));
            support.model = std::move(tree);
        } else {
            LinearLogOdds linear;
            for (const Json& score : json.at("log_odds")) linear.scores.push_back(score_of(score));
            support.model = std::move(linear);
        }
        return support;
    } catch (const Json::exception&) {
        throw data_error(fmt::format("{}: something is missing or not of the right type", place));
    }
}

}  // namespace polyrx
