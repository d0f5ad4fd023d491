// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/stacked_propensities.hpp"

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/nuisance/boosted_folds.hpp"
#include "polyrx/nuisance/calibrate.hpp"
#include "polyrx/nuisance/propensity_models.hpp"
#include "polyrx/nuisance/second_order_inputs.hpp"
#include "polyrx/nuisance/stack_weights.hpp"

namespace polyrx {
namespace {

// Models predict the kept rows by cross-fitting. Then models of all kept rows predict the held-out rows.
class PropensityStack {
public:
    PropensityStack(const PropensityRows& rows, std::span<const std::size_t> kept, const PropensityOptions& options,
                    const PropensityDraws& draws)
        : rows_(rows),
          kept_(kept),
          options_(options),
          draws_(draws),
          given_(of_places(rows.study.treatment, rows, kept)),
          weight_(of_places(rows.study.weight, rows, kept)),
          folds_(trial_folds(rows, kept, draws.seed)) {
        linear_.threads = draws.threads;
    }

    [[nodiscard]] PropensityFit fit(std::span<const std::size_t> held_out, const Progress& progress) {
        report(progress, 0, "predicting treatments");
        predict_kept(progress);
        std::vector<double> weights = log_loss_weights(predicted_, given_, weight_);
        double sum = 0;
        for (double& weight : weights) sum += weight = weight < least_stack_weight ? 0 : weight;
        for (double& weight : weights) weight /= sum;
        PropensityFit fit;
        fit.model = PropensityModel::stack;
        for (std::size_t m = 0; m < models_.size(); ++m) {
            const double loss = log_loss(predicted_[m], given_, weight_);
            fit.trials.push_back({models_[m], loss, loss, weights[m]});
        }
        std::vector<Matrix> unseen(models_.size());
        for (std::size_t m = 0; m < models_.size(); ++m)
            unseen[m] = weights[m] > 0 ? predict(models_[m], held_out, progress)
                                       : Matrix::Ones(static_cast<Eigen::Index>(held_out.size()), treatments());
        fit.propensities = pooled_probabilities(unseen, weights);
        if (options_.calibrate) calibrate(pooled_probabilities(predicted_, weights), fit);
        return fit;
    }

private:
    [[nodiscard]] int treatments() const { return rows_.study.treatments; }

    [[nodiscard]] Matrix constant(std::span<const std::size_t> learn, std::size_t count) const {
        Eigen::RowVectorXd shares = Eigen::RowVectorXd::Zero(treatments());
        for (const std::size_t place : learn)
            shares[rows_.study.treatment[rows_.rows[place]]] +=
                rows_.study.weight.empty() ? 1 : rows_.study.weight[rows_.rows[place]];
        return (shares / shares.sum()).replicate(static_cast<Eigen::Index>(count), 1);
    }

    // Logistic regression on the squares and products that correlate with the treatments.
    [[nodiscard]] Matrix by_products(std::span<const std::size_t> learn, std::span<const std::size_t> unseen) const {
        Matrix residual = -constant(learn, learn.size());
        for (std::size_t i = 0; i < learn.size(); ++i)
            residual(static_cast<Eigen::Index>(i), rows_.study.treatment[rows_.rows[learn[i]]]) += 1;
        const std::vector<Eigen::Index> columns = rows_.products->screened(learn, residual);
        if (columns.empty()) return constant(learn, unseen.size());
        return by_logistic(rows_, rows_.products->at(learn, columns), rows_.products->at(unseen, columns), learn,
                           linear_);
    }

    [[nodiscard]] Booster booster(PropensityModel model, std::span<const std::size_t> learn,
                                  std::span<const std::size_t> others) const {
        BoostingOptions options;
        options.depth = model == PropensityModel::shallow_boosting ? 2 : 4;
        options.leaf_rows = options_.leaf_rows;
        return {*rows_.binned,         {picked(rows_.rows, learn), picked(rows_.rows, others)},
                rows_.study.treatment, treatments(),
                rows_.study.weight,    options};
    }

    // Joins the results of predict(places to learn from, places to predict) over folds.
    template <class Predict>
    [[nodiscard]] Matrix by_folds(const Predict& predict) const {
        Matrix predicted(static_cast<Eigen::Index>(kept_.size()), treatments());
        for (const RowSplit& fold : folds_)
            predicted(fold.held_out, Eigen::all) = predict(picked(kept_, fold.kept), picked(kept_, fold.held_out));
        return predicted;
    }

    void enter(PropensityModel model, Matrix predicted) {
        models_.push_back(model);
        predicted_.push_back(std::move(predicted));
    }

