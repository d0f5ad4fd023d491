// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/core/every_row.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/evaluate/effects/scored_part.hpp"
#include "polyrx/evaluate/value/bounded_interval.hpp"
#include "polyrx/evaluate/value/compared_policies.hpp"
#include "polyrx/evaluate/value/policy_difference.hpp"
#include "polyrx/evaluate/value/self_assessed.hpp"
#include "polyrx/nuisance/doubly_robust.hpp"
#include "polyrx/statistics/bootstrap.hpp"
#include "polyrx/statistics/normal_quantile.hpp"

namespace polyrx {
namespace {

// Bootstraps estimates together, so that differences use the same samples.
class Intervals {
public:
    Intervals(std::span<const std::size_t> group, const EvaluationOptions& options)
        : group_(group), options_(options) {}

    // Returns the index of the estimate. Its intervals are available after all estimates are added and drawn.
    std::size_t add(const ValueEstimate& estimate) {
        estimates_.push_back(estimate);
        return estimates_.size() - 1;
    }

    void draw(const Progress& progress) {
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
                {.draws = options_.draws, .seed = options_.nuisances.seed, .threads = options_.nuisances.threads},
                progress);
    }

    [[nodiscard]] IntervalledValue value(std::size_t number) const {
        return intervalled(estimates_[number], drawn(number));
    }

    // The difference between two drawn estimates.
    [[nodiscard]] IntervalledValue difference(const ValueEstimate& estimate, std::size_t of, std::size_t other) const {
        return intervalled(estimate, drawn_difference(of, other));
    }

    struct Bounds {
        std::size_t lower;
        std::size_t upper;
    };

    Bounds add(const BoundedEstimate& estimate) {
        const std::size_t lower = add(estimate.lower);
        return {lower, add(estimate.upper)};
    }

    [[nodiscard]] BoundedValue value(const BoundedEstimate& estimate, Bounds numbers) const {
        return bounded(estimate, drawn(numbers.lower), drawn(numbers.upper));
    }

    // A bounded difference between drawn estimates.
    [[nodiscard]] BoundedValue difference(const BoundedEstimate& estimate, Bounds of, Bounds other) const {
        return bounded(estimate, drawn_difference(of.lower, other.upper), drawn_difference(of.upper, other.lower));
    }

private:
    [[nodiscard]] Vector drawn(std::size_t number) const {
        return draws_.size() == 0 || column_[number] < 0 ? Vector() : Vector(draws_.col(column_[number]));
    }

    [[nodiscard]] Vector drawn_difference(std::size_t of, std::size_t other) const {
        const Vector draws = drawn(of);
        const Vector others = drawn(other);
        return draws.size() == others.size() ? Vector(draws - others) : Vector();
    }

