// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/tune/tuning_judge.hpp"

#include <algorithm>

#include "polyrx/core/every_row.hpp"
#include "polyrx/nuisance/doubly_robust.hpp"
#include "polyrx/nuisance/nuisances.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/study/splits/folds_for.hpp"

namespace polyrx {
namespace {

double squared(double value) {
    return value * value;
}

double contrast_loss(const Matrix& scores, Eigen::Index row, const Matrix& predicted, Eigen::Index place) {
    const double score = scores.row(row).mean();
    const double mean = predicted.row(place).mean();
    double sum = 0;
    for (Eigen::Index k = 0; k < scores.cols(); ++k)
        sum += squared((scores(row, k) - score) - (predicted(place, k) - mean));
    return sum;
}

}  // namespace

std::string_view name_of(TuningCriterion criterion) {
    switch (criterion) {
        case TuningCriterion::weighted_error:
            return "weighted-error";
        case TuningCriterion::error:
            return "error";
        case TuningCriterion::contrast:
            return "contrast";
        case TuningCriterion::value:
            break;
    }
    return "value";
}

TuningJudge::TuningJudge(const TreatedRows& study, const TuningJudgeOptions& options, const Progress& progress)
    : study_(study),
      criterion_(options.criterion),
      least_propensity_(options.least_propensity),
      group_(options.group.begin(), options.group.end()),
      allowed_(options.allowed) {
    const std::vector<std::size_t> rows = every_row(study.treatment.size());
    NuisanceOptions nuisance;
    nuisance.folds = folds_for(options.group, options.folds);
    nuisance.least_rows = 1;
    nuisance.seed = options.seed;
    nuisance.threads = options.threads;
    Nuisances nuisances =
        cross_fit(study, rows, nuisance, {.group = options.group, .propensities = study.design}, progress);
    for (std::size_t i = 0; i < rows.size(); ++i)
        propensity_.push_back(nuisances.propensities(static_cast<Eigen::Index>(i), study.treatment[i]));
    folds_ = std::move(nuisances.folds);
    DoublyRobust robust = doubly_robust_from(std::move(nuisances.outcomes), std::move(nuisances.propensities),
                                             study.treatment, study.outcome, options.least_propensity);
    scores_ = std::move(robust.scores);
}

double TuningJudge::loss_of(std::size_t row, const Matrix& predicted, Eigen::Index place) const {
    switch (criterion_) {
        case TuningCriterion::weighted_error:
        case TuningCriterion::error:
            break;
        case TuningCriterion::contrast:
            return contrast_loss(scores_, static_cast<Eigen::Index>(row), predicted, place);
        case TuningCriterion::value: {
            const TreatmentSet allowed =
                allowed_.empty() ? all_treatments(static_cast<std::size_t>(study_.treatments)) : allowed_[row];
            const int best = best_of(allowed, predicted.row(place));
            return best == no_treatment ? 0 : scores_(static_cast<Eigen::Index>(row), best);
        }
    }
    return squared(study_.outcome[row] - predicted(place, study_.treatment[row]));
}

double TuningJudge::weight_of(std::size_t row) const {
    const double weight = study_.weight_of(row);
    if (criterion_ != TuningCriterion::weighted_error) return weight;
    return weight / std::max(propensity_[row], least_propensity_);
}

double TuningJudge::loss(std::span<const std::size_t> rows, const Matrix& predicted) const {
    WeightedMean mean;
    for (std::size_t i = 0; i < rows.size(); ++i)
        mean.add(loss_of(rows[i], predicted, static_cast<Eigen::Index>(i)), weight_of(rows[i]));
    return mean.mean();
}

MeanEstimate TuningJudge::excess(std::span<const std::size_t> rows, const Matrix& one, const Matrix& other) const {
    std::vector<double> differences;
    std::vector<double> weights;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto place = static_cast<Eigen::Index>(i);
        differences.push_back(loss_of(rows[i], one, place) - loss_of(rows[i], other, place));
        weights.push_back(weight_of(rows[i]));
    }
    return estimate_mean(differences, {.weight = weights, .cluster = groups_of(rows)});
}

std::vector<std::size_t> TuningJudge::groups_of(std::span<const std::size_t> rows) const {
    std::vector<std::size_t> groups;
    if (group_.empty()) return groups;
    for (const std::size_t row : rows) groups.push_back(group_[row]);
    return groups;
}

}  // namespace polyrx
