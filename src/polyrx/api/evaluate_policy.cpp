// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/evaluate_policy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "polyrx/core/text/utf8.hpp"
#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/study/columns_by_treatment.hpp"
#include "polyrx/study/splits/folds_for.hpp"

namespace polyrx {
namespace {

constexpr std::size_t most_groups = 50;

// Additional columns to read besides features, treatment, outcome and weight, without duplicates.
std::vector<ColumnSchema> asked_columns(const PolicySource& policy, const PolicySource* against,
                                        const std::string& by) {
    std::vector<ColumnSchema> columns;
    const auto ask = [&](const std::string& name) {
        if (!name.empty() && std::ranges::find(columns, name, &ColumnSchema::name) == columns.end())
            columns.push_back({.name = name});
    };
    ask(policy.column);
    if (against) ask(against->column);
    ask(by);
    return columns;
}

// The model's own support.
struct ModelSupport {
    double epsilon = default_epsilon;
    std::vector<char> supported;  // by row: whether the prescription is supported; empty if the model extrapolates
};

ModelSupport support_of(const PolicySource& source, const JudgedRows& rows, std::span<const int> prescriptions) {
    ModelSupport result;
    const Policy* model = source.model();
    if (!model || !model->rules.support) return result;
    result.epsilon = judging_epsilon(model->rules.support);
    const Matrix encoded = model->encoder.encode(rows.observations.features, Unseen::ignore);
    const std::vector<TreatmentSet> supported = model->rules.bound.supported(encoded);
    for (std::size_t i = 0; i < supported.size(); ++i)
        result.supported.push_back(has(supported[i], prescriptions[i]) ? 1 : 0);
    return result;
}

// Prescriptions of another policy for the same rows, with its own encoder.
std::vector<int> prescriptions_against(const PolicySource& against, const DataText& data, const JudgedRows& rows,
                                       const PrescribeOptions& options, const Progress& progress) {
    const Table features = features_for(against, data, rows, progress);
    return prescribe_for(against, {features, rows.columns, rows.observations.treatments}, options, progress).treatment;
}

EvaluationNames names_of(const PolicySource& policy, const JudgedRows& rows, const EvaluatePolicyOptions& options) {
    EvaluationNames names;
    names.rows = rows.words;
    names.outcome = rows.observations.outcome_name;
    names.treatments = rows.observations.treatments;
    for (const EncodedColumn& column : rows.encoder.columns()) names.inputs.push_back(column.name);
    names.by = options.by;
    names.larger_is_better = rows.larger_is_better;
    names.level = options.evaluation.level;
    if (policy.model() && policy.model()->recommendation) {
        names.recommended = policy.model()->recommendation->recommended;
        names.recommendation = policy.model()->recommendation->sentence;
    }
    return names;
}

// Replaces line ends in names, so that each stays on one line of a table.
EvaluationNames on_one_line_each(EvaluationNames names) {
    const auto clean = [](std::string& name) { name = without_controls(name, LineEnds::escape); };
    clean(names.rows);
    clean(names.outcome);
    clean(names.by);
    for (auto* list : {&names.treatments, &names.inputs, &names.leaves, &names.groups})
        std::ranges::for_each(*list, clean);
    if (names.recommendation) clean(*names.recommendation);
    return names;
}

}  // namespace

PolicyEvaluation evaluate_policy(const PolicySource& policy, const PolicySource* against, const DataText& data,
                                 const EvaluatePolicyOptions& options, const Progress& progress) {
    const JudgedRows rows =
        judged_rows(policy, data, options.study, asked_columns(policy, against, options.by), options.rows, progress);
    const Observations& observations = rows.observations;
    PolicyEvaluation result;
    result.names = names_of(policy, rows, options);
    result.notes = observations.notes;

    const PrescribeOptions prescribing{
        .unseen = options.unseen, .threads = options.evaluation.nuisances.threads, .outcomes = true};
    const Prescriptions prescriptions =
        prescribe_for(policy, {observations.features, rows.columns, observations.treatments}, prescribing, progress);
    std::vector<int> other;
    if (against) other = prescriptions_against(*against, data, rows, prescribing, progress);
    if (const std::vector<std::string>& given = options.study.roles.propensities; !given.empty())
        result.notes.push_back(
            pairs_sentence("propensities", observations.treatments,
                           texts_by_treatment("--propensities", observations.treatments, given, "there are")));
    if (against && may_have_learned_from(*against, policy))
        result.warnings.push_back(fmt::format(
            "{} was not fitted with the same rows held out: it may have learned from these, which flatters it",
            against->text));
    const std::optional<Partition> leaves = leaves_of(policy, observations.features);
    if (leaves) result.names.leaves = leaves->names;
    std::optional<Partition> by;
    if (!options.by.empty()) by = values_of(rows, options.by, most_groups);
    if (by) result.names.groups = by->names;

    const ModelSupport model_support = support_of(policy, rows, prescriptions.treatment);
    const JudgedPolicy judged{.observations = observations,
                              .encoder = rows.encoder,
                              .prescriptions = prescriptions.treatment,
                              .larger_is_better = rows.larger_is_better,
                              .predicted = prescriptions.outcomes,
                              .against = other,
                              .against_name = against ? against->text : std::string(),
                              .leaves = leaves ? &*leaves : nullptr,
                              .by = by ? &*by : nullptr,
                              .group = observations.group,
                              .propensities = observations.known_design(),
                              .held_out = rows.held_out,
                              .supported_by_model = model_support.supported};
    EvaluationOptions evaluating = options.evaluation;
    evaluating.nuisances.folds = folds_for(observations.group, evaluating.nuisances.folds);
    evaluating.epsilon = options.epsilon.value_or(model_support.epsilon);
    result.evaluation = evaluate(judged, evaluating, progress);
    return result;
}

std::string text_of(const PolicyEvaluation& evaluated) {
    return evaluation_text(evaluated.evaluation, on_one_line_each(evaluated.names));
}

std::string json_text_of(const PolicyEvaluation& evaluated) {
    return evaluation_json(evaluated.evaluation, evaluated.names);
}

std::string pairs_sentence(std::string_view what, const std::vector<std::string>& treatments,
                           const std::vector<std::string>& texts) {
    std::vector<std::string> pairs;
    for (std::size_t k = 0; k < texts.size(); ++k)
        pairs.push_back(fmt::format("{} = {}", one_line(treatments[k]), one_line(texts[k])));
    return fmt::format("{}: {}", what, fmt::join(pairs, ", "));
}

}  // namespace polyrx
