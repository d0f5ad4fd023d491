// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/stacked_outcomes.hpp"

#include <algorithm>
#include <cmath>

#include "polyrx/learners/linear/ridge.hpp"
#include "polyrx/learners/trees/out_of_bag.hpp"
#include "polyrx/nuisance/boosted_folds.hpp"
#include "polyrx/nuisance/second_order_inputs.hpp"
#include "polyrx/nuisance/stack_weights.hpp"
#include "polyrx/study/splits/group_numbers.hpp"
#include "polyrx/study/splits/grouped_folds.hpp"

namespace polyrx {
namespace {

using RowPlaces = std::vector<std::size_t>;

constexpr int depths[] = {2, 4};  // of boosted trees
constexpr int enough_trees = 50;  // number from which out-of-bag predictions are accurate enough

class OutcomeStack {
public:
    OutcomeStack(const StackedRows& rows, std::span<const std::size_t> given, const ForestOptions& forest,
                 std::uint64_t fold_stream)
        : rows_(rows), given_(given), forest_options_(forest), fold_stream_(fold_stream) {
        for (const std::size_t place : given) {
            outcome_.push_back(rows.study.outcome[rows.rows[place]]);
            if (!rows.study.weight.empty()) weight_.push_back(rows.study.weight[rows.rows[place]]);
        }
        if (given.size() < 2) return;  // too few for two folds
        const std::vector<int> one_kind(given.size(), 0);
        RowPlaces group;
        if (!rows.group.empty()) group = picked(rows.group, given);
        const std::size_t groups = group.empty() ? 0 : number_groups(group).count;
        folds_ = groups > 1 ? grouped_folds(one_kind, group, std::min(outcome_trial_folds, groups), forest.seed)
                            : k_folds(one_kind, std::min(outcome_trial_folds, given.size()), forest.seed);
    }

    [[nodiscard]] Vector predict(std::span<const std::size_t> unseen, const Progress& progress) {
        if (folds_.empty()) return Vector::Constant(static_cast<Eigen::Index>(unseen.size()), mean_outcome());
        const bool with_products = rows_.products.columns() > 0;
        std::vector<Vector> held_out = {by_folds([&](std::size_t, const RowPlaces& learn, const RowPlaces& others) {
            return by_ridge(inputs_of(learn), inputs_of(others), learn);
        })};
        if (with_products)
            held_out.push_back(by_folds([&](std::size_t, const RowPlaces& learn, const RowPlaces& others) {
                return by_products(learn, others);
            }));
        std::vector<int> rounds;
        for (const int depth : depths) {
            const BoostedChoice choice =
                choose_rounds(folds_,
                              {[&](const RowSplit& fold) {
                                   return booster(depth, picked(given_, fold.kept), picked(given_, fold.held_out));
                               },
                               [&](const Booster& boosted, const RowPlaces& places) -> Matrix {
                                   return boosted.predict(picked(rows_.rows, picked(given_, places)));
                               },
                               [&](const Matrix& predicted) { return squared_loss(predicted.col(0)); }},
                              forest_options_.threads, progress);
            held_out.emplace_back(choice.out_of_fold.col(0));
            rounds.push_back(choice.rounds);
        }
        const RegressionForest forest = grown(given_, forest_options_, progress);
        held_out.push_back(forest_held_out(forest));

        const std::vector<double> weights = shares_of(held_out);
        const RowPlaces all(given_.begin(), given_.end());
        const RowPlaces others(unseen.begin(), unseen.end());
        Vector result = Vector::Zero(static_cast<Eigen::Index>(unseen.size()));
        std::size_t model = 0;
        if (const double weight = weights[model++]; weight > 0)
            result += weight * by_ridge(inputs_of(all), inputs_of(others), all);
        if (with_products)
            if (const double weight = weights[model++]; weight > 0) result += weight * by_products(all, others);
        for (std::size_t d = 0; d < std::size(depths); ++d) {
            const double weight = weights[model++];
            if (!(weight > 0)) continue;
            Booster boosted = booster(depths[d], all, others);
            add_rounds(boosted, rounds[d], progress);
            result += weight * boosted.predict(picked(rows_.rows, others));
        }
        if (weights.back() > 0) result += weights.back() * by_forest(forest, others);
        return result;
    }

private:
    // The weight of each model in the average.
    [[nodiscard]] std::vector<double> shares_of(const std::vector<Vector>& held_out) const {
        Matrix predicted(static_cast<Eigen::Index>(given_.size()), std::ssize(held_out));
        for (std::size_t m = 0; m < held_out.size(); ++m) predicted.col(static_cast<Eigen::Index>(m)) = held_out[m];
        std::vector<double> weights = squared_loss_weights(predicted, outcome_, weight_);
        double sum = 0;
        for (double& weight : weights) sum += weight = weight < least_stack_weight ? 0 : weight;
        for (double& weight : weights) weight /= sum;
        return weights;
    }

