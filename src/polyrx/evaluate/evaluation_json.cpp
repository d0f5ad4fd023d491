// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "polyrx/core/json/json.hpp"
#include "polyrx/evaluate/evaluation_text.hpp"

namespace polyrx {
namespace {

Json interval(double estimate, double low, double high) {
    return {{"estimate", estimate}, {"low", low}, {"high", high}};
}

Json json_of(const IntervalAnswer& answer) {
    return answer.interval ? interval(answer.interval->estimate, answer.interval->low, answer.interval->high) : Json();
}

Json json_of(const IntervalledValue& value) {
    Json json = {{"value", value.estimate.value},
                 {"standard_error", value.estimate.standard_error},
                 {"interval", json_of(value.normal)},
                 {"bootstrap_standard_error", value.bootstrap_error},
                 {"bootstrap_interval", json_of(value.percentile)}};
    if (!value.estimate.reason.empty()) json["reason"] = value.estimate.reason;
    return json;
}

// Omits the value if only bounds are known.
Json json_of(const BoundedValue& value) {
    const BoundedEstimate& estimate = value.estimate;
    Json json = {{"value", estimate.identified() ? Json(estimate.lower.value) : Json()},
                 {"bounds", Json::array({estimate.lower.value, estimate.upper.value})},
                 {"standard_errors", Json::array({estimate.lower.standard_error, estimate.upper.standard_error})},
                 {"interval", json_of(value.normal)},
                 {"bootstrap_interval", json_of(value.percentile)}};
    if (!estimate.lower.reason.empty()) json["reason"] = estimate.lower.reason;
    return json;
}

Json json_of(const MeanEstimate& estimate) {
    if (!estimate.known) return {{"value", nullptr}, {"reason", estimate.reason}};
    const ValueAndError& known = *estimate.known;
    if (!known.upper)
        return {{"value", known.value},
                {"standard_error", known.standard_error},
                {"interval", interval(known.value, known.low, known.high)}};
    return {{"value", nullptr},
            {"bounds", Json::array({known.value, known.upper->value})},
            {"standard_errors", Json::array({known.standard_error, known.upper->standard_error})},
            {"interval", interval(0.5 * (known.value + known.upper->value), known.low, known.high)}};
}

// JSON has no infinity.
Json lambda_json(const std::optional<double>& lambda) {
    return lambda && std::isinf(*lambda) ? Json("infinity") : Json(lambda);
}

Json json_of(const SupportedValue& supported, const Overlap& overlap) {
    const std::optional<TippingPoint>& tipping = supported.tipping_point;
    return {{"epsilon", supported.rule.by_design ? Json() : Json(supported.rule.epsilon)},
            {"by_design", supported.rule.by_design},
            {"supported_share", 1 - overlap.unsupported_share},
            {"unsupported_rows", overlap.unsupported},
            {"outcome_range",
             {{"least", supported.range.least},
              {"greatest", supported.range.greatest},
              {"origin", name_of(supported.range.origin)}}},
            {"value", json_of(supported.value)},
            {"gain", json_of(supported.gain)},
            {"where_supported", json_of(supported.where_supported)},
            {"gain_where_supported", json_of(supported.gain_where_supported)},
            {"unsupported_outcome", tipping ? Json(tipping->now) : Json()},
            {"tipping_point", tipping ? Json(tipping->outcome) : Json()},
            {"unsupported_bounds", tipping ? Json::array({tipping->least, tipping->greatest}) : Json()},
            {"sensitivity",
             {{"lambda", lambda_json(supported.sensitivity.lambda)},
              {"low", lambda_json(supported.sensitivity.low)},
              {"high", lambda_json(supported.sensitivity.high)}}},
            {"disagreement_with_model", supported.disagreement}};
}

Json json_of(const PropensityReport& report) {
    Json json = {{"known", report.known}, {"log_loss", report.log_loss}, {"tried", Json::array()}};
    for (const PropensityTrial& trial : report.trials)
        json["tried"].push_back({{"model", name_of(trial.model)},
                                 {"log_loss", trial.log_loss},
                                 {"calibrated_log_loss", trial.calibrated_log_loss},
                                 {"weight", trial.weight}});
    return json;
}

Json json_of(const Overlap& overlap, const EvaluationNames& names) {
    Json json = {{"verdict", name_of(overlap.verdict)},
                 {"words", overlap.words},
                 {"matched_rows", overlap.matched},
                 {"effective_rows", overlap.effective_rows},
                 {"unsupported_rows", overlap.unsupported},
                 {"unsupported_share", overlap.unsupported_share},
                 {"some_unsupported_share", overlap.some_unsupported_share},
                 {"treatments", Json::array()}};
    for (std::size_t k = 0; k < overlap.treatments.size(); ++k) {
        const TreatmentOverlap& each = overlap.treatments[k];
        json["treatments"].push_back({{"treatment", names.treatments[k]},
                                      {"received", each.received},
                                      {"prescribed", each.prescribed},
                                      {"histogram", each.all_rows},
                                      {"histogram_received", each.received_rows},
                                      {"smallest", each.smallest},
                                      {"smallest_received", each.smallest_received},
                                      {"unsupported_share", each.unsupported_share},
                                      {"effective_rows", each.effective_rows}});
    }
    return json;
}

Json groups_json(const std::vector<GroupValue>& groups, const std::vector<std::string>& group_names,
                 const EvaluationNames& names) {
    Json list = Json::array();
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const GroupValue& group = groups[g];
        Json each = {{"name", group_names[g]},
                     {"rows", group.rows},
                     {"received", group.received},
                     {"prescribed", group.prescribed},
                     {"observed", json_of(group.observed)},
                     {"policy", json_of(group.policy)},
                     {"treatments", Json::object()},
                     {"margin", json_of(group.margin)},
                     {"rival", group.rival ? Json(names.treatments[static_cast<std::size_t>(*group.rival)]) : Json()},
                     {"never_observed", Json::array()}};
        for (std::size_t k = 0; k < group.treatments.size(); ++k)
            each["treatments"][names.treatments[k]] = json_of(group.treatments[k]);
        for (const int k : group.never_observed)
            each["never_observed"].push_back(names.treatments[static_cast<std::size_t>(k)]);
        list.push_back(std::move(each));
    }
    return list;
}

Json json_of(const RankedGain& ranked) {
    Json json = {{"autoc", json_of(ranked.autoc)}, {"qini", json_of(ranked.qini)}, {"qini_curve", Json::array()}};
    for (const QiniPoint& point : ranked.qini_curve)
        json["qini_curve"].push_back({{"share", point.share}, {"gain", point.gain}, {"random", point.random}});
    return json;
}

Json json_of(const Calibration& calibration) {
    Json json = {{"slope", json_of(calibration.slope)}, {"groups", Json::array()}};
    for (const CalibrationGroup& group : calibration.groups)
        json["groups"].push_back({{"rows", group.rows},
                                  {"predicted_range", Json::array({group.lowest, group.highest})},
                                  {"predicted", group.predicted},
                                  {"estimated", json_of(group.estimated)}});
    return json;
}

Json json_of(const PersonalizingTest& test, const EvaluationNames& names) {
    Json json = {{"over_best", json_of(test.over_best)},
                 {"best", test.best ? Json(names.treatments[static_cast<std::size_t>(*test.best)]) : Json()},
                 {"p_value", test.p_value},
                 {"over_each", Json::object()}};
    json["cannot_be_compared"] = Json::array();
    for (const int k : test.not_compared)
        json["cannot_be_compared"].push_back(names.treatments[static_cast<std::size_t>(k)]);
    for (std::size_t k = 0; k < test.over_each.size(); ++k)
        json["over_each"][names.treatments[k]] = json_of(test.over_each[k]);
    return json;
}

Json json_of(const RiskDifference& risk) {
    return {{"rows", risk.rows},
            {"effective_rows", risk.effective_rows},
            {"difference", json_of(risk.difference)},
            {"number_needed", risk.needed.value},
            {"to", risk.needed.to_benefit ? "benefit" : "harm"},
            {"number_needed_interval", risk.needed.low && risk.needed.high
                                           ? interval(*risk.needed.value, *risk.needed.low, *risk.needed.high)
                                           : Json()},
            {"reason", risk.needed.reason}};
}

}  // namespace

