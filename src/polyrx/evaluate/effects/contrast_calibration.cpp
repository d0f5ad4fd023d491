// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/effects/contrast_calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polyrx/core/error.hpp"
#include "polyrx/evaluate/effects/scored_part.hpp"

namespace polyrx {
namespace {

void check_contrast(const ScoredRows& rows, const Contrast& contrast, std::size_t groups) {
    for (const int k : {contrast.first, contrast.second})
        if (k < 0 || k >= rows.treatments())
            throw usage_error(fmt::format("treatment {} is none of {} treatments", k, rows.treatments()));
    if (contrast.first == contrast.second)
        throw usage_error(
            fmt::format("a contrast is of two treatments, not of treatment {} with itself", contrast.first));
    if (contrast.predicted.size() != rows.rows())
        throw usage_error(fmt::format("{} predicted contrasts but {} rows", contrast.predicted.size(), rows.rows()));
    for (std::size_t row = 0; row < rows.rows(); ++row)
        if (!std::isfinite(contrast.predicted[row]))
            throw data_error(fmt::format("row {}: the predicted contrast is {}; a finite number was expected", row + 1,
                                         contrast.predicted[row]));
    if (groups < 1) throw usage_error("there must be at least 1 group, not 0");
}

// Sorts rows by prediction and cuts where a group is full and the prediction changes. Counts rows, not weight, because
// a standard error needs enough rows.
std::vector<std::vector<std::size_t>> quantile_groups(std::span<const double> predicted, std::size_t groups) {
    std::vector<std::size_t> order(predicted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return predicted[row]; });
    std::vector<std::vector<std::size_t>> parts;
    std::size_t quantile = 0;  // the quantile at which the last group would start without ties
    for (std::size_t place = 0; place < order.size(); ++place) {
        const bool changes = place == 0 || predicted[order[place]] != predicted[order[place - 1]];
        const std::size_t due = place * groups / order.size();
        if (place == 0 || (changes && due > quantile)) {
            parts.emplace_back();
            quantile = due;
        }
        parts.back().push_back(order[place]);
    }
    return parts;
}

double weighted_average(std::span<const double> values, const Sampling& sampling) {
    const WeightedMean mean = weighted_mean(values, sampling);
    return mean.total > 0 ? mean.mean() : 0;
}

CalibrationGroup group_of(std::span<const std::size_t> members, std::span<const double> predicted,
                          std::span<const double> estimated, const Sampling& sampling) {
    const SampledPart part(sampling, members);
    std::vector<double> predictions;
    std::vector<double> estimates;
    for (const std::size_t row : members) {
        predictions.push_back(predicted[row]);
        estimates.push_back(estimated[row]);
    }
    return {members.size(), predictions.front(), predictions.back(), weighted_average(predictions, part.sampling()),
            estimate_mean(estimates, part.sampling())};
}

// sum w (p - mean p)(e - mean e) / sum w (p - mean p)^2, with the influence of least squares, which is robust to
// heteroscedasticity.
MeanEstimate slope_of(std::span<const double> predicted, std::span<const double> estimated, const Sampling& sampling) {
    const auto [least, most] = std::ranges::minmax(predicted);
    if (least == most) return not_estimable("the predicted contrast is the same in every row");
    const double mean_predicted = weighted_average(predicted, sampling);
    const double mean_estimated = weighted_average(estimated, sampling);
    double products = 0;
    double squares = 0;
    for (std::size_t row = 0; row < predicted.size(); ++row) {
        const double deviation = predicted[row] - mean_predicted;
        products += sampling.weight_of(row) * deviation * (estimated[row] - mean_estimated);
        squares += sampling.weight_of(row) * deviation * deviation;
    }
    if (!(squares > 0)) return not_estimable("the predicted contrast is the same in every row that counts");
    const double slope = products / squares;
    std::vector<double> influence(predicted.size());
    for (std::size_t row = 0; row < predicted.size(); ++row) {
        const double deviation = predicted[row] - mean_predicted;
        const double residual = estimated[row] - mean_estimated - slope * deviation;
        influence[row] = sampling.weight_of(row) * deviation * residual / squares;
    }
    return estimate_from_influence(slope, influence, sampling);
}

}  // namespace

Calibration calibrate_contrast(const ScoredRows& rows, const Contrast& contrast, std::size_t groups, double level) {
    check_scored(rows);
    check_contrast(rows, contrast, groups);
    std::vector<double> estimated(rows.rows());
    for (std::size_t row = 0; row < rows.rows(); ++row)
        estimated[row] = rows.score(row, contrast.first) - rows.score(row, contrast.second);
    Calibration calibration;
    const auto parts = quantile_groups(contrast.predicted, groups);
    const double all_at_once = simultaneous_factor(parts.size(), level);
    for (const auto& members : parts) {
        CalibrationGroup& group =
            calibration.groups.emplace_back(group_of(members, contrast.predicted, estimated, rows.sampling));
        const ScoredPart part(rows, members);
        const double effective = std::min(part.effective_rows(contrast.first), part.effective_rows(contrast.second));
        if (effective < rows.needed_rows) group.estimated = too_few_rows(effective, rows.needed_rows);
        set_interval(group.estimated, all_at_once);
    }
    calibration.predicted = weighted_average(contrast.predicted, rows.sampling);
    calibration.estimated = estimate_mean(estimated, rows.sampling);
    calibration.slope = slope_of(contrast.predicted, estimated, rows.sampling);
    set_interval(calibration.estimated, simultaneous_factor(1, level));
    set_interval(calibration.slope, simultaneous_factor(1, level));
    return calibration;
}

}  // namespace polyrx
