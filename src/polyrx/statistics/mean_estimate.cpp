// SPDX-License-Identifier: Apache-2.0
#include "polyrx/statistics/mean_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/statistics/bounded_factor.hpp"
#include "polyrx/statistics/few_groups.hpp"
#include "polyrx/statistics/normal_quantile.hpp"
#include "polyrx/statistics/ratio_estimate.hpp"

namespace polyrx {
namespace {

// The summed influence of each cluster, in order of cluster number. Rows of weight 0 are left out.
std::vector<double> drawn_sums(std::span<const double> influence, const Sampling& sampling) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < influence.size(); ++row)
        if (sampling.weight_of(row) > 0) rows.push_back(row);
    const auto cluster_of = [&](std::size_t row) { return sampling.cluster.empty() ? row : sampling.cluster[row]; };
    if (!sampling.cluster.empty()) std::ranges::stable_sort(rows, {}, cluster_of);
    std::vector<double> sums;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || cluster_of(rows[i]) != cluster_of(rows[i - 1])) sums.push_back(0);
        sums.back() += influence[rows[i]];
    }
    return sums;
}

}  // namespace

SampledPart::SampledPart(const Sampling& whole, std::span<const std::size_t> rows) {
    for (const std::size_t row : rows) {
        if (!whole.weight.empty()) weight.push_back(whole.weight[row]);
        if (!whole.cluster.empty()) cluster.push_back(whole.cluster[row]);
    }
}

MeanEstimate not_estimable(std::string_view why) {
    return {std::nullopt, fmt::format("not estimable: {}", why)};
}

MeanEstimate estimate_from_influence(double value, std::span<const double> influence, const Sampling& sampling) {
    const std::vector<double> sums = drawn_sums(influence, sampling);
    if (sums.empty()) return not_estimable("there are no rows");
    if (sums.size() == 1)
        return not_estimable(sampling.cluster.empty() ? "there is one row, which has no spread"
                                                      : "all rows are of one cluster, which has no spread");
    const double factor = sampling.cluster.empty() ? 1 : few_groups_factor(sums.size());
    return {ValueAndError{value, factor * *standard_error(sums), value, value}, {}};
}

WeightedMean weighted_mean(std::span<const double> values, const Sampling& sampling) {
    WeightedMean mean;
    for (std::size_t row = 0; row < values.size(); ++row) mean.add(values[row], sampling.weight_of(row));
    return mean;
}

MeanEstimate estimate_mean(std::span<const double> values, const Sampling& sampling) {
    const WeightedMean weighted = weighted_mean(values, sampling);
    const double total = weighted.total;
    if (!(total > 0)) return not_estimable("there are no rows");
    const double mean = weighted.mean();
    std::vector<double> influence(values.size());
    for (std::size_t row = 0; row < values.size(); ++row)
        influence[row] = sampling.weight_of(row) * (values[row] - mean) / total;
    return estimate_from_influence(mean, influence, sampling);
}

MeanEstimate estimate_bounded_mean(std::span<const double> lower, std::span<const double> upper,
                                   const Sampling& sampling) {
    MeanEstimate estimate = estimate_mean(lower, sampling);
    if (!estimate.known || std::ranges::equal(lower, upper)) return estimate;
    const MeanEstimate above = estimate_mean(upper, sampling);
    estimate.known->upper = UpperBound{above.known->value, above.known->standard_error};
    estimate.known->high = above.known->value;
    return estimate;
}

double simultaneous_factor(std::size_t count, double level) {
    if (!(level > 0 && level < 1))
        throw usage_error(fmt::format("the level of an interval must be above 0 and below 1, not {}", level));
    // Each interval has level^(1/count). expm1 and log keep the digits of small tails.
    const double tail = -std::expm1(std::log(level) / static_cast<double>(std::max<std::size_t>(count, 1))) / 2;
    return -normal_quantile(tail);
}

void set_interval(MeanEstimate& estimate, double factor) {
    if (!estimate.known) return;
    ValueAndError& known = *estimate.known;
    const UpperBound upper = known.upper.value_or(UpperBound{known.value, known.standard_error});
    const double reach =
        bounded_factor(factor, (upper.value - known.value) / std::max(known.standard_error, upper.standard_error));
    known.low = known.value - reach * known.standard_error;
    known.high = upper.value + reach * upper.standard_error;
}

}  // namespace polyrx
