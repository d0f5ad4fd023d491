// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/region_words.hpp"

#include <fmt/format.h>

#include "polyrx/core/json/json.hpp"
#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/show/row_words.hpp"
#include "polyrx/show/tree_summary.hpp"

namespace polyrx {
namespace {

// In the direction the user thinks in: a policy that maximizes has negated outcomes inside.
AffineFunction outward(const AffineFunction& outcome, const Policy& policy) {
    return policy.objective == Objective::max ? -outcome : outcome;
}

std::string sum_words(const AffineFunction& function, const Encoder& encoder, std::size_t max_terms) {
    std::string words = function.constant == 0 ? "" : shown_number(function.constant, 5);
    std::size_t shown = 0;
    std::size_t hidden = 0;
    for (std::size_t i = 0; i < encoder.columns().size(); ++i) {
        const double weight = function.weights[static_cast<Eigen::Index>(i)];
        if (weight == 0) continue;
        if (max_terms > 0 && shown == max_terms) {
            ++hidden;
            continue;
        }
        ++shown;
        const EncodedColumn& column = encoder.columns()[i];
        const std::string size = shown_number(std::abs(weight), 5);
        words += words.empty() ? (weight < 0 ? "-" : "") : (weight < 0 ? " - " : " + ");
        words += fmt::format(
            "{}{}{}", size == "1" ? "" : size, size == "1" ? "" : " ",
            column.kind == InputKind::value ? one_line(column.name) : fmt::format("[{}]", one_line(column.name)));
    }
    if (hidden > 0) words += fmt::format(" ... (+{} {})", hidden, hidden == 1 ? "term" : "terms");
    return words.empty() ? "0" : words;
}

Json json_of(const AffineFunction& function) {
    Json terms = Json::array();
    for (Eigen::Index i = 0; i < function.weights.size(); ++i)
        if (function.weights[i] != 0) terms.push_back(Json::array({i, function.weights[i]}));
    return {{"terms", std::move(terms)}, {"constant", function.constant + 0.0}};  // without the sign of a -0
}

}  // namespace

std::string pattern_words(const Pattern& pattern) {
    std::string words;
    for (const auto& layer : pattern) {
        if (!words.empty()) words += ' ';
        for (const char on : layer) words += on ? '1' : '0';
    }
    return words.empty() ? "none" : words;
}

std::string region_words(const Region& region, std::size_t number, const Policy& policy, const Domain& domain,
                         const RowsInRegion* rows, const WordOptions& options) {
    std::string words = fmt::format("region {}: {}, pattern {}", number, label_of(policy, region.treatment),
                                    pattern_words(region.pattern));
    if (rows) {
        words += fmt::format(", {} row{}", rows->all, rows->all == 1 ? "" : "s");
        if (!rows->received.empty() && rows->all > 0) {
            words += " (received";
            for (std::size_t k = 0; k < rows->received.size(); ++k)
                words += fmt::format("{} {}: {}", k > 0 ? "," : "", label_of(policy, static_cast<int>(k)),
                                     rows->received[k]);
            words += ")";
        }
    }
    words += "\n";
    for (const RegionSide& side : region.sides)
        words += fmt::format("  {}\n", words_of(side.function, policy.encoder, domain, options));
    if (region.inside.size() > 0) words += fmt::format("  inside: {}\n", row_words(policy.encoder, region.inside));
    for (std::size_t k = 0; k < region.outcomes.size(); ++k)
        words += fmt::format("  {} if {}: {}\n", one_line(policy.outcome_name), label_of(policy, static_cast<int>(k)),
                             sum_words(outward(region.outcomes[k], policy), policy.encoder, options.max_terms));
    return words;
}

std::string region_json(const Region& region, const Policy& policy, const RowsInRegion* rows) {
    Json sides = Json::array();
    for (const RegionSide& side : region.sides) {
        Json json = json_of(side.function);
        json[side.from == RegionSide::From::neuron ? "neuron" : "outcomes"] = Json::array({side.first, side.second});
        sides.push_back(std::move(json));
    }
    Json outcomes = Json::array();
    for (const AffineFunction& outcome : region.outcomes) outcomes.push_back(json_of(outward(outcome, policy)));
    Json json = {{"pattern", pattern_words(region.pattern)},
                 {"treatment", policy.treatments[static_cast<std::size_t>(region.treatment)]},
                 {"inequalities", std::move(sides)},
                 {"inside", std::vector<double>(region.inside.begin(), region.inside.end())},
                 {"outcomes", std::move(outcomes)}};
    if (rows) {
        json["rows"] = rows->all;
        if (!rows->received.empty()) json["received"] = rows->received;
    }
    return json.dump();
}

}  // namespace polyrx
