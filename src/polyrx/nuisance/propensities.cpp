// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/propensities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/nuisance/calibrate.hpp"
#include "polyrx/nuisance/propensity_models.hpp"
#include "polyrx/nuisance/stacked_propensities.hpp"

namespace polyrx {
namespace {

constexpr double most_off_one = 1e-6;  // tolerance for sums of propensities that were rounded to seven digits

// Compares models by cross-validated predictions of the kept rows, which are numbered from 0 here.
class Contest {
public:
    Contest(const PropensityRows& rows, std::span<const std::size_t> kept, bool calibrate, const PropensityDraws& draws)
        : given_(of_places(rows.study.treatment, rows, kept)),
          weight_(of_places(rows.study.weight, rows, kept)),
          kept_(kept),
          treatments_(rows.study.treatments),
          calibrate_(calibrate),
          threads_(draws.threads) {
        folds_ = trial_folds(rows, kept, draws.seed);
    }

    // Joins the results of predict(fold, places to learn from, places to predict) over folds.
    [[nodiscard]] Matrix by_folds(
        const std::function<Matrix(std::size_t, const Places&, const Places&)>& predict) const {
        Matrix predicted(static_cast<Eigen::Index>(kept_.size()), treatments_);
        for (std::size_t f = 0; f < folds_.size(); ++f)
            predicted(folds_[f].held_out, Eigen::all) =
                predict(f, picked(kept_, folds_[f].kept), picked(kept_, folds_[f].held_out));
        return predicted;
    }

    // Adds a model with its held-out predictions of the kept rows.
    void enter(PropensityModel model, const Matrix& predicted) {
        const double raw = log_loss(predicted, given_, weight_);
        const double after = calibrate_ ? calibrated_loss(predicted) : raw;
        trials.push_back({model, raw, after});
        if (std::min(raw, after) >= least_) return;
        least_ = std::min(raw, after);
        winner = model;
        calibration.reset();
        if (after < raw) calibration = fit_calibration(predicted, given_, weight_, threads_);
    }

    std::vector<PropensityTrial> trials = {};
    PropensityModel winner = PropensityModel::logistic;
    std::optional<LogisticModel> calibration = {};  // of the winner, if it lowers the log-loss

private:
    // Log-loss of cross-fitted calibration: each fold is calibrated by a model of the other folds.
    [[nodiscard]] double calibrated_loss(const Matrix& predicted) const {
        Matrix held_out(predicted.rows(), predicted.cols());
        for (const RowSplit& fold : folds_) {
            std::vector<int> given;
            std::vector<double> weight;
            for (const std::size_t place : fold.kept) {
                given.push_back(given_[place]);
                if (!weight_.empty()) weight.push_back(weight_[place]);
            }
            const Matrix others = predicted(fold.kept, Eigen::all);
            const Matrix its_own = predicted(fold.held_out, Eigen::all);
            held_out(fold.held_out, Eigen::all) = calibrated(fit_calibration(others, given, weight, threads_), its_own);
        }
        return log_loss(held_out, given_, weight_);
    }

    std::vector<int> given_;
    std::vector<double> weight_;
    std::span<const std::size_t> kept_;
    std::vector<RowSplit> folds_;
    int treatments_;
    bool calibrate_;
    int threads_;
    double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::string_view name_of(PropensityModel model) {
    switch (model) {
        case PropensityModel::logistic:
            return "logistic";
        case PropensityModel::forest:
            return "forest";
        case PropensityModel::constant:
            return "constant";
        case PropensityModel::second_order:
            return "logistic of products";
        case PropensityModel::shallow_boosting:
            return "boosted trees of depth 2";
        case PropensityModel::boosting:
            return "boosted trees of depth 4";
        case PropensityModel::stack:
            break;
    }
    return "stack";
}

PropensityFit fit_propensities(const PropensityRows& rows, std::span<const std::size_t> kept,
                               std::span<const std::size_t> held_out, const PropensityOptions& options,
                               const PropensityDraws& draws, const Progress& progress) {
    if (options.model == PropensityModel::stack)
        return fit_stacked_propensities(rows, kept, held_out, options, draws, progress);
    LogisticOptions logistic;
    logistic.threads = draws.threads;
    const bool with_logistic = options.model != PropensityModel::forest;
    const bool with_forest = options.model != PropensityModel::logistic;
    const bool bag = bag_will_do(rows, options);
    std::optional<Contest> contest;  // empty if there is no choice
    if ((!options.model || options.calibrate) && kept.size() > 1) contest.emplace(rows, kept, options.calibrate, draws);

    report(progress, 0, "predicting treatments");
    if (with_logistic && contest)
        contest->enter(PropensityModel::logistic,
                       contest->by_folds([&](std::size_t, const Places& learn, const Places& predict) {
                           return by_logistic(rows, learn, predict, logistic);
                       }));
    ClassificationForest forest;
    if (with_forest) {
        const std::size_t parts = contest && !bag ? 1 + propensity_trial_folds : 1;
        const auto part = [&](std::size_t i) { return equal_part(progress, i, parts, "predicting treatments"); };
        const ForestOptions its_options = forest_options(rows, options, draws);
        forest = fitted_forest(rows, kept, its_options, part(0));
        if (contest && bag) {
            contest->enter(PropensityModel::forest, by_bag(forest, rows, kept, its_options));
        } else if (contest) {
            contest->enter(PropensityModel::forest, contest->by_folds([&](std::size_t f, const Places& learn,
                                                                          const Places& predict) {
                ForestOptions of_fold = its_options;
                of_fold.stream = draws.trial_stream + f;
                return by_forest(fitted_forest(rows, learn, of_fold, part(1 + f)), rows, predict, draws.threads);
            }));
        }
    }
    PropensityFit fit;
    fit.model = contest ? contest->winner : options.model.value_or(PropensityModel::logistic);
    fit.propensities = fit.model == PropensityModel::forest ? by_forest(forest, rows, held_out, draws.threads)
                                                            : by_logistic(rows, kept, held_out, logistic);
    if (!contest) return fit;
    fit.trials = std::move(contest->trials);
    fit.calibrated = contest->calibration.has_value();
    if (fit.calibrated) fit.propensities = calibrated(*contest->calibration, fit.propensities);
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
            if (!(propensities(i, k) >= 0 && propensities(i, k) <= 1))
                throw data_error(
                    fmt::format("row {}: the propensity of treatment {} is {}: expected a number from 0 to 1", i + 1,
                                treatment_name(labels, k), propensities(i, k)));
        if (const double sum = propensities.row(i).sum(); std::abs(sum - 1) > most_off_one)
            throw data_error(fmt::format("row {}: the propensities sum to {:.6g}: expected 1", i + 1, sum));
    }
}

void check_least_propensity(double least) {
    if (!(least > 0 && least <= 1))
        throw usage_error(fmt::format("the least propensity must be above 0 and at most 1, not {}", least));
}

}  // namespace polyrx
