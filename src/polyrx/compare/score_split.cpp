// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/score_split.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/core/every_row.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/evaluate/overlap/supported_rows.hpp"
#include "polyrx/evaluate/value/bounded_value.hpp"
#include "polyrx/evaluate/value/self_assessed.hpp"
#include "polyrx/evaluate/value/truth.hpp"
#include "polyrx/statistics/mean_estimate.hpp"
#include "polyrx/study/splits/folds_for.hpp"

namespace polyrx {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

Matrix rows_of(const Matrix& matrix, std::span<const std::size_t> rows) {
    Matrix taken(static_cast<Eigen::Index>(rows.size()), matrix.cols());
    for (std::size_t i = 0; i < rows.size(); ++i)
        taken.row(static_cast<Eigen::Index>(i)) = matrix.row(static_cast<Eigen::Index>(rows[i]));
    return taken;
}

Policy learned_from(const Observations& kept, const Candidate& candidate, const Study& study,
                    const std::optional<Support>& support, std::uint64_t seed, const Progress& progress) {
    FitOptions options = *candidate.options;
    options.objective = study.objective;
    options.support.reset();  // it is learned once for all methods
    options.seed = seed;
    options.row_sketch = false;
    options.threads = 1;  // the cores are taken by the other fits
    Policy policy = fit(kept, options, study.schema, progress).policy;
    if (support) policy.rules = make_rule_book({}, WhenMissing::apply, policy.encoder, policy.treatments, "", support);
    return policy;
}

// A score that is no number is no score, and a journal could not hold it.
double finite(double score) {
    if (!std::isfinite(score)) throw other_error("what it predicts for the held-out rows is not finite");
    return score;
}

}  // namespace

bool SplitScore::same_scores(const SplitScore& other) const {
    return accuracy == other.accuracy && regret == other.regret && self_assessed == other.self_assessed &&
           doubly_robust == other.doubly_robust && supported == other.supported && size.leaves == other.size.leaves &&
           size.terms == other.size.terms;
}

ValuedSplit value_split(const Study& study, const PlannedSplit& split, const Progress& progress) {
    const Observations held_out = take(study.observations, split.rows.held_out);
    const Encoder encoder = make_encoder(held_out.features, study.schema);
    const FeatureRows features = feature_rows(encoder, held_out.features);
    const TreatedRows rows{features, held_out.treatment, static_cast<int>(held_out.treatments.size()), held_out.outcome,
                           held_out.weight};
    NuisanceOptions options = stacked_nuisances();
    options.folds = folds_for(held_out.group, options.folds);
    options.seed = split.seed;
    ValuedSplit valued;
    valued.by_design = held_out.has_design();
    valued.nuisances = cross_fit(
        rows, every_row(held_out.rows()), options,
        {.group = held_out.group, .propensities = held_out.known_design(), .labels = held_out.treatments}, progress);
    valued.supported = supported_treatments(valued.nuisances.propensities, {.by_design = valued.by_design});
    valued.range = outcome_range(held_out.outcome);
    return valued;
}

std::optional<Support> split_support(const Study& study, const PlannedSplit& split, const Progress& progress) {
    if (!study.support) return std::nullopt;
    // The method does not matter: support rests on treatments and features alone.
    FitOptions options;
    options.method = Method::rc_lr;
    options.objective = study.objective;
    options.support = study.support;
    options.seed = split.seed;
    options.row_sketch = false;
    return fit(take(study.observations, split.rows.kept), options, study.schema, progress).policy.rules.support;
}

SplitScore score_split(const Candidate& candidate, const Study& study, const PlannedSplit& split,
                       const SplitBasis& basis, const Progress& progress) {
    report(progress, 0, "comparing");
    const Observations held_out = take(study.observations, split.rows.held_out);
    SplitScore score;
    Prescriptions prescriptions;
    bool predicts_outcomes = true;  // what was done needs no prediction
    if (candidate.options) {
        const Observations kept = take(study.observations, split.rows.kept);
        const auto fit_began = Clock::now();
        const Policy policy = learned_from(kept, candidate, study, basis.support, split.seed, progress);
        score.fit_seconds = seconds_since(fit_began);
        if (policy.baseline) score.size = size_of(*policy.baseline);
        // A category that no kept row has is no reason to refuse the comparison.
        const PrescribeOptions options{.unseen = Unseen::ignore, .outcomes = !study.truth};
        const auto prescribe_began = Clock::now();
        prescriptions = prescribe(policy, held_out.features, options, progress);
        score.prescribe_seconds = seconds_since(prescribe_began);
        predicts_outcomes = kind_of(policy) == ScoreKind::outcomes;
    } else {
        prescriptions.treatment = held_out.treatment;
    }

    if (study.truth) {
        const TruthScore against = score_against_truth(
            prescriptions.treatment, rows_of(*study.truth, split.rows.held_out), study.objective == Objective::max);
        score.accuracy = finite(against.accuracy);
        score.regret = finite(against.regret);
    } else if (predicts_outcomes) {
        score.self_assessed = finite(self_assessed_value(prescriptions.treatment, prescriptions.outcomes, held_out));
    }
    // What was done is no function of the features, as a policy is; but its value was seen.
    if (basis.valued && !candidate.options) {
        score.doubly_robust = finite(weighted_mean(held_out.outcome, {.weight = held_out.weight}).mean());
    } else if (basis.valued) {
        const ValuedSplit& valued = *basis.valued;
        const EvaluatedRows rows{held_out.treatment,        held_out.outcome,
                                 valued.nuisances.outcomes, valued.nuisances.propensities,
                                 held_out.weight,           held_out.group};
        const std::vector<char> supported = supported_prescriptions(valued.supported, prescriptions.treatment);
        const BoundedEstimate value =
            bounded_value(rows, {prescriptions.treatment, supported}, valued.range, least_propensity(valued.by_design));
        if (value.estimable())
            score.doubly_robust = finite(study.objective == Objective::max ? *value.lower.value : *value.upper.value);
        WeightedMean share;
        for (std::size_t i = 0; i < supported.size(); ++i) share.add(supported[i], rows.weight_of(i));
        score.supported = share.mean();
    }
    return score;
}

}  // namespace polyrx
