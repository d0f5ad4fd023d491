// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/regress/regress_compare.hpp"

#include "polyrx/core/part_of_work.hpp"

namespace polyrx {
namespace {

std::vector<std::size_t> rows_of(const TreatedRows& study, int treatment) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < study.treatment.size(); ++i)
        if (study.treatment[i] == treatment) rows.push_back(i);
    return rows;
}

}  // namespace

LinearOutcomes fit_linear_outcomes(const Matrix& encoded, const TreatedRows& study, int threads) {
    LinearOutcomes model;
    for (int k = 0; k < study.treatments; ++k) {
        const std::vector<std::size_t> rows = rows_of(study, k);
        Matrix inputs(static_cast<Eigen::Index>(rows.size()), encoded.cols());
        Vector outcome(inputs.rows());
        Vector weight(study.weight.empty() ? 0 : inputs.rows());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto to = static_cast<Eigen::Index>(i);
            inputs.row(to) = encoded.row(static_cast<Eigen::Index>(rows[i]));
            outcome[to] = study.outcome[rows[i]];
            if (!study.weight.empty()) weight[to] = study.weight[rows[i]];
        }
        model.arms.push_back(least_squares(inputs, outcome, weight, threads));
    }
    return model;
}

ForestOutcomes fit_forest_outcomes(const TreatedRows& study, std::uint64_t seed, int threads,
                                   const Progress& progress) {
    ForestOutcomes model;
    for (int k = 0; k < study.treatments; ++k) {
        ForestOptions options;
        options.seed = seed;
        options.stream = static_cast<std::uint64_t>(k);
        options.threads = threads;
        model.arms.push_back(fit_regression_forest(
            study.features, rows_of(study, k), study.outcome, study.weight, options,
            equal_part(progress, static_cast<std::size_t>(k), static_cast<std::size_t>(study.treatments))));
    }
    return model;
}

Matrix scores(const LinearOutcomes& model, const Matrix& encoded) {
    Matrix outcomes(encoded.rows(), static_cast<Eigen::Index>(model.arms.size()));
    for (std::size_t k = 0; k < model.arms.size(); ++k)
        outcomes.col(static_cast<Eigen::Index>(k)) = predict(model.arms[k], encoded);
    return outcomes;
}

Matrix scores(const ForestOutcomes& model, const FeatureRows& features, int threads) {
    Matrix outcomes(static_cast<Eigen::Index>(features.rows()), static_cast<Eigen::Index>(model.arms.size()));
    for (std::size_t k = 0; k < model.arms.size(); ++k)
        outcomes.col(static_cast<Eigen::Index>(k)) = predict(model.arms[k], features, threads);
    return outcomes;
}

}  // namespace polyrx
