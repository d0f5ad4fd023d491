// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/nuisances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/learners/linear/ridge.hpp"
#include "polyrx/learners/trees/classification_criterion.hpp"
#include "polyrx/learners/trees/regression_forest.hpp"
#include "polyrx/nuisance/calibrate.hpp"
#include "polyrx/nuisance/linear_inputs.hpp"
#include "polyrx/nuisance/second_order_inputs.hpp"
#include "polyrx/nuisance/stacked_outcomes.hpp"
#include "polyrx/statistics/mean_estimate.hpp"
#include "polyrx/study/splits/group_numbers.hpp"
#include "polyrx/study/splits/grouped_folds.hpp"

namespace polyrx {
namespace {

using Rows = std::vector<std::size_t>;

template <class T>
std::vector<T> of_rows(std::span<const T> by_row, std::span<const std::size_t> rows) {
    std::vector<T> values;
    if (by_row.empty()) return values;
    values.reserve(rows.size());
    for (const std::size_t row : rows) values.push_back(by_row[row]);
    return values;
}

void check_options(const NuisanceOptions& options) {
    for (const int trees : {options.outcome_trees, options.propensity.trees})
        if (trees < 1) throw usage_error(fmt::format("a forest has at least 1 tree, not {}", trees));
    if (options.outcome_leaf_rows < 1 || options.propensity.leaf_rows < 1)
        throw usage_error("leaves have at least 1 row, not 0");
}

void check_study(const TreatedRows& study, std::span<const int> treatment, std::span<const std::size_t> group,
                 const StudyDesign& design, std::ptrdiff_t least) {
    constexpr int most = ClassificationCriterion::most_classes;
    if (study.treatments > most)
        throw usage_error(
            fmt::format("doubly robust scores are of at most {} treatments, not {}", most, study.treatments));
    for (int k = 0; k < study.treatments; ++k)
        if (const auto count = std::ranges::count(treatment, k); count < least)
            throw data_error(
                fmt::format("treatment {} has {} of the rows, but doubly robust scores need at least {} of each",
                            treatment_name(design.labels, k), count, least));
    if (!group.empty() && number_groups(group).count == 1)
        throw data_error("all rows are in one group: nothing outside of it could predict them");
    if (design.propensities != nullptr)
        check_known_propensities(*design.propensities, study.treatment.size(), study.treatments, design.labels);
}

void check_folds(std::span<const RowSplit> folds, std::span<const int> treatment, int treatments,
                 std::span<const std::string> labels) {
    for (std::size_t f = 0; f < folds.size(); ++f) {
        std::vector<char> is_given(static_cast<std::size_t>(treatments));
        for (const std::size_t place : folds[f].kept) is_given[static_cast<std::size_t>(treatment[place])] = 1;
        for (int k = 0; k < treatments; ++k)
            if (!is_given[static_cast<std::size_t>(k)])
                throw data_error(
                    fmt::format("treatment {} has no rows outside of fold {} of {}: nothing predicts that fold",
                                treatment_name(labels, k), f + 1, folds.size()));
    }
}

// Predicts the outcomes of one treatment for some rows, given by place.
class OutcomePredictor {
public:
    OutcomePredictor(const StackedRows& all, const NuisanceOptions& options)
        : all_(all), study_(all.study), rows_(all.rows), inputs_(all.inputs), options_(options) {}

    [[nodiscard]] Vector predict(int treatment, const RowSplit& fold, std::uint64_t stream, std::uint64_t fold_stream,
                                 const Progress& progress) const {
        const Rows given = training_places(treatment, fold.kept);
        if (given.empty()) return mean_of(fold.kept, fold.held_out.size());
        if (given.size() < options_.least_rows) return mean_of(given, fold.held_out.size());
        if (options_.outcome == OutcomeModel::forest) return by_forest(given, fold.held_out, stream, progress);
        if (options_.outcome == OutcomeModel::stack)
            return stacked_outcomes(all_, given, fold.held_out, forest_options(stream), fold_stream, progress);
        report(progress, 0, "predicting outcomes");
        return by_ridge(given, fold.held_out);
    }

private:
    [[nodiscard]] Rows training_places(int treatment, const Rows& kept) const {
        Rows given;
        Rows count(static_cast<std::size_t>(study_.treatments));
        for (const std::size_t place : kept) {
            const int received = study_.treatment[rows_[place]];
            ++count[static_cast<std::size_t>(received)];
            if (received == treatment) given.push_back(place);
        }
        const std::size_t most = equal_shares(count, options_.training_rows)[static_cast<std::size_t>(treatment)];
        const std::vector<int> one_kind(given.size(), 0);
        return picked(given, stratified_sample(one_kind, most, options_.seed));
    }

