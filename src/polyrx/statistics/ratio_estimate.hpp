// SPDX-License-Identifier: Apache-2.0
// What all estimates of a value are made of: the ratio of two sums over rows, the share that each row has in its error,
// and the standard error that follows.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace polyrx {

// By row. The estimate is the sum of numerators divided by that of denominators: a weighted mean where denominators are
// weights, a self-normalized one where they are inverse propensities too.
struct RowTerms {
    std::vector<double> numerator;
    std::vector<double> denominator;

    [[nodiscard]] std::size_t rows() const { return numerator.size(); }
};

// The same, of groups instead of rows: in the order in which they appear. Without groups, the terms themselves.
[[nodiscard]] RowTerms summed_by_group(const RowTerms& terms, std::span<const std::size_t> group);

// A number of the data, in the units of the outcome, and how sure it is.
struct ValueEstimate {
    std::optional<double> value;
    std::optional<double> standard_error;
    std::string reason = {};  // in words, where one of the two is missing
    RowTerms terms = {};
    // By row, sums to 0: the estimate is off by about the sum of what these are for the rows of a sample. So the
    // difference of two estimates has the difference of theirs. Empty where there is none.
    std::vector<double> influence = {};
    std::size_t rows = 0;      // that were looked at
    std::size_t matched = 0;   // of these: received what the policy prescribes
    std::size_t clipped = 0;   // of these: had their propensity raised to the least one
    double clipped_share = 0;  // of the rows
};

// (numerator - ratio * denominator) / sum of denominators, which must not be 0.
[[nodiscard]] std::vector<double> influence_of(const RowTerms& terms);

// The ratio, its influence and standard error.
[[nodiscard]] ValueEstimate ratio_estimate(RowTerms terms, std::span<const std::size_t> group = {});

// The root of n/(n-1) times the sum of squares; for a mean that is its deviation divided by the root of n. With groups,
// n is their number, and what is squared their sums (Liang & Zeger 1986): rows of one group may err together; times
// few_groups_factor(), so that normal 95 % intervals are those of Student's t. None for one row. Throws a data error
// where all rows are one group.
[[nodiscard]] std::optional<double> standard_error(std::span<const double> influence,
                                                   std::span<const std::size_t> group = {});

}  // namespace polyrx
