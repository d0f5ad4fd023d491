// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "polyrx/core/every_row.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/evaluate/bootstrap.hpp"
#include "polyrx/evaluate/compared_policies.hpp"
#include "polyrx/evaluate/doubly_robust.hpp"
#include "polyrx/evaluate/normal_quantile.hpp"
#include "polyrx/evaluate/policy_difference.hpp"
#include "polyrx/evaluate/self_assessed.hpp"

namespace polyrx {
namespace {

bool is_asked(const EvaluationOptions& options, Estimator estimator) {
    return std::ranges::find(options.estimators, estimator) != options.estimators.end();
}

// Estimates that are bootstrapped together, so that differences see the same samples.
class Intervals {
public:
    Intervals(std::span<const std::size_t> group, const EvaluationOptions& options)
        : group_(group), options_(options) {}

    // The number of an estimate, to ask for its intervals by once all are known.
    std::size_t add(const ValueEstimate& estimate) {
        estimates_.push_back(estimate);
        return estimates_.size() - 1;
    }

    void draw() {
        std::vector<RowTerms> terms;
        column_.assign(estimates_.size(), -1);
        for (std::size_t i = 0; i < estimates_.size(); ++i) {
            if (!estimates_[i].value || estimates_[i].terms.rows() == 0) continue;
            column_[i] = static_cast<Eigen::Index>(terms.size());
            terms.push_back(estimates_[i].terms);
        }
        if (options_.draws > 0 && !terms.empty())
            draws_ = bootstrap(
                terms, group_,
                {.draws = options_.draws, .seed = options_.nuisances.seed, .threads = options_.nuisances.threads});
    }

    [[nodiscard]] IntervalledValue value(std::size_t number) const {
        return intervalled(estimates_[number], drawn(number));
    }

    [[nodiscard]] IntervalledValue difference(const ValueEstimate& estimate, std::size_t policy,
                                              std::size_t other) const {
        Vector draws = drawn(policy);
        const Vector others = drawn(other);
        draws = draws.size() == others.size() ? Vector(draws - others) : Vector();
        return intervalled(estimate, draws);
    }

private:
    [[nodiscard]] Vector drawn(std::size_t number) const {
        return draws_.size() == 0 || column_[number] < 0 ? Vector() : Vector(draws_.col(column_[number]));
    }

    [[nodiscard]] IntervalledValue intervalled(const ValueEstimate& estimate, const Vector& drawn) const {
        IntervalledValue result{estimate, normal_interval(estimate, two_sided_factor(options_.level)), {}};
        if (drawn.size() > 0) {
            const std::span draws(drawn.data(), static_cast<std::size_t>(drawn.size()));
            result.percentile = percentile_interval(estimate, draws, options_.level);
            result.bootstrap_error = bootstrap_standard_error(draws);
        } else {
            result.percentile.reason = options_.draws == 0 ? "no draws were asked for" : estimate.reason;
        }
        return result;
    }

