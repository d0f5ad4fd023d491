// SPDX-License-Identifier: Apache-2.0
// The common form of all value estimates: a ratio of two sums over rows, with influences and a standard error.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace polyrx {

// Terms by row. The estimate is sum(numerator) / sum(denominator). It is a weighted mean if denominators are weights,
// and self-normalized if they also include inverse propensities.
struct RowTerms {
    std::vector<double> numerator;
    std::vector<double> denominator;

    [[nodiscard]] std::size_t rows() const { return numerator.size(); }
};

// Terms summed by group, in order of first appearance. Without groups, returns the terms unchanged.
[[nodiscard]] RowTerms summed_by_group(const RowTerms& terms, std::span<const std::size_t> group);

// An estimate in the units of the outcome, and its standard error.
struct ValueEstimate {
    std::optional<double> value;
    std::optional<double> standard_error;
    std::string reason = {};  // why the value or the standard error is missing
    RowTerms terms = {};
    // Influence of each row; sums to 0. The error of the estimate is about the sum of these over the rows of a sample,
    // so the difference of two estimates has the difference of their influences. Empty if there is none.
    std::vector<double> influence = {};
    std::size_t rows = 0;      // number of rows
    std::size_t matched = 0;   // rows that received their prescription
    std::size_t clipped = 0;   // rows whose propensity was raised to the minimum
    double clipped_share = 0;  // share of rows that were clipped
};

// (numerator - ratio * denominator) / sum of denominators, which must not be 0.
[[nodiscard]] std::vector<double> influence_of(const RowTerms& terms);

// Computes the ratio, its influence and its standard error.
[[nodiscard]] ValueEstimate ratio_estimate(RowTerms terms, std::span<const std::size_t> group = {});

// sqrt(n/(n-1) * sum of squared influences); for a mean, this is the standard deviation divided by sqrt(n). With
// groups, n is their number and group sums are squared, because errors within a group may be correlated (Liang & Zeger
// 1986). The result is multiplied by few_groups_factor(), so that normal 95 % intervals equal those of Student's t.
// Nothing for a single row. Throws a data error if all rows are in one group.
[[nodiscard]] std::optional<double> standard_error(std::span<const double> influence,
                                                   std::span<const std::size_t> group = {});

}  // namespace polyrx