    void predict_kept(const Progress& progress) {
        enter(PropensityModel::constant,
              by_folds([&](const Places& learn, const Places& unseen) { return constant(learn, unseen.size()); }));
        enter(PropensityModel::logistic, by_folds([&](const Places& learn, const Places& unseen) {
                  return by_logistic(rows_, learn, unseen, linear_);
              }));
        if (rows_.products != nullptr && rows_.products->columns() > 0)
            enter(PropensityModel::second_order,
                  by_folds([&](const Places& learn, const Places& unseen) { return by_products(learn, unseen); }));
        for (const PropensityModel model : {PropensityModel::shallow_boosting, PropensityModel::boosting}) {
            BoostedChoice choice =
                choose_rounds(folds_,
                              {[&](const RowSplit& fold) {
                                   return booster(model, picked(kept_, fold.kept), picked(kept_, fold.held_out));
                               },
                               [&](const Booster& boosted, const Places& places) {
                                   return boosted.probabilities(picked(rows_.rows, picked(kept_, places)));
                               },
                               [&](const Matrix& predicted) { return log_loss(predicted, given_, weight_); }},
                              draws_.threads, progress);
            rounds_[model == PropensityModel::boosting ? 1 : 0] = choice.rounds;
            enter(model, std::move(choice.out_of_fold));
        }
        const bool bag = bag_will_do(rows_, options_);
        const auto part = [&](std::size_t i) {
            return equal_part(progress, i, bag ? 1 : 1 + propensity_trial_folds, "predicting treatments");
        };
        const ForestOptions forest_of_all = forest_options(rows_, options_, draws_);
        forest_ = fitted_forest(rows_, kept_, forest_of_all, part(0));
        std::size_t fold = 0;
        enter(PropensityModel::forest, bag ? by_bag(forest_, rows_, kept_, forest_of_all)
                                           : by_folds([&](const Places& learn, const Places& unseen) {
                                                 ForestOptions of_fold = forest_of_all;
                                                 of_fold.stream = draws_.trial_stream + fold;
                                                 return by_forest(
                                                     fitted_forest(rows_, learn, of_fold, part(1 + fold++)), rows_,
                                                     unseen, draws_.threads);
                                             }));
    }

    [[nodiscard]] Matrix predict(PropensityModel model, std::span<const std::size_t> unseen,
                                 const Progress& progress) const {
        if (model == PropensityModel::constant) return constant(kept_, unseen.size());
        if (model == PropensityModel::logistic) return by_logistic(rows_, kept_, unseen, linear_);
        if (model == PropensityModel::second_order) return by_products(kept_, unseen);
        if (model == PropensityModel::forest) return by_forest(forest_, rows_, unseen, draws_.threads);
        Booster boosted = booster(model, kept_, unseen);
        add_rounds(boosted, rounds_[model == PropensityModel::boosting ? 1 : 0], progress);
        return boosted.probabilities(picked(rows_.rows, unseen));
    }

    // Calibrates the pool if cross-fitted calibration lowers its log-loss.
    void calibrate(const Matrix& pooled, PropensityFit& fit) const {
        Matrix after(pooled.rows(), pooled.cols());
        for (const RowSplit& fold : folds_) {
            const std::vector<int> given = picked_of(given_, fold.kept);
            const std::vector<double> weight = weight_.empty() ? weight_ : picked_of(weight_, fold.kept);
            const Matrix others = pooled(fold.kept, Eigen::all);
            const Matrix its_own = pooled(fold.held_out, Eigen::all);
            after(fold.held_out, Eigen::all) =
                calibrated(fit_calibration(others, given, weight, draws_.threads), its_own);
        }
        if (log_loss(after, given_, weight_) >= log_loss(pooled, given_, weight_)) return;
        fit.propensities = calibrated(fit_calibration(pooled, given_, weight_, draws_.threads), fit.propensities);
        fit.calibrated = true;
    }

    template <class T>
    [[nodiscard]] static std::vector<T> picked_of(const std::vector<T>& values, const Places& places) {
        std::vector<T> result;
        result.reserve(places.size());
        for (const std::size_t place : places) result.push_back(values[place]);
        return result;
    }

    const PropensityRows& rows_;
    std::span<const std::size_t> kept_;
    const PropensityOptions& options_;
    const PropensityDraws& draws_;
    std::vector<int> given_;
    std::vector<double> weight_;
    std::vector<RowSplit> folds_;
    LogisticOptions linear_;
    std::vector<PropensityModel> models_;
    std::vector<Matrix> predicted_;  // for the kept rows, by model
    int rounds_[2] = {0, 0};         // rounds of shallow and of deeper boosting
    ClassificationForest forest_;
};

}  // namespace

PropensityFit fit_stacked_propensities(const PropensityRows& rows, std::span<const std::size_t> kept,
                                       std::span<const std::size_t> held_out, const PropensityOptions& options,
                                       const PropensityDraws& draws, const Progress& progress) {
    if (rows.binned == nullptr) throw usage_error("a stack of propensity models needs binned features");
    return PropensityStack(rows, kept, options, draws).fit(held_out, progress);
}

}  // namespace polyrx
