// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/tuning_judge.hpp"

#include <algorithm>

#include "polyrx/core/every_row.hpp"
#include "polyrx/evaluate/doubly_robust.hpp"
#include "polyrx/evaluate/mean_estimate.hpp"
#include "polyrx/evaluate/nuisances.hpp"

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
    : study_(study), criterion_(options.criterion), least_propensity_(options.least_propensity) {
    const std::vector<std::size_t> rows = every_row(study.treatment.size());
    NuisanceOptions nuisance;
    nuisance.folds = options.folds;
    nuisance.least_rows = 1;
    nuisance.seed = options.seed;
    nuisance.threads = options.threads;
    Nuisances nuisances = cross_fit(study, rows, nuisance, {.group = options.group}, progress);
    for (std::size_t i = 0; i < rows.size(); ++i)
        propensity_.push_back(nuisances.propensities(static_cast<Eigen::Index>(i), study.treatment[i]));
    folds_ = std::move(nuisances.folds);
    scores_ = doubly_robust_from(std::move(nuisances.outcomes), std::move(nuisances.propensities), study.treatment,
                                 study.outcome, options.least_propensity)
                  .scores;
}

double TuningJudge::loss(std::span<const std::size_t> rows, const Matrix& predicted) const {
    WeightedMean mean;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto place = static_cast<Eigen::Index>(i);
        const std::size_t row = rows[i];
        const double error = squared(study_.outcome[row] - predicted(place, study_.treatment[row]));
        const double weight = study_.weight_of(row);
        switch (criterion_) {
            case TuningCriterion::weighted_error:
                mean.add(error, weight / std::max(propensity_[row], least_propensity_));
                break;
            case TuningCriterion::error:
                mean.add(error, weight);
                break;
            case TuningCriterion::contrast:
                mean.add(contrast_loss(scores_, static_cast<Eigen::Index>(row), predicted, place), weight);
                break;
            case TuningCriterion::value: {
                Eigen::Index best = 0;
                predicted.row(place).minCoeff(&best);
                mean.add(scores_(static_cast<Eigen::Index>(row), best), weight);
                break;
            }
        }
    }
    return mean.mean();
}

}  // namespace polyrx
