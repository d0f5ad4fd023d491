// SPDX-License-Identifier: Apache-2.0
#include "polyrx/statistics/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/statistics/normal_quantile.hpp"

namespace polyrx {
namespace {

constexpr double most_without_value = 0.01;

std::vector<double> with_value(std::span<const double> draws) {
    std::vector<double> values(draws.begin(), draws.end());
    std::erase_if(values, [](double draw) { return std::isnan(draw); });
    return values;
}

// `sorted` must not be empty.
double quantile(std::span<const double> sorted, double probability) {
    const double place = probability * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

IntervalAnswer normal_interval(const ValueEstimate& estimate, double factor) {
    if (!estimate.value || !estimate.standard_error) return {std::nullopt, estimate.reason};
    const double reach = factor * *estimate.standard_error;
    return {ConfidenceInterval{*estimate.value, *estimate.value - reach, *estimate.value + reach}};
}

IntervalAnswer percentile_interval(const ValueEstimate& estimate, std::span<const double> draws, double level) {
    (void)two_sided_factor(level);  // checks the level
    if (!estimate.value) return {std::nullopt, estimate.reason};
    std::vector<double> values = with_value(draws);
    const std::size_t without = draws.size() - values.size();
    if (values.empty() || static_cast<double>(without) > most_without_value * static_cast<double>(draws.size()))
        return {std::nullopt, fmt::format("not estimable: no row received what was prescribed in {} of {} resamples",
                                          without, draws.size())};
    std::ranges::sort(values);
    return {
        ConfidenceInterval{*estimate.value, quantile(values, 0.5 * (1 - level)), quantile(values, 0.5 * (1 + level))}};
}

std::optional<double> bootstrap_standard_error(std::span<const double> draws) {
    const std::vector<double> values = with_value(draws);
    if (values.size() < 2) return std::nullopt;
    const auto n = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values) mean += value / n;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return std::sqrt(squares / (n - 1));
}

}  // namespace polyrx
