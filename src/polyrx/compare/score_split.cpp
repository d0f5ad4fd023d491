// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/score_split.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/evaluate/truth.hpp"

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

Policy learned_from(const Observations& kept, const Candidate& candidate, const Study& study, std::uint64_t seed,
                    const Progress& progress) {
    FitOptions options = *candidate.options;
    options.objective = study.objective;
    options.seed = seed;
    options.threads = 1;  // the cores are taken by the other fits
    return fit(kept, options, study.schema, progress).policy;
}

// A score that is no number is no score, and a journal could not hold it.
double finite(double score) {
    if (!std::isfinite(score)) throw other_error("what it predicts for the held-out rows is not finite");
    return score;
}

}  // namespace

bool SplitScore::same_scores(const SplitScore& other) const {
    return accuracy == other.accuracy && regret == other.regret && self_assessed == other.self_assessed &&
           size.leaves == other.size.leaves && size.terms == other.size.terms;
}

double self_assessed_value(std::span<const int> prescribed, const Matrix& predicted, const Observations& held_out) {
    double sum = 0;
    for (std::size_t i = 0; i < prescribed.size(); ++i)
        sum += prescribed[i] == held_out.treatment[i] ? held_out.outcome[i]
                                                      : predicted(static_cast<Eigen::Index>(i), prescribed[i]);
    return sum / static_cast<double>(prescribed.size());
}

SplitScore score_split(const Candidate& candidate, const Study& study, const PlannedSplit& split,
                       const Progress& progress) {
    report(progress, 0, "comparing");
    const Observations held_out = take(study.observations, split.rows.held_out);
    SplitScore score;
    Prescriptions prescriptions;
    bool predicts_outcomes = true;  // what was done needs no prediction
    if (candidate.options) {
        const Observations kept = take(study.observations, split.rows.kept);
        const auto fit_began = Clock::now();
        const Policy policy = learned_from(kept, candidate, study, split.seed, progress);
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
    return score;
}

}  // namespace polyrx
