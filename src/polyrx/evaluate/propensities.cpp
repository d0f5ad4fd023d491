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
#include "polyrx/learners/out_of_bag.hpp"

namespace polyrx {
namespace {

using Places = std::vector<std::size_t>;

// From this many on, the third of the trees that did not see a row are nearly as good as all, and save fitting forests
// to folds. (With fewer they are so much less sure that their calibration would make all of them too timid; but then
// folds cost little. Rows of a group are seldom all left out by a tree, so with groups it is folds in any case.)
constexpr int enough_trees = 50;

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

// How well a model predicts the kept rows, and the calibration that its predictions ask for.
struct Tried {
    PropensityTrial losses;
    LogisticModel calibration;
};

Tried tried(PropensityModel model, const Trial& trial, bool calibrate, int threads) {
    Tried result{{model, log_loss(trial.predicted, trial.given, trial.weight), 0}, {}};
    result.losses.calibrated_log_loss = calibrate ? calibrated_loss(trial, threads) : result.losses.log_loss;
    if (result.losses.calibrated_log_loss < result.losses.log_loss)
        result.calibration = fit_calibration(trial.predicted, trial.given, trial.weight, threads);
    return result;
}

// A forest's own trees predict the rows that they did not see. Where a forest is so small that all of them saw a row,
// nothing is known but how often each treatment was given.
Matrix out_of_bag(const ClassificationForest& forest, const PropensityRows& rows, std::span<const std::size_t> kept,
                  std::span<const int> given, const ForestOptions& options) {
    Matrix predicted = out_of_bag_probabilities(forest, rows.study.features, picked(rows.rows, kept), options);
    Eigen::RowVectorXd shares = Eigen::RowVectorXd::Zero(rows.study.treatments);
    for (const int t : given) shares[t] += 1 / static_cast<double>(given.size());
    for (auto row : predicted.rowwise())
        if (row.sum() == 0) row = shares;
    return predicted;
}

}  // namespace

std::string_view name_of(PropensityModel model) {
    return model == PropensityModel::logistic ? "logistic" : "forest";
}

PropensityFit fit_propensities(const PropensityRows& rows, std::span<const std::size_t> kept,
                               std::span<const std::size_t> held_out, const PropensityOptions& options,
                               const PropensityDraws& draws, const Progress& progress) {
    std::vector<PropensityModel> models{PropensityModel::logistic, PropensityModel::forest};
    if (options.model) models = {*options.model};
    const bool has_choice = (models.size() > 1 || options.calibrate) && kept.size() > 1;
    const std::vector<int> given = of_places(rows.study.treatment, rows, kept);
    const std::vector<double> weight = of_places(rows.study.weight, rows, kept);
    const std::vector<RowSplit> folds =
        has_choice ? trial_folds(rows, kept, given, draws.seed) : std::vector<RowSplit>{};
    const bool with_forest = models.back() == PropensityModel::forest;
    const bool by_bag = rows.group.empty() && options.trees >= enough_trees;
    const std::size_t parts = with_forest ? (by_bag ? 1 : 1 + folds.size()) : 1;
    std::size_t part = 0;
    const auto next_part = [&] { return part_of_work(progress, part++, parts, "predicting treatments"); };

    PropensityFit fit;
    fit.model = models.front();
    LogisticModel calibration;
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](PropensityModel model, Matrix predicted) {
        Tried result = tried(model, {std::move(predicted), given, weight, folds}, options.calibrate, draws.threads);
        fit.trials.push_back(result.losses);
        const double loss = std::min(result.losses.log_loss, result.losses.calibrated_log_loss);
        if (loss >= least) return;
        least = loss;
        fit.model = model;
        fit.calibrated = result.losses.calibrated_log_loss < result.losses.log_loss;
        calibration = std::move(result.calibration);
    };
    const auto by_folds = [&](const auto& predict) {
        Matrix predicted(static_cast<Eigen::Index>(kept.size()), rows.study.treatments);
        for (std::size_t f = 0; f < folds.size(); ++f)
            predicted(folds[f].held_out, Eigen::all) =
                predict(f, picked(kept, folds[f].kept), picked(kept, folds[f].held_out));
        return predicted;
    };

    report(progress, 0, "predicting treatments");
    if (has_choice && models.front() == PropensityModel::logistic)
        consider(PropensityModel::logistic, by_folds([&](std::size_t, const Places& learn, const Places& predict) {
                     return by_logistic(rows, learn, predict, draws.threads);
                 }));
    ClassificationForest forest;
    if (with_forest) {
        const ForestOptions its_options = forest_options(rows, options, draws);
        forest = fitted_forest(rows, kept, its_options, next_part());
        if (has_choice && by_bag) {
            consider(PropensityModel::forest, out_of_bag(forest, rows, kept, given, its_options));
        } else if (has_choice) {
            consider(PropensityModel::forest, by_folds([&](std::size_t f, const Places& learn, const Places& predict) {
                         ForestOptions of_fold = its_options;
                         of_fold.stream = draws.trial_stream + f;
                         return by_forest(fitted_forest(rows, learn, of_fold, next_part()), rows, predict,
                                          draws.threads);
                     }));
        }
    }
    fit.propensities = fit.model == PropensityModel::forest ? by_forest(forest, rows, held_out, draws.threads)
                                                            : by_logistic(rows, kept, held_out, draws.threads);
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
