// SPDX-License-Identifier: Apache-2.0
// Slow, obvious twins of bounded values and of the sensitivity to an unrecorded factor.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "polyrx/evaluate/value/outcome_range.hpp"
#include "polyrx/evaluate/value/sensitivity.hpp"
#include "tests/support/slow_policy_value.hpp"

namespace polyrx::test {

// What a row's outcome would be, if the outcomes that nobody knows were `unknown`.
inline double slow_score(const EvaluatedRows& rows, const std::vector<int>& policy, const std::vector<char>& supported,
                         std::size_t i, double unknown, double least) {
    const double m = rows.outcomes(static_cast<Eigen::Index>(i), policy[i]);
    if (supported[i] != 0) return m + slow_inverse(rows, policy, i, least) * (rows.outcome[i] - m);
    return rows.treatment[i] == policy[i] ? rows.outcome[i] : unknown;
}

inline SlowEstimate slow_bound(const EvaluatedRows& rows, const std::vector<int>& policy,
                               const std::vector<char>& supported, double unknown, double least) {
    std::vector<double> values;
    for (std::size_t i = 0; i < policy.size(); ++i)
        values.push_back(slow_score(rows, policy, supported, i, unknown, least));
    return slow_mean(values, rows);
}

// The largest weighted mean over all thresholds: from the largest value down, a number of rows at their highest weight
// and the others at their lowest.
inline double slow_largest_mean(std::vector<MatchedOutcome> rows, double lambda) {
    std::ranges::sort(rows, std::ranges::greater{}, &MatchedOutcome::outcome);
    double largest = -1e300;
    for (std::size_t high = 0; high <= rows.size(); ++high) {
        double over = 0;
        double under = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const double w = rows[i].weight * (1 + rows[i].odds_against * (i < high ? lambda : 1 / lambda));
            over += w * rows[i].outcome;
            under += w;
        }
        largest = std::max(largest, over / under);
    }
    return largest;
}

// By bisection, for outcomes of which smaller ones are better.
inline double slow_lambda(const std::vector<MatchedOutcome>& rows, double practice) {
    double low = 1;
    double high = 1e6;
    if (slow_largest_mean(rows, low) >= practice) return 1;
    if (slow_largest_mean(rows, high) < practice) return INFINITY;
    for (int step = 0; step < 200; ++step) {
        const double middle = std::sqrt(low * high);
        (slow_largest_mean(rows, middle) >= practice ? high : low) = middle;
    }
    return high;
}

}  // namespace polyrx::test
