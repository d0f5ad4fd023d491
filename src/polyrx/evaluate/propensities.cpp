// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/propensities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/data/group_numbers.hpp"
#include "polyrx/data/grouped_folds.hpp"
#include "polyrx/evaluate/calibrate.hpp"
#include "polyrx/evaluate/part_of_work.hpp"
#include "polyrx/learners/classification_forest.hpp"

namespace polyrx {
namespace {

using Places = std::vector<std::size_t>;

constexpr double most_off_one = 1e-6;  // what a sum of propensities may be, when somebody rounded them to seven digits

// Values by study row, of some places.
template <class T>
std::vector<T> of_places(std::span<const T> by_row, const PropensityRows& rows, std::span<const std::size_t> places) {
    std::vector<T> values;
    if (by_row.empty()) return values;
    values.reserve(places.size());
    for (const std::size_t place : places) values.push_back(by_row[rows.rows[place]]);
    return values;
}

Matrix by_logistic(const PropensityRows& rows, std::span<const std::size_t> learn, std::span<const std::size_t> predict,
                   int threads) {
    const std::vector<int> given = of_places(rows.study.treatment, rows, learn);
    const std::vector<double> weight = of_places(rows.study.weight, rows, learn);
    const Vector weights = Eigen::Map<const Vector>(weight.data(), static_cast<Eigen::Index>(weight.size()));
    LogisticOptions options;
    options.threads = threads;
    const Matrix inputs = rows.inputs(learn, Eigen::all);
    const Matrix unseen = rows.inputs(predict, Eigen::all);
    return probabilities(multinomial_logistic(inputs, given, rows.study.treatments, weights, options).model, unseen);
}

Matrix by_forest(const PropensityRows& rows, std::span<const std::size_t> learn, std::span<const std::size_t> predict,
                 const PropensityOptions& options, const PropensityDraws& draws, const Progress& progress) {
    const FeatureRows& features = rows.study.features;
    ForestOptions forest_options = classification_options(features.features());
    forest_options.trees = options.trees;
    forest_options.leaf_rows = options.leaf_rows;
    forest_options.seed = draws.seed;
    forest_options.stream = draws.stream;
    forest_options.threads = draws.threads;
    const ClassificationForest forest =
        fit_classification_forest(features, picked(rows.rows, learn), rows.study.treatment, rows.study.treatments,
                                  rows.study.weight, forest_options, progress);
    const FeatureRows unseen{features.values(picked(rows.rows, predict), Eigen::all), features.levels};
    return probabilities(forest, unseen, draws.threads);
}

Matrix predicted_by(PropensityModel model, const PropensityRows& rows, std::span<const std::size_t> learn,
                    std::span<const std::size_t> predict, const PropensityOptions& options,
                    const PropensityDraws& draws, const Progress& progress) {
    if (model == PropensityModel::forest) return by_forest(rows, learn, predict, options, draws, progress);
    report(progress, 0, "predicting treatments");
    return by_logistic(rows, learn, predict, draws.threads);
}

// Splits of the places 0 .. kept-1 among the kept ones. Groups stay whole, unless there are too few of them: that makes
// a choice worse, but lets no held-out row have a part in it.
std::vector<RowSplit> trial_folds(const PropensityRows& rows, std::span<const std::size_t> kept,
                                  std::span<const int> given, std::uint64_t seed) {
    Places group;
    if (!rows.group.empty()) group = picked(rows.group, kept);
    const std::size_t groups = group.empty() ? 0 : number_groups(group).count;
    if (groups > 1) return grouped_folds(given, group, std::min(propensity_trial_folds, groups), seed);
    return k_folds(given, std::min(propensity_trial_folds, kept.size()), seed);
}

// What models of other rows say of the kept rows, and what they really got.
struct Trial {
    Matrix predicted;
    std::span<const int> given;
    std::span<const double> weight;
    const std::vector<RowSplit>& folds;
};

// The log-loss of each fold after a calibration that was fitted to the predictions for the others.
double calibrated_loss(const Trial& trial, int threads) {
    Matrix held_out(trial.predicted.rows(), trial.predicted.cols());
    for (const RowSplit& fold : trial.folds) {
        std::vector<int> given;
        std::vector<double> weight;
        for (const std::size_t place : fold.kept) {
            given.push_back(trial.given[place]);
            if (!trial.weight.empty()) weight.push_back(trial.weight[place]);
        }
        const Matrix others = trial.predicted(fold.kept, Eigen::all);
        const Matrix its_own = trial.predicted(fold.held_out, Eigen::all);
        held_out(fold.held_out, Eigen::all) = calibrated(fit_calibration(others, given, weight, threads), its_own);
    }
    return log_loss(held_out, trial.given, trial.weight);
}

}  // namespace

std::string_view name_of(PropensityModel model) {
    return model == PropensityModel::logistic ? "logistic" : "forest";
}

PropensityFit fit_propensities(const PropensityRows& rows, std::span<const std::size_t> kept,
                               std::span<const std::size_t> held_out, const PropensityOptions& options,
                               const PropensityDraws& draws, const Progress& progress) {
    PropensityFit fit;
    fit.model = options.model.value_or(PropensityModel::logistic);
    LogisticModel calibration;
    std::size_t part = 0;
    std::size_t parts = 1;
    const auto next_part = [&] { return part_of_work(progress, part++, parts, "predicting treatments"); };
    if ((!options.model || options.calibrate) && kept.size() > 1) {
        std::vector<PropensityModel> models{PropensityModel::logistic, PropensityModel::forest};
        if (options.model) models = {*options.model};
        const std::vector<int> given = of_places(rows.study.treatment, rows, kept);
        const std::vector<double> weight = of_places(rows.study.weight, rows, kept);
        const std::vector<RowSplit> folds = trial_folds(rows, kept, given, draws.seed);
        parts = models.size() * folds.size() + 1;
        double least = std::numeric_limits<double>::infinity();
        for (const PropensityModel model : models) {
            Trial trial{Matrix(static_cast<Eigen::Index>(kept.size()), rows.study.treatments), given, weight, folds};
            for (std::size_t f = 0; f < folds.size(); ++f) {
                PropensityDraws of_fold = draws;
                of_fold.stream = draws.trial_stream + f;
                trial.predicted(folds[f].held_out, Eigen::all) =
                    predicted_by(model, rows, picked(kept, folds[f].kept), picked(kept, folds[f].held_out), options,
                                 of_fold, next_part());
            }
            const double loss = log_loss(trial.predicted, given, weight);
            const double after = options.calibrate ? calibrated_loss(trial, draws.threads) : loss;
            fit.trials.push_back({model, loss, after});
            if (std::min(loss, after) >= least) continue;
            least = std::min(loss, after);
            fit.model = model;
            fit.calibrated = after < loss;
            if (fit.calibrated) calibration = fit_calibration(trial.predicted, given, weight, draws.threads);
        }
    }
    fit.propensities = predicted_by(fit.model, rows, kept, held_out, options, draws, next_part());
    if (fit.calibrated) fit.propensities = calibrated(calibration, fit.propensities);
    return fit;
}

std::string treatment_name(std::span<const std::string> labels, int treatment) {
    const auto k = static_cast<std::size_t>(treatment);
    return k < labels.size() ? fmt::format("'{}'", labels[k]) : fmt::format("{}", treatment);
}

void check_known_propensities(const Matrix& propensities, std::size_t rows, int treatments,
                              std::span<const std::string> labels) {
    if (propensities.cols() == 1 && treatments > 1)
        throw data_error(
            fmt::format("one propensity a row, of the treatment that it received, is not enough: expected those of all "
                        "{} treatments, since a policy may prescribe another one",
                        treatments));
    if (propensities.cols() != treatments)
        throw data_error(fmt::format("known propensities of {} treatments were given, and there are {}",
                                     propensities.cols(), treatments));
    if (propensities.rows() != static_cast<Eigen::Index>(rows))
        throw data_error(
            fmt::format("known propensities of {} rows were given, and there are {}", propensities.rows(), rows));
    for (Eigen::Index i = 0; i < propensities.rows(); ++i) {
        for (int k = 0; k < treatments; ++k)
            if (!(propensities(i, k) > 0 && propensities(i, k) <= 1))
                throw data_error(
                    fmt::format("row {}: the propensity of treatment {} is {}: expected above 0 and at most 1", i + 1,
                                treatment_name(labels, k), propensities(i, k)));
        if (const double sum = propensities.row(i).sum(); std::abs(sum - 1) > most_off_one)
            throw data_error(fmt::format("row {}: the propensities sum to {:.6g}: expected 1", i + 1, sum));
    }
}

}  // namespace polyrx