    [[nodiscard]] double squared_loss(const Vector& predicted) const {
        double sum = 0;
        for (std::size_t i = 0; i < outcome_.size(); ++i) {
            const double error = predicted[static_cast<Eigen::Index>(i)] - outcome_[i];
            sum += (weight_.empty() ? 1 : weight_[i]) * error * error;
        }
        return sum;
    }

    template <class Predict>
    [[nodiscard]] Vector by_folds(const Predict& predict) const {
        Vector predicted(static_cast<Eigen::Index>(given_.size()));
        for (std::size_t f = 0; f < folds_.size(); ++f)
            predicted(folds_[f].held_out) =
                predict(f, picked(given_, folds_[f].kept), picked(given_, folds_[f].held_out));
        return predicted;
    }

    [[nodiscard]] Matrix inputs_of(const RowPlaces& places) const { return rows_.inputs(places, Eigen::all); }

    // `inputs` are of the places to learn from, `unseen` of those to predict.
    [[nodiscard]] Vector by_ridge(const Matrix& inputs, const Matrix& unseen, const RowPlaces& learn) const {
        Vector outcome(static_cast<Eigen::Index>(learn.size()));
        Vector weight(static_cast<Eigen::Index>(weight_.empty() ? 0 : learn.size()));
        for (std::size_t i = 0; i < learn.size(); ++i) {
            outcome[static_cast<Eigen::Index>(i)] = rows_.study.outcome[rows_.rows[learn[i]]];
            if (!weight_.empty()) weight[static_cast<Eigen::Index>(i)] = rows_.study.weight[rows_.rows[learn[i]]];
        }
        return polyrx::predict(ridge_cv(inputs, outcome, weight, usual_penalties(), forest_options_.threads).model,
                               unseen);
    }

    // Ridge regression on the squares and products that correlate with the outcome.
    [[nodiscard]] Vector by_products(const RowPlaces& learn, const RowPlaces& others) const {
        Matrix residual(static_cast<Eigen::Index>(learn.size()), 1);
        for (std::size_t i = 0; i < learn.size(); ++i)
            residual(static_cast<Eigen::Index>(i), 0) = rows_.study.outcome[rows_.rows[learn[i]]];
        const double mean = residual.mean();
        residual.array() -= mean;
        const std::vector<Eigen::Index> columns = rows_.products.screened(learn, residual);
        if (columns.empty()) return Vector::Constant(static_cast<Eigen::Index>(others.size()), mean);
        return by_ridge(rows_.products.at(learn, columns), rows_.products.at(others, columns), learn);
    }

    [[nodiscard]] Booster booster(int depth, const RowPlaces& learn, const RowPlaces& others) const {
        BoostingOptions options;
        options.depth = depth;
        return {rows_.binned,
                {picked(rows_.rows, learn), picked(rows_.rows, others)},
                rows_.study.outcome,
                rows_.study.weight,
                options};
    }

    [[nodiscard]] RegressionForest grown(std::span<const std::size_t> learn, const ForestOptions& options,
                                         const Progress& progress) const {
        return fit_regression_forest(rows_.study.features, picked(rows_.rows, learn), rows_.study.outcome,
                                     rows_.study.weight, options, progress);
    }

    [[nodiscard]] Vector by_forest(const RegressionForest& forest, const RowPlaces& others) const {
        const FeatureRows& features = rows_.study.features;
        return polyrx::predict(forest, {features.values(picked(rows_.rows, others), Eigen::all), features.levels},
                               forest_options_.threads);
    }

    // Out-of-bag predictions; with few trees or with groups, predictions of forests fitted on the other folds.
    [[nodiscard]] Vector forest_held_out(const RegressionForest& forest) const {
        if (!rows_.group.empty() || forest_options_.trees < enough_trees)
            return by_folds([&](std::size_t f, const RowPlaces& learn, const RowPlaces& others) {
                ForestOptions options = forest_options_;
                options.stream = fold_stream_ + f;
                return by_forest(grown(learn, options, {}), others);
            });
        Vector values = out_of_bag_values(forest, rows_.study.features, picked(rows_.rows, given_), forest_options_);
        const double mean = mean_outcome();
        for (double& value : values)
            if (std::isnan(value)) value = mean;
        return values;
    }

    [[nodiscard]] double mean_outcome() const {
        double mean = 0;
        for (const double y : outcome_) mean += y / static_cast<double>(outcome_.size());
        return mean;
    }

    const StackedRows& rows_;
    std::span<const std::size_t> given_;
    ForestOptions forest_options_;
    std::uint64_t fold_stream_;
    std::vector<double> outcome_;
    std::vector<double> weight_;
    std::vector<RowSplit> folds_;
};

}  // namespace

Vector stacked_outcomes(const StackedRows& rows, std::span<const std::size_t> given,
                        std::span<const std::size_t> unseen, const ForestOptions& forest, std::uint64_t fold_stream,
                        const Progress& progress) {
    return OutcomeStack(rows, given, forest, fold_stream).predict(unseen, progress);
}

}  // namespace polyrx
