// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/meta/meta_learners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "polyrx/core/error.hpp"
#include "polyrx/core/every_row.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/learners/trees/weight_drawn_forest.hpp"
#include "polyrx/nuisance/residuals.hpp"

namespace polyrx {
namespace {

using Rows = std::vector<std::size_t>;

// Random streams of forests. Different kinds of forests in one model use different streams. Forests of different pairs
// and treatments share a stream, so the numbering of treatments does not matter. Residuals and scores use lower
// streams.
enum Stream : std::uint64_t { of_outcomes = 1'000'000, of_effects, of_propensity };

// With few rows, leaves are smaller than `leaf_rows`, because otherwise nothing could be split.
ForestOptions forest_options(const MetaLearnerOptions& options, Stream stream, std::size_t leaf_rows,
                             std::size_t rows) {
    constexpr std::size_t least_leaves = 5;
    ForestOptions forest;
    forest.trees = options.trees;
    forest.leaf_rows = std::min(leaf_rows, std::max<std::size_t>(1, rows / least_leaves));
    forest.seed = options.seed;
    forest.stream = stream;
    forest.threads = options.threads;
    return forest;
}

Rows rows_with(const TreatedRows& study, const std::function<bool(int)>& treatment) {
    Rows rows;
    for (std::size_t i = 0; i < study.treatment.size(); ++i)
        if (treatment(study.treatment[i])) rows.push_back(i);
    return rows;
}

// Reports progress over a number of equal parts.
class Parts {
public:
    Parts(const Progress& progress, std::size_t parts) : progress_(progress), parts_(parts) {}