    std::span<const std::size_t> group_;
    const EvaluationOptions& options_;
    std::vector<ValueEstimate> estimates_;
    std::vector<Eigen::Index> column_;
    Matrix draws_;
};

// What the policy is worth, and what else would be, by every estimator that was asked for.
void estimate_values(const JudgedPolicy& judged, const EvaluatedRows& rows, std::span<const RowSplit> folds,
                     const EvaluationOptions& options, Evaluation& result) {
    Intervals intervals(judged.group, options);
    const double least = options.least_propensity;
    std::vector<ValueEstimate> estimates;
    std::vector<std::size_t> numbers;
    // To do what was done is no function of the features, which estimators take a policy to be; but its value was seen.
    const bool as_treated = std::ranges::equal(judged.prescriptions, rows.treatment);
    for (const Estimator estimator : options.estimators) {
        estimates.push_back(as_treated ? value_as_treated(rows)
                                       : policy_value(rows, judged.prescriptions, estimator, least));
        numbers.push_back(intervals.add(estimates.back()));
    }
    const Estimator headline = result.headline;
    const auto place =
        static_cast<std::size_t>(std::ranges::find(options.estimators, headline) - options.estimators.begin());
    const std::size_t policy = numbers[place];

    struct Other {
        std::string name;
        ValueEstimate estimate;
    };
    std::vector<Other> others = {{"as treated", value_as_treated(rows)}};
    const CrossFittedConstant constant = best_constant(rows, folds, headline, least, judged.larger_is_better);
    const std::string constant_name =
        constant.for_all ? "always " + judged.observations.treatments[static_cast<std::size_t>(*constant.for_all)]
                         : std::string("best constant");
    others.push_back({constant_name, policy_value(rows, constant.prescriptions, headline, least)});
    others.push_back({"the same shares at random", value_of_random(rows, judged.prescriptions, headline, least)});
    if (!judged.against.empty())
        others.push_back({judged.against_name, policy_value(rows, judged.against, headline, least)});

    std::vector<std::size_t> other_numbers;
    for (const Other& other : others) other_numbers.push_back(intervals.add(other.estimate));
    intervals.draw();
    for (std::size_t i = 0; i < numbers.size(); ++i)
        result.values.push_back({options.estimators[i], intervals.value(numbers[i])});
    result.as_treated = intervals.value(other_numbers.front());
    for (std::size_t i = 0; i < others.size(); ++i)
        result.compared.push_back({others[i].name, intervals.value(other_numbers[i]),
                                   intervals.difference(policy_difference(rows, estimates[place], others[i].estimate),
                                                        policy, other_numbers[i])});
}

void withhold(IntervalledValue& value, const std::string& reason) {
    value.estimate.value.reset();
    value.estimate.standard_error.reset();
    value.estimate.reason = reason;
    value.normal = {std::nullopt, reason};
    value.percentile = {std::nullopt, reason};
    value.bootstrap_error.reset();
}

// Where the data cannot answer, there is no number: it would be that of a handful of rows, however narrow its interval.
// The direct method goes on: it never asked them.
void withhold_what_cannot_be_answered(Evaluation& evaluation) {
    const std::string why =
        fmt::format("the rows that received what is prescribed count as {:.0f}, and {:.0f} are needed",
                    evaluation.overlap.effective_rows, Overlap::least_effective_rows);
    const std::string reason = "not estimable: " + why;
    for (EstimatedValue& each : evaluation.values)
        if (each.estimator != Estimator::dm) withhold(each.value, reason);
    for (ComparedValue& each : evaluation.compared) withhold(each.difference, reason);
    evaluation.personalising.over_best = not_estimable(why);
    evaluation.personalising.p_value.reset();
    for (MeanEstimate& each : evaluation.personalising.over_each) each = not_estimable(why);
    if (evaluation.risk) {
        evaluation.risk->difference = not_estimable(why);
        evaluation.risk->needed = {};
        evaluation.risk->needed.reason = reason;
    }
}

// Treatment 1 minus treatment 0.
std::vector<double> predicted_contrast(const Matrix& predicted) {
    const Vector contrast = predicted.col(1) - predicted.col(0);
    return {contrast.begin(), contrast.end()};
}

}  // namespace

Evaluation evaluate(const JudgedPolicy& judged, const EvaluationOptions& options, const Progress& progress) {
    const Observations& observations = judged.observations;
    const auto treatments = static_cast<int>(observations.treatments.size());
    Evaluation result;
    result.rows = observations.rows();
    result.held_out = judged.held_out;
    if (judged.predicted.size() > 0)
        result.self_assessed = self_assessed_value(judged.prescriptions, judged.predicted, observations);
    result.headline = is_asked(options, Estimator::dr) ? Estimator::dr : options.estimators.front();

    const Matrix encoded = judged.encoder.encode(observations.features, Unseen::ignore);
    const FeatureRows features = feature_rows(judged.encoder, encoded);
    const TreatedRows study{features, observations.treatment, treatments, observations.outcome, observations.weight};
    const std::vector<std::size_t> rows = every_row(observations.rows());
    const StudyDesign design{judged.group, judged.propensities, observations.treatments};
    const Nuisances nuisances = cross_fit(study, rows, options.nuisances, design, progress);
    result.propensity = nuisances.propensity;

    const EvaluatedRows evaluated{observations.treatment, observations.outcome, nuisances.outcomes,
                                  nuisances.propensities, observations.weight,  judged.group};
    estimate_values(judged, evaluated, nuisances.folds, options, result);
    result.balance = covariate_balance(judged.encoder, encoded, observations.treatment, nuisances.propensities,
                                       {options.least_propensity, observations.weight});

    const DoublyRobust scored = doubly_robust_from(nuisances.outcomes, nuisances.propensities, observations.treatment,
                                                   observations.outcome, options.least_propensity);
    const ScoredRows rows_scored{scored.scores,          scored.propensities,  observations.treatment,
                                 observations.outcome,   judged.prescriptions, {observations.weight, judged.group},
                                 judged.larger_is_better};
    result.overlap = overlap_of(rows_scored, {.least_propensity = options.least_propensity});
    result.cross_table = cross_table(rows_scored);
    result.personalising = test_personalising(rows_scored, options.level);
    if (treatments == 2 && judged.predicted.size() > 0) {
        const std::vector<double> contrast = predicted_contrast(judged.predicted);
        std::vector<double> gain = contrast;
        if (!judged.larger_is_better) std::ranges::transform(gain, gain.begin(), std::negate());
        result.ranked = ranked_gain(rows_scored, gain, options.level);
        result.calibration = calibrate_contrast(rows_scored, {1, 0, contrast}, 5, options.level);
    }
    if (is_binary(observations.outcome)) result.risk = risk_difference(rows_scored, options.level);
    const auto by = [&](const Partition* partition) {
        return partition ? value_by_group(rows_scored, partition->part, partition->names.size(), options.level)
                         : std::vector<GroupValue>{};
    };
    result.leaves = by(judged.leaves);
    result.groups = by(judged.by);
    if (result.overlap.verdict == OverlapVerdict::not_answerable) withhold_what_cannot_be_answered(result);
    return result;
}

}  // namespace polyrx
