// SPDX-License-Identifier: Apache-2.0
#include "polyrx/statistics/ratio_estimate.hpp"

#include <fmt/format.h>

#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/statistics/few_groups.hpp"
#include "polyrx/study/splits/group_numbers.hpp"

namespace polyrx {
namespace {

GroupNumbers checked_groups(std::span<const std::size_t> group, std::size_t rows) {
    if (group.size() != rows) throw usage_error(fmt::format("{} groups were given for {} rows", group.size(), rows));
    GroupNumbers numbers = number_groups(group);
    if (numbers.count == 1)
        throw data_error("all rows are in one group; at least two groups are needed for a standard error");
    return numbers;
}

std::vector<double> sums_of(std::span<const double> values, const GroupNumbers& groups) {
    std::vector<double> sums(groups.count);
    for (std::size_t i = 0; i < values.size(); ++i) sums[groups.of_row[i]] += values[i];
    return sums;
}

double sum_of(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
}

}  // namespace

RowTerms summed_by_group(const RowTerms& terms, std::span<const std::size_t> group) {
    if (group.empty()) return terms;
    const GroupNumbers groups = checked_groups(group, terms.rows());
    return {sums_of(terms.numerator, groups), sums_of(terms.denominator, groups)};
}

std::vector<double> influence_of(const RowTerms& terms) {
    const double denominator = sum_of(terms.denominator);
    const double ratio = sum_of(terms.numerator) / denominator;
    std::vector<double> influence;
    influence.reserve(terms.rows());
    for (std::size_t i = 0; i < terms.rows(); ++i)
        influence.push_back((terms.numerator[i] - ratio * terms.denominator[i]) / denominator);
    return influence;
}

ValueEstimate ratio_estimate(RowTerms terms, std::span<const std::size_t> group) {
    ValueEstimate estimate;
    estimate.rows = terms.rows();
    estimate.value = sum_of(terms.numerator) / sum_of(terms.denominator);
    estimate.influence = influence_of(terms);
    estimate.standard_error = standard_error(estimate.influence, group);
    if (!estimate.standard_error) estimate.reason = "no standard error: at least two rows are needed";
    estimate.terms = std::move(terms);
    return estimate;
}

std::optional<double> standard_error(std::span<const double> influence, std::span<const std::size_t> group) {
    if (!group.empty()) {
        const std::vector<double> sums = sums_of(influence, checked_groups(group, influence.size()));
        return few_groups_factor(sums.size()) * *standard_error(sums);
    }
    if (influence.size() < 2) return std::nullopt;
    double squares = 0;
    for (const double share : influence) squares += share * share;
    const auto n = static_cast<double>(influence.size());
    return std::sqrt(n / (n - 1) * squares);
}

}  // namespace polyrx