    [[nodiscard]] BoundedValue bounded(const BoundedEstimate& estimate, const Vector& lower,
                                       const Vector& upper) const {
        BoundedValue result{estimate, bounded_interval(estimate, two_sided_factor(options_.level)), {}};
        const auto all = [](const Vector& draws) {
            return std::span(draws.data(), static_cast<std::size_t>(draws.size()));
        };
        if (lower.size() > 0 && upper.size() > 0)
            result.percentile = bounded_percentile_interval(estimate, all(lower), all(upper), options_.level);
        else
            result.percentile.reason = options_.draws == 0 ? "no draws were asked for" : estimate.lower.reason;
        return result;
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

// The evaluated rows with everything derived from them.
struct Judged {
    const JudgedPolicy& policy;
    const EvaluatedRows& rows;
    std::span<const RowSplit> folds;
    std::span<const TreatmentSet> supported;
    OutcomeRange range;
    double least;  // least propensity
    // Current practice is not a function of the features, as estimators assume of a policy, but its value is observed.
    bool as_treated;

    [[nodiscard]] BoundedEstimate bounded(std::span<const int> prescriptions) const {
        return bounded_value(rows, {prescriptions, supported_prescriptions(supported, prescriptions)}, range, least);
    }
};

BoundedEstimate known(const ValueEstimate& estimate) {
    return {estimate, estimate};
}

// A policy to compare with.
struct Other {
    std::string name;
    BoundedEstimate value;
    BoundedEstimate difference;          // the evaluated policy minus this one
    Intervals::Bounds value_number{};    // in the bootstrap
    Intervals::Bounds against_number{};  // the estimate that the difference subtracts, paired with the policy's rows
    double unsupported_share = 0;
    double effective_rows = std::numeric_limits<double>::infinity();  // rows that its value rests on
};

// The weighted share of rows where `other` differs from the policy and is not supported.
double unsupported_where_different(const Judged& judged, std::span<const int> other) {
    WeightedMean share;
    for (std::size_t i = 0; i < other.size(); ++i)
        share.add(other[i] != judged.policy.prescriptions[i] && !has(judged.supported[i], other[i]) ? 1 : 0,
                  judged.rows.weight_of(i));
    return share.mean();
}

void withhold(IntervalledValue& value, const std::string& reason) {
    value.estimate.value.reset();
    value.estimate.standard_error.reset();
    value.estimate.reason = reason;
    value.normal = {std::nullopt, reason};
    value.percentile = {std::nullopt, reason};
    value.bootstrap_error.reset();
}

void withhold(BoundedValue& value, const std::string& reason) {
    for (ValueEstimate* bound : {&value.estimate.lower, &value.estimate.upper}) {
        bound->value.reset();
        bound->standard_error.reset();
        bound->reason = reason;
    }
    value.normal = {std::nullopt, reason};
    value.percentile = {std::nullopt, reason};
}

// The effective sample size of a mean that weights a row by the probability that a policy prescribes the received
// treatment. Only rows where that treatment is supported count.
template <class ShareOf>
double effective_rows(const Judged& judged, const ShareOf& share_of) {
    EffectiveRows effective;
    for (std::size_t i = 0; i < judged.supported.size(); ++i) {
        const int received = judged.rows.treatment[i];
        if (!has(judged.supported[i], received)) continue;
        const double propensity = judged.rows.propensities(static_cast<Eigen::Index>(i), received);
        effective.add(judged.rows.weight_of(i) * share_of(i) / std::max(propensity, judged.least));
    }
    return effective.count();
}

class Comparison {
public:
    Comparison(const Judged& judged, const BoundedEstimate& policy, Intervals& intervals)
        : judged_(judged), policy_(policy), intervals_(intervals) {}

    void add_known(std::string name, const ValueEstimate& value) {
        const BoundedEstimate bounded = known(value);
        add({std::move(name), bounded, bounded_difference(judged_.rows, policy_, value)}, bounded);
    }

    void add_policy(std::string name, std::span<const int> prescriptions) {
        if (std::ranges::equal(prescriptions, judged_.rows.treatment))
            return add_known(std::move(name), value_as_treated(judged_.rows));
        const BoundedEstimate value = judged_.bounded(prescriptions);
        const BoundedEstimate against =
            judged_.as_treated ? value
                               : paired_with(judged_.rows, policy_, judged_.policy.prescriptions, value, prescriptions);
        const double effective = effective_rows(
            judged_, [&](std::size_t i) { return judged_.rows.treatment[i] == prescriptions[i] ? 1.0 : 0.0; });
        add({std::move(name),
             value,
             bounded_difference(judged_.rows, policy_, against),
             {},
             {},
             unsupported_where_different(judged_, prescriptions),
             effective},
            against);
    }

    // Adds random assignment of the policy's treatments.
    void add_random(std::string name, std::span<const BoundedEstimate> constants) {
        const std::span<const int> prescriptions = judged_.policy.prescriptions;
        const BoundedEstimate value = value_of_random(judged_.rows, prescriptions, constants);
        const BoundedEstimate against =
            judged_.as_treated ? value : random_paired_with(judged_.rows, policy_, prescriptions, constants);
        std::vector<double> shares(constants.size());
        double total = 0;
        for (std::size_t i = 0; i < prescriptions.size(); ++i) {
            shares[static_cast<std::size_t>(prescriptions[i])] += judged_.rows.weight_of(i);
            total += judged_.rows.weight_of(i);
        }
        double unsupported = 0;
        for (std::size_t k = 0; k < shares.size(); ++k)
            unsupported +=
                shares[k] / total *
                unsupported_where_different(judged_, std::vector<int>(prescriptions.size(), static_cast<int>(k)));
        const double effective = effective_rows(
            judged_, [&](std::size_t i) { return shares[static_cast<std::size_t>(judged_.rows.treatment[i])]; });
        add({std::move(name),
             value,
             bounded_difference(judged_.rows, policy_, against),
             {},
             {},
             unsupported,
             effective},
            against);
    }

    // Requires that all estimates are drawn.
    [[nodiscard]] std::vector<ComparedValue> compared(Intervals::Bounds policy) const {
        std::vector<ComparedValue> result;
        for (const Other& other : others_) {
            ComparedValue each{other.name, intervals_.value(other.value, other.value_number),
                               intervals_.difference(other.difference, policy, other.against_number),
                               other.unsupported_share};
            const auto& interval = each.difference.normal.interval;
            if (other.unsupported_share > ComparedValue::most_unsupported &&
                !(interval && (interval->low > 0 || interval->high < 0)))
                each.cannot_be_compared =
                    fmt::format("not supported for {:.0f} % of rows", 100 * other.unsupported_share);
            if (other.effective_rows < least_effective_rows) {
                const std::string reason = too_few_rows(other.effective_rows, least_effective_rows).reason;
                withhold(each.value, reason);
                withhold(each.difference, reason);
                each.cannot_be_compared = fmt::format("too few rows: {:.0f} effective", other.effective_rows);
            }
            result.push_back(std::move(each));
        }
        return result;
    }

private:
    void add(Other other, const BoundedEstimate& against) {
        other.value_number = intervals_.add(other.value);
        other.against_number = intervals_.add(against);
        others_.push_back(std::move(other));
    }

    const Judged& judged_;
    const BoundedEstimate& policy_;
    Intervals& intervals_;
    std::vector<Other> others_;
};

void compare_with_others(const Judged& judged, Comparison& comparison) {
    const std::vector<std::string>& labels = judged.policy.observations.treatments;
    const bool larger = judged.policy.larger_is_better;
    std::vector<BoundedEstimate> constants;
    std::vector<ValueEstimate> surely;  // pessimistic bounds, which determine the best constant
    for (int k = 0; k < judged.rows.treatments(); ++k) {
        constants.push_back(judged.bounded(std::vector<int>(judged.rows.outcome.size(), k)));
        surely.push_back(larger ? constants.back().lower : constants.back().upper);
    }
    comparison.add_known("as treated", value_as_treated(judged.rows));
    const CrossFittedConstant constant = best_constant(judged.rows, surely, judged.folds, larger);
    comparison.add_policy(constant.for_all ? "always " + labels[static_cast<std::size_t>(*constant.for_all)]
                                           : std::string("best constant"),
                          constant.prescriptions);
    comparison.add_random("the same shares at random", constants);
    if (!judged.policy.against.empty()) comparison.add_policy(judged.policy.against_name, judged.policy.against);
}

// Estimates the values of the policy and of the policies it is compared with.
void estimate_values(const Judged& judged, const EvaluationOptions& options, const Progress& progress,
                     Evaluation& result) {
    Intervals intervals(judged.policy.group, options);
    const EvaluatedRows& rows = judged.rows;
    const ValueEstimate as_treated = value_as_treated(rows);
    std::vector<std::size_t> numbers;
    for (const Estimator estimator : options.estimators)
        numbers.push_back(intervals.add(
            judged.as_treated ? as_treated : policy_value(rows, judged.policy.prescriptions, estimator, judged.least)));
    const std::vector<char> supported = judged.as_treated
                                            ? std::vector<char>(rows.outcome.size(), 1)
                                            : supported_prescriptions(judged.supported, judged.policy.prescriptions);
    const SupportedPolicy policy{judged.policy.prescriptions, supported};
    const BoundedEstimate value =
        judged.as_treated ? known(as_treated) : bounded_value(rows, policy, judged.range, judged.least);
    const ValueEstimate where_supported =
        judged.as_treated ? as_treated : value_where_supported(rows, policy, judged.least);
    const Intervals::Bounds value_number = intervals.add(value);
    const std::size_t where_number = intervals.add(where_supported);
    const std::size_t treated_number = intervals.add(as_treated);
    Comparison comparison(judged, value, intervals);
    compare_with_others(judged, comparison);
    intervals.draw(progress);

    for (std::size_t i = 0; i < numbers.size(); ++i)
        result.values.push_back({options.estimators[i], intervals.value(numbers[i])});
    result.as_treated = intervals.value(treated_number);
    result.compared = comparison.compared(value_number);
    SupportedValue& of_policy = result.supported;
    of_policy.value = intervals.value(value, value_number);
    of_policy.gain = result.compared.front().difference;
    of_policy.where_supported = intervals.value(where_number);
    of_policy.gain_where_supported =
        intervals.difference(policy_difference(rows, where_supported, as_treated), where_number, treated_number);
    if (const auto& gain = of_policy.gain_where_supported.estimate.value)
        of_policy.tipping_point = tipping_point(rows, policy, judged.range, *gain);
    of_policy.sensitivity = sensitivity_of(
        rows, policy, judged.policy.larger_is_better, judged.least, options.level,
        {.draws = options.draws, .seed = options.nuisances.seed, .threads = options.nuisances.threads}, progress);
    if (!judged.policy.supported_by_model.empty()) {
        WeightedMean disagree;
        for (std::size_t i = 0; i < supported.size(); ++i)
            disagree.add((supported[i] != 0) == (judged.policy.supported_by_model[i] != 0) ? 0 : 1, rows.weight_of(i));
        of_policy.disagreement = disagree.mean();
    }
}

// Removes values that the data cannot answer: they would rest on a handful of rows, however narrow the interval. The
// direct method stays, because it does not depend on matched rows.
void withhold_what_cannot_be_answered(Evaluation& evaluation) {
    const MeanEstimate none = too_few_rows(evaluation.overlap.effective_rows, least_effective_rows);
    for (EstimatedValue& each : evaluation.values)
        if (each.estimator != Estimator::dm) withhold(each.value, none.reason);
    for (ComparedValue& each : evaluation.compared) withhold(each.difference, none.reason);
    SupportedValue& supported = evaluation.supported;
    for (BoundedValue* each : {&supported.value, &supported.gain}) withhold(*each, none.reason);
    for (IntervalledValue* each : {&supported.where_supported, &supported.gain_where_supported})
        withhold(*each, none.reason);
    supported.tipping_point.reset();
    supported.sensitivity = {};
    supported.sensitivity.reason = none.reason;
    evaluation.personalizing.over_best = none;
    evaluation.personalizing.p_value.reset();
    for (MeanEstimate& each : evaluation.personalizing.over_each) each = none;
}

// A copy of the scored rows for which both of two treatments are supported.
struct BothSupported {
    Matrix scores;
    Matrix propensities;
    std::vector<int> treatment;
    std::vector<double> outcome;
    std::vector<int> prescriptions;
    std::vector<double> contrast;
    SampledPart sampled;

    BothSupported(const ScoredRows& all, const std::vector<std::size_t>& rows, std::span<const double> contrasts)
        : scores(all.scores(rows, Eigen::all)),
          propensities(all.propensities(rows, Eigen::all)),
          sampled(all.sampling, rows) {
        for (const std::size_t row : rows) {
            treatment.push_back(all.treatment[row]);
            outcome.push_back(all.outcome[row]);
            prescriptions.push_back(all.prescriptions[row]);
            contrast.push_back(contrasts[row]);
        }
    }

    [[nodiscard]] ScoredRows rows(const ScoredRows& all) const {
        ScoredRows result{scores,        propensities,       treatment,           outcome,
                          prescriptions, sampled.sampling(), all.larger_is_better};
        result.least_propensity = all.least_propensity;
        result.needed_rows = all.needed_rows;
        return result;
    }
};

// Tests whether the policy's predictions rank gains correctly, on the rows for which both treatments are supported.
void judge_predictions(const ScoredRows& all, std::span<const double> contrast, double level, Evaluation& result) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < all.rows(); ++row)
        if (all.is_supported(row, 0) && all.is_supported(row, 1)) rows.push_back(row);
    result.both_supported = rows.size();
    const ScoredPart part(all, rows);
    const double effective = std::min(part.effective_rows(0), part.effective_rows(1));
    if (effective < all.needed_rows || effective == 0) {
        const MeanEstimate none = too_few_rows(effective, all.needed_rows);
        result.ranked = RankedGain{none, none, {}};
        result.calibration = Calibration{{}, 0, none, none};
        return;
    }
    const BothSupported both(all, rows, contrast);
    std::vector<double> gain = both.contrast;
    if (!all.larger_is_better) std::ranges::transform(gain, gain.begin(), std::negate());
    result.ranked = ranked_gain(both.rows(all), gain, level);
    result.calibration = calibrate_contrast(both.rows(all), {1, 0, both.contrast}, 5, level);
}

// Weakens `overlap` if support rests on propensities that are too high.
void doubt_overlap(Overlap& overlap) {
    if (overlap.verdict != OverlapVerdict::supported) return;
    overlap.verdict = OverlapVerdict::weak;
    overlap.words =
        fmt::format("{}: estimated propensities are too high where they are low", name_of(OverlapVerdict::weak));
}

OutcomeRange checked_range(const Observations& observations, const EvaluationOptions& options) {
    const OutcomeRange range = outcome_range(observations.outcome, options.outcome_range);
    if (const auto row = first_outside(observations.outcome, range))
        throw data_error(fmt::format("{}: the outcome is {}, outside of the declared range from {} to {}",
                                     observations.features.where(*row), observations.outcome[*row], range.least,
                                     range.greatest));
    return range;
}

// The prediction for treatment 1 minus that for treatment 0.
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
    check_epsilon(options.epsilon);
    const OutcomeRange range = checked_range(observations, options);