    [[nodiscard]] Progress next() { return equal_part(progress_, done_++, parts_); }

private:
    const Progress& progress_;
    std::size_t parts_;
    std::size_t done_ = 0;
};

ForestPairs all_pairs(int treatments) {
    ForestPairs model;
    model.treatments = treatments;
    for (int against = 0; against < treatments; ++against)
        for (int treatment = against + 1; treatment < treatments; ++treatment)
            model.pairs.push_back({treatment, against, {}, {}, {}});
    return model;
}

}  // namespace

TreatmentForest fit_s_learner(const TreatedRows& study, const MetaLearnerOptions& options, const Progress& progress) {
    FeatureRows with_treatment;
    with_treatment.levels = {study.treatments};
    with_treatment.levels.insert(with_treatment.levels.end(), study.features.levels.begin(),
                                 study.features.levels.end());
    with_treatment.values.resize(study.features.values.rows(), study.features.values.cols() + 1);
    with_treatment.values.rightCols(study.features.values.cols()) = study.features.values;
    for (std::size_t i = 0; i < study.treatment.size(); ++i)
        with_treatment.values(static_cast<Eigen::Index>(i), 0) = study.treatment[i];
    const Rows rows = every_row(study.treatment.size());
    return {fit_regression_forest(with_treatment, rows, study.outcome, study.weight,
                                  forest_options(options, of_outcomes, 1, study.treatment.size()), progress),
            study.treatments};
}

ForestPairs fit_x_learner(const TreatedRows& study, const MetaLearnerOptions& options, const Progress& progress) {
    ForestPairs model = all_pairs(study.treatments);
    Parts parts(progress, static_cast<std::size_t>(study.treatments) + 3 * model.pairs.size());
    // Rows x treatments. Predictions for a row's own treatment are not used.
    Matrix predicted(static_cast<Eigen::Index>(study.features.rows()), study.treatments);
    for (int k = 0; k < study.treatments; ++k) {
        const Rows rows = rows_with(study, [&](int t) { return t == k; });
        predicted.col(k) =
            predict(fit_regression_forest(study.features, rows, study.outcome, study.weight,
                                          forest_options(options, of_outcomes, options.outcome_leaf_rows, rows.size()),
                                          parts.next()),
                    study.features, options.threads);
    }
    std::vector<double> target(study.features.rows());
    for (ForestPair& pair : model.pairs) {
        const auto learn = [&](Stream stream, std::size_t leaf_rows, const auto& is_in, const auto& target_of) {
            const Rows rows = rows_with(study, is_in);
            for (const std::size_t row : rows) target[row] = target_of(row);
            return fit_regression_forest(study.features, rows, target, study.weight,
                                         forest_options(options, stream, leaf_rows, rows.size()), parts.next());
        };
        const auto difference = [&](std::size_t row, int other) {
            return study.outcome[row] - predicted(static_cast<Eigen::Index>(row), other);
        };
        const auto is_treatment = [&](int t) { return t == pair.treatment; };
        const auto is_against = [&](int t) { return t == pair.against; };
        pair.effect = learn(of_effects, options.effect_leaf_rows, is_treatment,
                            [&](std::size_t row) { return difference(row, pair.against); });
        pair.effect_against = learn(of_effects, options.effect_leaf_rows, is_against,
                                    [&](std::size_t row) { return -difference(row, pair.treatment); });
        // Minus a half: swapping the two treatments then only changes signs and cannot change ties between splits.
        pair.centered_propensity = learn(
            of_propensity, options.propensity_leaf_rows, [&](int t) { return is_treatment(t) || is_against(t); },
            [&](std::size_t row) { return is_treatment(study.treatment[row]) ? 0.5 : -0.5; });
    }
    return model;
}

ForestPairs fit_r_learner(const TreatedRows& study, const MetaLearnerOptions& options, const Progress& progress) {
    ForestPairs model = all_pairs(study.treatments);
    Parts parts(progress, 2 * model.pairs.size());
    ResidualOptions residual_options;
    residual_options.folds = options.folds;
    residual_options.trees = options.trees;
    residual_options.leaf_rows = options.outcome_leaf_rows;
    residual_options.seed = options.seed;
    residual_options.threads = options.threads;
    residual_options.group = study.group;
    for (ForestPair& pair : model.pairs) {
        const Rows rows = rows_with(study, [&](int t) { return t == pair.treatment || t == pair.against; });
        std::vector<int> treated(study.treatment.size());
        for (const std::size_t row : rows) treated[row] = study.treatment[row] == pair.treatment ? 1 : 0;
        const Residuals residuals = cross_fitted_residuals(study.features, rows, treated, study.outcome, study.weight,
                                                           residual_options, parts.next());
        // Rows with a perfectly predicted treatment carry no information on its effect. If all rows are like that, the
        // effect is 0.
        constexpr double least_residual = 1e-9;
        std::vector<double> effect(study.treatment.size());
        std::vector<double> weight(study.treatment.size());
        Rows informative;
        for (const std::size_t row : rows) {
            const double residual = residuals.treatment[row];
            weight[row] = study.weight_of(row);
            if (std::abs(residual) < least_residual) continue;
            informative.push_back(row);
            effect[row] = residuals.outcome[row] / residual;
            weight[row] *= residual * residual;
        }
        const Rows& learned = informative.empty() ? rows : informative;
        pair.effect = fit_weight_drawn_forest(
            study.features, learned, effect, weight,
            forest_options(options, of_effects, options.effect_leaf_rows, learned.size()), parts.next());
    }
    return model;
}

ForestPairs fit_dr_learner(const TreatedRows& study, const Matrix& scores, const MetaLearnerOptions& options,
                           const Progress& progress) {
    if (scores.rows() != static_cast<Eigen::Index>(study.treatment.size()) || scores.cols() != study.treatments)
        throw usage_error(fmt::format("the scores must have {} rows and {} treatments, not {} rows and {} treatments",
                                      study.treatment.size(), study.treatments, scores.rows(), scores.cols()));
    ForestPairs model = all_pairs(study.treatments);
    Parts parts(progress, model.pairs.size());
    const Rows rows = every_row(study.treatment.size());
    for (ForestPair& pair : model.pairs) {
        const Vector difference = scores.col(pair.treatment) - scores.col(pair.against);
        pair.effect = fit_regression_forest(study.features, rows, {difference.data(), rows.size()}, study.weight,
                                            forest_options(options, of_effects, options.effect_leaf_rows, rows.size()),
                                            parts.next());
    }
    return model;
}

Matrix scores(const TreatmentForest& model, const FeatureRows& features, int threads) {
    Matrix outcomes = Matrix::Zero(static_cast<Eigen::Index>(features.rows()), model.treatments);
    for_row_blocks(features, threads, [&](Eigen::Index first, const Matrix& rows) {
        Matrix with_treatment(rows.rows(), rows.cols() + 1);
        with_treatment.rightCols(rows.cols()) = rows;
        for (int k = 0; k < model.treatments; ++k) {
            with_treatment.col(0).setConstant(k);
            for (const AxisTree& tree : model.forest.trees)
                for (Eigen::Index i = 0; i < rows.rows(); ++i)
                    outcomes(first + i, k) += value_at(tree, with_treatment.row(i).data(), 1);
        }
    });
    return outcomes / static_cast<double>(model.forest.trees.size());
}

Vector effects(const ForestPair& pair, const FeatureRows& features, int threads) {
    Vector effect = predict(pair.effect, features, threads);
    if (pair.centered_propensity.trees.empty()) return effect;
    const Vector against = predict(pair.effect_against, features, threads);
    const Vector centered = predict(pair.centered_propensity, features, threads);
    return (0.5 + centered.array()) * against.array() + (0.5 - centered.array()) * effect.array();
}

Matrix scores(const ForestPairs& model, const FeatureRows& features, int threads) {
    Matrix result = Matrix::Zero(static_cast<Eigen::Index>(features.rows()), model.treatments);
    for (const ForestPair& pair : model.pairs) {
        const Vector effect = effects(pair, features, threads) / model.treatments;
        result.col(pair.treatment) += effect;
        result.col(pair.against) -= effect;
    }
    return result;
}

}  // namespace polyrx
