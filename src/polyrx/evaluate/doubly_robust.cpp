// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/doubly_robust.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "polyrx/core/error.hpp"
#include "polyrx/learners/classification_criterion.hpp"
#include "polyrx/learners/classification_forest.hpp"
#include "polyrx/learners/regression_forest.hpp"

namespace polyrx {
namespace {

void check_options(const DoublyRobustOptions& options) {
    if (options.trees < 1) throw usage_error(fmt::format("a forest has at least 1 tree, not {}", options.trees));
    if (options.outcome_leaf_rows < 1 || options.propensity_leaf_rows < 1)
        throw usage_error("leaves have at least 1 row, not 0");
}

void check_least(double least_propensity) {
    if (!(least_propensity > 0 && least_propensity <= 1))
        throw usage_error(fmt::format("the least propensity must be above 0 and at most 1, not {}", least_propensity));
}

std::vector<int> treatments_of(const TreatedRows& study, std::span<const std::size_t> rows) {
    std::vector<int> treatment;
    treatment.reserve(rows.size());
    for (const std::size_t row : rows) treatment.push_back(study.treatment[row]);
    return treatment;
}

void check_rows(const TreatedRows& study, std::span<const int> treatment) {
    constexpr int most = ClassificationCriterion::most_classes;
    if (study.treatments > most)
        throw usage_error(
            fmt::format("doubly robust scores are of at most {} treatments, not {}", most, study.treatments));
    for (int k = 0; k < study.treatments; ++k)
        if (const auto count = std::ranges::count(treatment, k); count < 2)
            throw data_error(fmt::format(
                "treatment {} has {} of the rows, but doubly robust scores need at least 2 of each", k, count));
}

// The part of some work that is one of `parts`.
Progress part_of(const Progress& progress, std::size_t part, std::size_t parts) {
    if (!progress) return {};
    return [&progress, part, parts](double share, std::string_view) {
        return progress((static_cast<double>(part) + share) / static_cast<double>(parts), "predicting outcomes");
    };
}

}  // namespace

DoublyRobust doubly_robust(const TreatedRows& study, std::span<const std::size_t> rows,
                           const DoublyRobustOptions& options, const Progress& progress) {
    check_options(options);
    check_least(options.least_propensity);
    const std::vector<int> treatment = treatments_of(study, rows);
    check_rows(study, treatment);
    const auto count = static_cast<Eigen::Index>(rows.size());
    Matrix outcomes(count, study.treatments);
    Matrix propensities(count, study.treatments);
    std::vector<RowSplit> folds = k_folds(treatment, options.folds, options.seed);
    const std::size_t per_fold = static_cast<std::size_t>(study.treatments) + 1;
    const auto as_asked = [&](ForestOptions forest, std::size_t leaf_rows, std::size_t number) {
        forest.trees = options.trees;
        forest.leaf_rows = leaf_rows;
        forest.seed = options.seed;
        forest.stream = 1 + number;  // a forest outside of here has 0
        forest.threads = options.threads;
        return forest;
    };
    for (std::size_t f = 0; f < folds.size(); ++f) {
        const std::vector<std::size_t> kept = picked(rows, folds[f].kept);
        const FeatureRows unseen{study.features.values(picked(rows, folds[f].held_out), Eigen::all),
                                 study.features.levels};
        std::size_t number = f * per_fold;
        const auto next_part = [&] { return part_of(progress, number, folds.size() * per_fold); };
        for (int k = 0; k < study.treatments; ++k, ++number) {
            std::vector<std::size_t> given = kept;
            std::erase_if(given, [&](std::size_t row) { return study.treatment[row] != k; });
            const RegressionForest forest =
                fit_regression_forest(study.features, given, study.outcome, study.weight,
                                      as_asked({}, options.outcome_leaf_rows, number), next_part());
            outcomes(folds[f].held_out, k) = predict(forest, unseen, options.threads);
        }
        const ForestOptions by_class = classification_options(study.features.features());
        const ClassificationForest forest =
            fit_classification_forest(study.features, kept, study.treatment, study.treatments, study.weight,
                                      as_asked(by_class, options.propensity_leaf_rows, number), next_part());
        propensities(folds[f].held_out, Eigen::all) = probabilities(forest, unseen, options.threads);
    }
    std::vector<double> outcome;
    outcome.reserve(rows.size());
    for (const std::size_t row : rows) outcome.push_back(study.outcome[row]);
    DoublyRobust result =
        doubly_robust_from(std::move(outcomes), std::move(propensities), treatment, outcome, options.least_propensity);
    result.folds = std::move(folds);
    return result;
}

DoublyRobust doubly_robust_from(Matrix outcomes, Matrix propensities, std::span<const int> treatment,
                                std::span<const double> outcome, double least_propensity) {
    check_least(least_propensity);
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
    double sum = 0;
    double total = 0;
    for (std::size_t i = 0; i < prescriptions.size(); ++i) {
        if (prescriptions[i] < 0 || prescriptions[i] >= scores.cols())
            throw usage_error(fmt::format("prescription {} is none of {} treatments", prescriptions[i], scores.cols()));
        const double w = weight.empty() ? 1 : weight[i];
        sum += w * scores(static_cast<Eigen::Index>(i), prescriptions[i]);
        total += w;
    }
    return sum / total;
}

}  // namespace polyrx