std::string evaluation_json(const Evaluation& evaluation, const EvaluationNames& names) {
    Json json = {{"rows", evaluation.rows},
                 {"which_rows", names.rows},
                 {"held_out", evaluation.held_out},
                 {"recommended", names.recommended},
                 {"recommendation", names.recommendation},
                 {"estimand", "the mean of '" + names.outcome + "' if every row received its prescription"},
                 {"assumptions", Json::array({"no unmeasured confounding", "overlap", "consistency"})},
                 {"better", names.larger_is_better ? "larger" : "smaller"},
                 {"level", names.level},
                 {"supported", json_of(evaluation.supported, evaluation.overlap)},
                 {"extrapolating", evaluation.overlap.unsupported > 0},
                 {"values", Json::object()},
                 {"compared", Json::array()}};
    for (const EstimatedValue& each : evaluation.values) {
        Json value = json_of(each.value);
        value["clipped"] = each.value.estimate.clipped;
        value["matched"] = each.value.estimate.matched;
        json["values"][std::string(name_of(each.estimator))] = std::move(value);
    }
    for (const ComparedValue& each : evaluation.compared)
        json["compared"].push_back(
            {{"with", each.name},
             {"value", json_of(each.value)},
             {"difference", json_of(each.difference)},
             {"unsupported_share", each.unsupported_share},
             {"cannot_be_compared", each.cannot_be_compared.empty() ? Json() : Json(each.cannot_be_compared)}});
    json["as_treated"] = json_of(evaluation.as_treated);
    json["self_assessed_value"] = evaluation.self_assessed;
    json["propensities"] = json_of(evaluation.propensity);
    if (evaluation.training_sample) json["training_rows_per_fold"] = *evaluation.training_sample;
    json["overlap"] = json_of(evaluation.overlap, names);
    json["balance"] = Json::array();
    for (const CovariateBalance& each : evaluation.balance)
        json["balance"].push_back({{"input", names.inputs[each.column]},
                                   {"treatment", names.treatments[static_cast<std::size_t>(each.treatment)]},
                                   {"before", each.before},
                                   {"after", each.after}});
    json["balance_within_bins"] = {{"checked", evaluation.bin_balance.checked},
                                   {"notable", evaluation.bin_balance.notable}};
    json["low_propensities"] = Json::array();
    for (const LowPropensities& low : evaluation.low_propensities)
        json["low_propensities"].push_back({{"treatment", names.treatments[static_cast<std::size_t>(low.treatment)]},
                                            {"from", low.from},
                                            {"to", low.to},
                                            {"rows", low.rows},
                                            {"predicted", low.predicted},
                                            {"observed", low.observed},
                                            {"too_high", low.too_high}});
    json["received_by_prescribed"] = evaluation.cross_table;
    json["personalizing"] = json_of(evaluation.personalizing, names);
    json["rows_with_both_supported"] = evaluation.both_supported;
    json["ranking"] = evaluation.ranked ? json_of(*evaluation.ranked) : Json();
    json["calibration"] = evaluation.calibration ? json_of(*evaluation.calibration) : Json();
    json["risk"] = evaluation.risk ? json_of(*evaluation.risk) : Json();
    json["leaves"] = groups_json(evaluation.leaves, names.leaves, names);
    json["groups"] = groups_json(evaluation.groups, names.groups, names);
    return json.dump(2, InvalidUtf8::replace) + "\n";
}

}  // namespace polyrx
