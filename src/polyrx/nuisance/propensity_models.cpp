// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/propensity_models.hpp"

#include <algorithm>

#include "polyrx/learners/trees/out_of_bag.hpp"
#include "polyrx/study/splits/grouped_folds.hpp"

namespace polyrx {

Matrix by_logistic(const PropensityRows& rows, const Matrix& learned, const Matrix& unseen,
                   std::span<const std::size_t> learn, const LogisticOptions& options) {
    const std::vector<int> given = of_places(rows.study.treatment, rows, learn);
    const std::vector<double> weight = of_places(rows.study.weight, rows, learn);
    const Vector weights = Eigen::Map<const Vector>(weight.data(), static_cast<Eigen::Index>(weight.size()));
    return probabilities(multinomial_logistic(learned, given, rows.study.treatments, weights, options).model, unseen);
}

Matrix by_logistic(const PropensityRows& rows, std::span<const std::size_t> learn, std::span<const std::size_t> predict,
                   const LogisticOptions& options) {
    const Matrix learned = rows.inputs(learn, Eigen::all);
    const Matrix unseen = rows.inputs(predict, Eigen::all);
    return by_logistic(rows, learned, unseen, learn, options);
}

ForestOptions forest_options(const PropensityRows& rows, const PropensityOptions& options,
                             const PropensityDraws& draws) {
    ForestOptions forest = classification_options(rows.study.features.features());
    forest.trees = options.trees;
    forest.leaf_rows = options.leaf_rows;
    forest.seed = draws.seed;
    forest.stream = draws.stream;
    forest.threads = draws.threads;
    return forest;
}

ClassificationForest fitted_forest(const PropensityRows& rows, std::span<const std::size_t> learn,
                                   const ForestOptions& options, const Progress& progress) {
    return fit_classification_forest(rows.study.features, picked(rows.rows, learn), rows.study.treatment,
                                     rows.study.treatments, rows.study.weight, options, progress);
}

Matrix by_forest(const ClassificationForest& forest, const PropensityRows& rows, std::span<const std::size_t> predict,
                 int threads) {
    const FeatureRows& features = rows.study.features;
    return probabilities(forest, {features.values(picked(rows.rows, predict), Eigen::all), features.levels}, threads);
}

Matrix by_bag(const ClassificationForest& forest, const PropensityRows& rows, std::span<const std::size_t> kept,
              const ForestOptions& options) {
    Matrix predicted = out_of_bag_probabilities(forest, rows.study.features, picked(rows.rows, kept), options);
    const std::vector<int> given = of_places(rows.study.treatment, rows, kept);
    Eigen::RowVectorXd shares = Eigen::RowVectorXd::Zero(rows.study.treatments);
    for (const int t : given) shares[t] += 1 / static_cast<double>(given.size());
    for (auto row : predicted.rowwise())
        if (row.sum() == 0) row = shares;
    return predicted;
}

bool bag_will_do(const PropensityRows& rows, const PropensityOptions& options) {
    constexpr int enough_trees = 50;
    return rows.group.empty() && options.trees >= enough_trees;
}

std::vector<RowSplit> trial_folds(const PropensityRows& rows, std::span<const std::size_t> kept, std::uint64_t seed) {
    const std::vector<int> given = of_places(rows.study.treatment, rows, kept);
    Places group;
    if (!rows.group.empty()) group = picked(rows.group, kept);
    return folds_of(given, group, propensity_trial_folds, seed);
}

}  // namespace polyrx