    const FeatureRows features = feature_rows(judged.encoder, observations.features, Unseen::ignore);
    const TreatedRows study{features, observations.treatment, treatments, observations.outcome, observations.weight};
    const std::vector<std::size_t> rows = every_row(observations.rows());
    const StudyDesign design{judged.group, judged.propensities, observations.treatments};
    const Nuisances nuisances = cross_fit(study, rows, options.nuisances, design, progress);
    result.propensity = nuisances.propensity;
    if (nuisances.sampled) result.training_sample = options.nuisances.training_rows;

    const EvaluatedRows evaluated{observations.treatment, observations.outcome, nuisances.outcomes,
                                  nuisances.propensities, observations.weight,  judged.group};
    const double least = least_propensity(judged.propensities != nullptr);
    result.supported.rule = {options.epsilon, judged.propensities != nullptr};
    result.supported.range = range;
    const std::vector<TreatmentSet> supported = supported_treatments(nuisances.propensities, result.supported.rule);
    const Judged all{judged,
                     evaluated,
                     nuisances.folds,
                     supported,
                     range,
                     least,
                     std::ranges::equal(judged.prescriptions, observations.treatment)};
    estimate_values(all, options, progress, result);
    const Matrix encoded = judged.encoder.encode(observations.features, Unseen::ignore);
    result.balance = covariate_balance(judged.encoder, encoded, observations.treatment, nuisances.propensities,
                                       {least, observations.weight});

