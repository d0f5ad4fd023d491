// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/score_policy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/text/number_text.hpp"
#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/study/columns_by_treatment.hpp"

namespace polyrx {

PolicyScore score_policy(const PolicySource& policy, const DataText& data, const std::vector<std::string>& truth,
                         const PrescribeOptions& options, const Progress& progress) {
    if (!policy.model()) throw usage_error("--truth is for a model or a tree, not for always: or column:");
    const Policy& model = *policy.model();
    PolicyScore score;
    score.treatments = model.treatments;
    score.columns = columns_by_treatment("--truth", model.treatments, truth, "the model has");
    score.objective = model.objective;
    score.recommendation = model.recommendation;
    if (model.provenance.test_fraction > 0)
        score.notes.emplace_back(
            "all rows are scored: also those that the model learned from, if they are in the file");
    std::vector<ColumnSchema> read;
    read.reserve(score.columns.size());
    for (const std::string& column : score.columns) read.push_back({.name = column, .type = ColumnType::numeric});
    const Table rows = parse_for(model, data, read, progress);
    if (rows.rows() == 0) throw data_error(fmt::format("{} has no rows", rows.where()));
    const Prescriptions prescriptions = prescribe_for(policy, {rows, {}, model.treatments}, options, progress);
    score.truth = score_against_truth(prescriptions.treatment, truth_matrix(rows, score.columns),
                                      model.objective == Objective::max);
    return score;
}

std::string text_of(const PolicyScore& score) {
    const TruthScore& truth = score.truth;
    const auto& outcomes = truth.treatment_outcomes;
    const auto best = score.objective == Objective::max ? std::max_element(outcomes.begin(), outcomes.end())
                                                        : std::min_element(outcomes.begin(), outcomes.end());
    const auto constant = static_cast<std::size_t>(best - outcomes.begin());
    const double constant_regret =
        score.objective == Objective::max ? truth.best_outcome - *best : *best - truth.best_outcome;
    const std::string always = fmt::format("always {}", one_line(score.treatments[constant]));
    const std::size_t width = std::max<std::size_t>(display_width(always), 13);
    std::string text = fmt::format("{} with known truth\n", counted(truth.rows, "row"));
    text += fmt::format("{:{}}  {:>9}  {:>9}  {:>13}\n", "", width, "accuracy", "regret", "mean outcome");
    const NumberWriter number(std::max(std::abs(truth.best_outcome), std::abs(truth.outcome)));
    const auto add = [&](const std::string& name, double accuracy, double regret, double outcome) {
        text += fmt::format("{}  {:>7.1f} %  {:>9}  {:>13}\n", padded(name, width), 100 * accuracy, number(regret),
                            number(outcome, 5));
    };
    add("this policy", truth.accuracy, truth.regret, truth.outcome);
    add(always, truth.treatment_accuracies[constant], constant_regret, *best);
    add("best possible", 1, 0, truth.best_outcome);
    return text;
}

Json json_of(const PolicyScore& score) {
    const TruthScore& truth = score.truth;
    const std::optional<Recommendation>& recommendation = score.recommendation;
    Json json = {{"rows", truth.rows},       {"accuracy", truth.accuracy},         {"regret", truth.regret},
                 {"outcome", truth.outcome}, {"best_outcome", truth.best_outcome}, {"always", Json::array()}};
    json["recommended"] = recommendation ? Json(recommendation->recommended) : Json();
    json["recommendation"] = recommendation ? Json(recommendation->sentence) : Json();
    for (std::size_t k = 0; k < score.treatments.size(); ++k)
        json["always"].push_back({{"treatment", score.treatments[k]},
                                  {"truth", score.columns[k]},
                                  {"accuracy", truth.treatment_accuracies[k]},
                                  {"outcome", truth.treatment_outcomes[k]}});
    return json;
}

}  // namespace polyrx
