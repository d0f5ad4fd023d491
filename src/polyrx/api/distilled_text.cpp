// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/distilled_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/api/summary.hpp"
#include "polyrx/core/text/number_text.hpp"
#include "polyrx/report/frontier_chart.hpp"
#include "polyrx/show/draw/label_text.hpp"

namespace polyrx {
namespace {

// Formats values in the units of the outcome.
NumberWriter writer_of(const Distilled& distilled) {
    double scale = 0;
    for (const MeanEstimate* estimate : {&distilled.teacher, &distilled.constant, &distilled.chosen.value})
        if (estimate->known) scale = std::max(scale, std::abs(estimate->known->value));
    return NumberWriter(scale);
}

std::string interval_words(const MeanEstimate& estimate, const NumberWriter& number) {
    if (!estimate.known) return estimate.reason;
    return fmt::format("{} {}", number(estimate.known->value), number.range(estimate.known->low, estimate.known->high));
}

std::string size_words(const TreeSize& size) {
    return fmt::format("{} {} and {}", grouped(size.leaves), size.leaves == 1 ? "leaf" : "leaves",
                       counted(size.terms, "term"));
}

std::string percent(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

// The gain of the tree over the model.
std::string gain_words(const MeanEstimate& gain, const NumberWriter& number) {
    if (!gain.known) return fmt::format("compared with the model: {}", gain.reason);
    const ValueAndError& known = *gain.known;
    const std::string loss = number(-known.value);
    if (known.value >= 0 || loss == "0")
        return fmt::format("better than the model by {} {}", number(known.value), number.range(known.low, known.high));
    return fmt::format("worse than the model by {} {}", loss, number.range(-known.high, -known.low));
}

Json json_of(const MeanEstimate& estimate) {
    if (!estimate.known) return {{"not_estimable", estimate.reason}};
    return {{"value", estimate.known->value},
            {"standard_error", estimate.known->standard_error},
            {"low", estimate.known->low},
            {"high", estimate.known->high}};
}

Json json_of(const FrontierPoint& point) {
    Json json = {{"leaves", point.size.leaves},
                 {"terms", point.size.terms},
                 {"student", words_of(point.shape)},
                 {"most_leaves", point.budget.leaves}};
    if (point.budget.terms > 0) json["most_terms"] = point.budget.terms;
    json["value"] = json_of(point.value);
    json["agreement"] = point.agreement;
    json["chosen"] = point.chosen;
    return json;
}

}  // namespace

std::string text_of(const Distilled& distilled) {
    const Policy& policy = distilled.tree.policy;
    const NumberWriter number = writer_of(distilled);
    const std::vector<std::vector<std::string>> lines = {
        {fmt::format("mean {}, cross-validated", one_line(policy.outcome_name)), "value and 95 % interval"},
        {"the model", interval_words(distilled.teacher, number)},
        {"the tree", interval_words(distilled.chosen.value, number)},
        {"one treatment for all", interval_words(distilled.constant, number)},
    };
    std::string words =
        text_table(lines) + fmt::format("The tree has {} ({}), is {}, and prescribes the same to {} of the rows.",
                                        size_words(distilled.chosen.size), words_of(distilled.chosen.shape),
                                        gain_words(distilled.gain, number), percent(distilled.agreement));
    if (!policy.rules.support)
        words +=
            "\nThe model extrapolates beyond support, and so do these values. Report those of polyrx evaluate, which "
            "are bounded.";
    if (distilled.chosen.folds_without > 0)
        words += fmt::format(
            "\nIn {} of cross-validation no such tree was within the budget, and one treatment for all was valued in "
            "its place: the tree may be worth more than is said here.",
            counted(distilled.chosen.folds_without, "fold"));
    return words;
}

std::string frontier_table(const Distilled& distilled) {
    const NumberWriter number = writer_of(distilled);
    std::vector<std::vector<std::string>> lines = {
        {"student", "leaves", "terms", "value", "s.e.", "95 % interval", "as the model", ""}};
    for (const FrontierPoint& point : distilled.frontier) {
        const auto& known = point.value.known;
        lines.push_back({words_of(point.shape), fmt::format("{}", point.size.leaves),
                         fmt::format("{}", point.size.terms), known ? number(known->value) : "-",
                         known ? number(known->standard_error, 2) : "-",
                         known ? number.range(known->low, known->high) : "-", percent(point.agreement),
                         point.chosen ? "chosen" : ""});
    }
    return text_table(lines);
}

Json json_of(const Distilled& distilled) {
    Json frontier = Json::array();
    for (const FrontierPoint& point : distilled.frontier) frontier.push_back(json_of(point));
    return {{"leaves", distilled.chosen.size.leaves},
            {"terms", distilled.chosen.size.terms},
            {"student", words_of(distilled.chosen.shape)},
            {"value", json_of(distilled.chosen.value)},
            {"model_value", json_of(distilled.teacher)},
            {"constant_value", json_of(distilled.constant)},
            {"gain_over_model", json_of(distilled.gain)},
            {"folds_without_tree", distilled.chosen.folds_without},
            {"agreement", distilled.agreement},
            {"students", distilled.students},
            {"frontier", std::move(frontier)}};
}

Json json_of(const Distilled& distilled, const std::string& model, const std::string& tree) {
    Json json = {{"model", model}};
    if (!tree.empty()) json["tree"] = tree;
    Json results = json_of(distilled);
    for (JsonMember& member : results.members()) json.add(std::move(member.name), std::move(member.value));
    return json;
}

std::string frontier_svg(const Distilled& distilled) {
    std::vector<FrontierDot> dots;
    for (const FrontierPoint& point : distilled.frontier)
        dots.push_back({point.size.leaves, point.size.terms, point.value, words_of(point.shape), point.chosen,
                        point.shape.kind == StudentShape::Kind::regressions ? "R&C LR" : ""});
    const Policy& policy = distilled.tree.policy;
    return frontier_chart(dots, {{"the model", distilled.teacher}, {"one treatment for all", distilled.constant}},
                          {policy.outcome_name, policy.objective == Objective::max});
}

}  // namespace polyrx
