// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/distilled_text.hpp"
#include "polyrx/api/fit_policy.hpp"
#include "polyrx/train/train_kernel.hpp"

namespace polyrx {
namespace {

Json json_of(const Gain& gain) {
    if (!gain.known) return {{"over", gain.over}, {"known", false}};
    if (gain.too_few_rows) return {{"over", gain.over}, {"known", false}, {"too_few_rows", true}};
    return {{"over", gain.over}, {"known", true},   {"least", gain.least},
            {"most", gain.most}, {"low", gain.low}, {"high", gain.high}};
}

Json gains_json(const Fit& fit) {
    Json list = Json::array();
    if (fit.recommended)
        for (const Gain& gain : fit.recommended->judgment.gains) list.push_back(json_of(gain));
    return list;
}

// Gains of the safer policies over current practice.
Json rivals_json(const Fit& fit) {
    Json list = Json::array();
    if (!fit.recommended) return list;
    const Judgment& judgment = fit.recommended->judgment;
    for (std::size_t r = 0; r < judgment.rival_gains.size(); ++r) {
        list.push_back(json_of(judgment.rival_gains[r]));
        list.items().back()["policy"] = judgment.gains[r + 1].over;
    }
    return list;
}

Json support_json(const Fit& fit) {
    if (!fit.policy.rules.support) return {{"beyond_support", "extrapolate"}};
    const Support& support = *fit.policy.rules.support;
    Json json = {{"beyond_support", "avoid"},  {"epsilon", support.epsilon},
                 {"model", kind_of(support)},  {"terms", most_terms(support)},
                 {"changed", fit.unsupported}, {"only_unsupported_allowed", fit.only_unsupported},
                 {"tried", Json::array()}};
    if (fit.support)
        for (const SupportTrial& trial : fit.support->trials)
            json["tried"].push_back(
                {{"model", trial.name}, {"log_loss", trial.log_loss}, {"contradicted", trial.contradicted}});
    if (fit.recommended && fit.recommended->extrapolating) {
        json["extrapolating"] = json_of(*fit.recommended->extrapolating);
        json["changed_by_extrapolation"] = fit.recommended->changed_by_extrapolation;
    }
    return json;
}

}  // namespace

Json json_of(const PolicyFit& fitted, const std::string& model) {
    const Fit& fit = fitted.fit;
    const std::optional<Recommendation>& recommendation = fitted.policy().recommendation;
    Json treatments = Json::array();
    for (std::size_t k = 0; k < fit.policy.treatments.size(); ++k)
        treatments.push_back(
            {{"label", fit.policy.treatments[k]}, {"given", fit.given[k]}, {"prescribed", fit.prescribed[k]}});
    Json seconds;
    for (const Stage& stage : stages(fitted.timings)) seconds[std::string(stage.name)] = stage.seconds;
    Json options;
    for (const auto& [name, value] : fit.policy.provenance.options) options[name] = value;
    Json json = {
        {"model", model},
        {"method", name_of(fit.policy.baseline ? fit.policy.baseline->method : Method::network)},
        {"options", options},
        {"rows", fit.policy.provenance.rows},
        {"held_out", fit.held_out.size()},
        {"treatments", treatments},
        {"recommended", recommendation ? Json(recommendation->recommended) : Json()},
        {"recommendation", recommendation ? recommendation->sentence : ""},
        {"gains", gains_json(fit)},
        {"safer_policies", rivals_json(fit)},
        {"fallback", fit.recommended && fit.recommended->fallback ? Json(fit.recommended->fallback->name) : Json()},
        {"better", fit.policy.objective == Objective::min ? "smaller" : "larger"},
        {"features", fit.policy.encoder.read_columns()},
        {"received_by_prescribed", fit.changes},
        {"support", support_json(fit)},
        {"violations", fit.violations.size()},
        {"changed_by_rules", fit.changed},
        {"loss", fit.policy.baseline ? Json() : Json(fit.loss)},
        {"epochs", fit.history.size()},
        {"best_epoch", fit.best_epoch},
        {"seconds", fitted.timings.total},
        {"timings", seconds},
        {"kernels", kernel_target()}};
    if (fitted.distilled) json["distilled"] = json_of(*fitted.distilled);
    return json;
}

}  // namespace polyrx
