// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/doubly_robust.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/nuisance/nuisances.hpp"
#include "polyrx/nuisance/propensities.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

DoublyRobust doubly_robust(const TreatedRows& study, std::span<const std::size_t> rows,
                           const DoublyRobustOptions& options, const Progress& progress) {
    check_least_propensity(options.least_propensity);
    NuisanceOptions by_forests;
    by_forests.folds = options.folds;
    by_forests.outcome_trees = options.trees;
    by_forests.outcome_leaf_rows = options.outcome_leaf_rows;
    by_forests.propensity = {PropensityModel::forest, false, options.trees, options.propensity_leaf_rows};
    by_forests.least_rows = 1;
    by_forests.seed = options.seed;
    by_forests.threads = options.threads;
    Nuisances nuisances =
        cross_fit(study, rows, by_forests, {.group = study.group, .propensities = study.design}, progress);
    std::vector<int> treatment;
    std::vector<double> outcome;
    for (const std::size_t row : rows) {
        treatment.push_back(study.treatment[row]);
        outcome.push_back(study.outcome[row]);
    }
    DoublyRobust result = doubly_robust_from(std::move(nuisances.outcomes), std::move(nuisances.propensities),
                                             treatment, outcome, options.least_propensity);
    result.folds = std::move(nuisances.folds);
    return result;
}

DoublyRobust doubly_robust_from(Matrix outcomes, Matrix propensities, std::span<const int> treatment,
                                std::span<const double> outcome, double least_propensity) {
    check_least_propensity(least_propensity);
    DoublyRobust result;
    result.scores = outcomes;
    for (std::size_t i = 0; i < treatment.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        const int k = treatment[i];
        const double propensity = propensities(row, k);
        if (propensity < least_propensity) ++result.clipped;
        result.scores(row, k) += (outcome[i] - outcomes(row, k)) / std::max(propensity, least_propensity);
    }
    result.outcomes = std::move(outcomes);
    result.propensities = std::move(propensities);
    return result;
}

double doubly_robust_value(const Matrix& scores, std::span<const int> prescriptions, std::span<const double> weight) {
    if (static_cast<Eigen::Index>(prescriptions.size()) != scores.rows())
        throw usage_error(fmt::format("{} prescriptions but {} rows of scores", prescriptions.size(), scores.rows()));
    if (prescriptions.empty()) throw data_error("there are no rows to evaluate");
    WeightedMean value;
    for (std::size_t i = 0; i < prescriptions.size(); ++i) {
        if (prescriptions[i] < 0 || prescriptions[i] >= scores.cols())
            throw usage_error(fmt::format("prescription {} is none of {} treatments", prescriptions[i], scores.cols()));
        value.add(scores(static_cast<Eigen::Index>(i), prescriptions[i]), weight.empty() ? 1 : weight[i]);
    }
    return value.mean();
}

}  // namespace polyrx