    [[nodiscard]] Vector mean_of(const Rows& places, std::size_t count) const {
        WeightedMean mean;
        for (const std::size_t place : places) mean.add(study_.outcome[rows_[place]], study_.weight_of(rows_[place]));
        return Vector::Constant(static_cast<Eigen::Index>(count), mean.mean());
    }

    [[nodiscard]] ForestOptions forest_options(std::uint64_t stream) const {
        ForestOptions options;
        options.trees = options_.outcome_trees;
        options.leaf_rows = options_.outcome_leaf_rows;
        options.seed = options_.seed;
        options.stream = stream;
        options.threads = options_.threads;
        return options;
    }

    [[nodiscard]] Vector by_forest(const Rows& given, const Rows& held_out, std::uint64_t stream,
                                   const Progress& progress) const {
        const RegressionForest forest = fit_regression_forest(study_.features, picked(rows_, given), study_.outcome,
                                                              study_.weight, forest_options(stream), progress);
        const FeatureRows unseen{study_.features.values(picked(rows_, held_out), Eigen::all), study_.features.levels};
        return polyrx::predict(forest, unseen, options_.threads);
    }

    [[nodiscard]] Vector by_ridge(const Rows& given, const Rows& held_out) const {
        const std::vector<double> outcome = of_rows(study_.outcome, picked(rows_, given));
        const std::vector<double> weight = of_rows(study_.weight, picked(rows_, given));
        const auto as_vector = [](const std::vector<double>& values) -> Vector {
            return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
        };
        const Matrix learn = inputs_(given, Eigen::all);
        const Matrix unseen = inputs_(held_out, Eigen::all);
        const RidgeChoice choice =
            ridge_cv(learn, as_vector(outcome), as_vector(weight), usual_penalties(), options_.threads);
        return polyrx::predict(choice.model, unseen);
    }