    result.bin_balance =
        balance_within_bins(encoded, observations.treatment, nuisances.propensities, observations.weight);
    result.low_propensities = low_propensities(nuisances.propensities, observations.treatment, observations.weight);

    const DoublyRobust scored = doubly_robust_from(nuisances.outcomes, nuisances.propensities, observations.treatment,
                                                   observations.outcome, least);
    ScoredRows rows_scored{scored.scores,          scored.propensities,  observations.treatment,
                           observations.outcome,   judged.prescriptions, {observations.weight, judged.group},
                           judged.larger_is_better};
    rows_scored.supported = supported;
    rows_scored.range = range;
    rows_scored.least_propensity = least;
    rows_scored.needed_rows = least_effective_rows;
    result.overlap = overlap_of(rows_scored);
    if (std::ranges::any_of(result.low_propensities, &LowPropensities::too_high)) doubt_overlap(result.overlap);
    result.cross_table = cross_table(rows_scored);
    result.personalizing = test_personalizing(rows_scored, options.level);
    if (treatments == 2 && judged.predicted.size() > 0)
        judge_predictions(rows_scored, predicted_contrast(judged.predicted), options.level, result);
    if (is_binary(observations.outcome)) result.risk = risk_difference(rows_scored, options.level);
    const auto by = [&](const Partition* partition) {
        return partition ? value_by_group(rows_scored, partition->part, partition->names.size(), options.level)
                         : std::vector<GroupValue>{};
    };
    result.leaves = by(judged.leaves);
    result.groups = by(judged.by);
    if (result.overlap.verdict == OverlapVerdict::not_answerable && !all.as_treated)
        withhold_what_cannot_be_answered(result);
    return result;
}

}  // namespace polyrx