    const StackedRows& all_;
    const TreatedRows& study_;
    std::span<const std::size_t> rows_;
    const Matrix& inputs_;
    const NuisanceOptions& options_;
};

void add_fold(PropensityReport& report, const PropensityFit& fit, std::size_t folds) {
    if (report.trials.empty())
        for (const PropensityTrial& trial : fit.trials) report.trials.push_back({trial.model, 0, 0, 0});
    for (std::size_t i = 0; i < fit.trials.size(); ++i) {
        report.trials[i].log_loss += fit.trials[i].log_loss / static_cast<double>(folds);
        report.trials[i].calibrated_log_loss += fit.trials[i].calibrated_log_loss / static_cast<double>(folds);
        report.trials[i].weight += fit.trials[i].weight / static_cast<double>(folds);
    }
    report.model.push_back(fit.model);
    report.calibrated.push_back(fit.calibrated);
}

bool needs_stack(const NuisanceOptions& options, bool known) {
    return options.outcome == OutcomeModel::stack || (!known && options.propensity.model == PropensityModel::stack);
}

bool needs_linear_inputs(const NuisanceOptions& options, bool known) {
    return options.outcome == OutcomeModel::ridge || options.outcome == OutcomeModel::stack ||
           (!known && options.propensity.model != PropensityModel::forest);
}

}  // namespace

NuisanceOptions stacked_nuisances() {
    NuisanceOptions options;
    options.outcome = OutcomeModel::stack;
    options.propensity.model = PropensityModel::stack;
    options.rare = true;
    return options;
}

Nuisances cross_fit(const TreatedRows& study, std::span<const std::size_t> rows, const NuisanceOptions& options,
                    const StudyDesign& design, const Progress& progress) {
    check_options(options);
    const bool known = design.propensities != nullptr;
    const std::vector<int> treatment = of_rows(study.treatment, rows);
    const std::vector<double> weight = of_rows(study.weight, rows);
    const Rows group = of_rows(design.group, rows);
    check_study(study, treatment, group, design, options.rare ? 0 : 2);
    Nuisances result;
    result.folds = group.empty() ? k_folds(treatment, options.folds, options.seed)
                                 : grouped_folds(treatment, group, options.folds, options.seed);
    if (!options.rare) check_folds(result.folds, treatment, study.treatments, design.labels);

    const auto count = static_cast<Eigen::Index>(rows.size());
    const bool with_outcomes = options.outcome != OutcomeModel::none;
    if (with_outcomes) result.outcomes.resize(count, study.treatments);
    result.propensities.resize(count, study.treatments);
    result.propensity.known = known;
    const Matrix inputs = needs_linear_inputs(options, known) ? linear_inputs(study.features, rows) : Matrix();
    const BinnedRows binned = needs_stack(options, known) ? bin_features(study.features, 32, progress) : BinnedRows();
    const SecondOrderInputs products = needs_stack(options, known) ? SecondOrderInputs(inputs) : SecondOrderInputs();
    const StackedRows all{study, rows, inputs, binned, products, group};

    // Each fold has one part per treatment and one for propensities. Several parts run at once, because one part keeps
    // few threads busy. Their number is limited, because each holds forests in memory.
    constexpr std::size_t most_at_once = 4;
    const std::size_t folds = result.folds.size();
    const std::size_t per_fold = static_cast<std::size_t>(study.treatments) + 1;
    const int threads = threads_for(options.threads);
    const int at_once = static_cast<int>(std::min({static_cast<std::size_t>(threads), most_at_once, folds * per_fold}));
    NuisanceOptions of_part = options;
    of_part.threads = std::max(1, threads / at_once);
    const OutcomePredictor predictor(all, of_part);
    std::vector<PropensityFit> fits(folds);
    std::atomic<std::size_t> done{0};
    const auto share_done = [&] { return static_cast<double>(done) / static_cast<double>(folds * per_fold); };
    const Progress part_progress = side_by_side(progress, share_done, "predicting outcomes");
    parallel_for(folds * per_fold, at_once, [&](std::size_t number) {
        const std::size_t f = number / per_fold;
        const auto k = static_cast<int>(number % per_fold);
        const RowSplit& fold = result.folds[f];
        // Random streams of these forests start at 1, because other forests use 0. Streams of trials come last.
        const std::size_t behind_trials = 1 + folds * per_fold + folds * propensity_trial_folds;
        if (k < study.treatments) {
            if (with_outcomes)
                result.outcomes(fold.held_out, k) =
                    predictor.predict(k, fold, 1 + number, behind_trials + number * outcome_trial_folds, part_progress);
        } else if (!known) {
            const PropensityDraws draws{.seed = options.seed,
                                        .stream = 1 + number,
                                        .trial_stream = 1 + folds * per_fold + f * propensity_trial_folds,
                                        .threads = of_part.threads};
            const std::vector<int> given = of_rows(std::span<const int>(treatment), fold.kept);
            const Rows learn = picked(fold.kept, stratified_sample(given, options.training_rows, options.seed));
            fits[f] = fit_propensities({study, rows, inputs, group, &binned, &products}, learn, fold.held_out,
                                       options.propensity, draws, part_progress);
            result.propensities(fold.held_out, Eigen::all) = fits[f].propensities;
        }
        ++done;
    });
    for (const RowSplit& fold : result.folds)
        result.sampled = result.sampled || fold.kept.size() > options.training_rows;
    if (!known)
        for (const PropensityFit& fit : fits) add_fold(result.propensity, fit, folds);
    if (known)
        for (Eigen::Index i = 0; i < count; ++i)
            result.propensities.row(i) =
                design.propensities->row(static_cast<Eigen::Index>(rows[static_cast<std::size_t>(i)]));
    result.propensity.log_loss = log_loss(result.propensities, treatment, weight);
    return result;
}

}  // namespace polyrx
