// SPDX-License-Identifier: Apache-2.0
// Slow, obvious twins of the estimators of a policy's value, as METHODS and textbooks print them.
#pragma once

#include <cmath>
#include <vector>

#include "polyrx/evaluate/value/policy_value.hpp"

namespace polyrx::test {

struct SlowEstimate {
    double value = 0;
    double standard_error = 0;
};

inline double slow_inverse(const EvaluatedRows& rows, const std::vector<int>& policy, std::size_t i, double least) {
    if (rows.treatment[i] != policy[i]) return 0;
    const double e = rows.propensities(static_cast<Eigen::Index>(i), policy[i]);
    return 1 / (e < least ? least : e);
}

// The mean, and its deviation divided by the root of n; with weights a the error of sum a v / sum a.
inline SlowEstimate slow_mean(const std::vector<double>& values, const EvaluatedRows& rows) {
    const auto n = static_cast<double>(values.size());
    double total = 0;
    double mean = 0;
    for (std::size_t i = 0; i < values.size(); ++i) total += rows.weight_of(i);
    for (std::size_t i = 0; i < values.size(); ++i) mean += rows.weight_of(i) * values[i] / total;
    double variance = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        variance += std::pow(n * rows.weight_of(i) / total * (values[i] - mean), 2) / (n - 1);
    return {mean, std::sqrt(variance / n)};
}

inline SlowEstimate slow_policy_value(const EvaluatedRows& rows, const std::vector<int>& policy, Estimator estimator,
                                      double least) {
    const std::size_t n = policy.size();
    std::vector<double> values;
    if (estimator == Estimator::snipw) {
        double over = 0;
        double under = 0;
        double total = 0;
        for (std::size_t i = 0; i < n; ++i) {
            over += rows.weight_of(i) * slow_inverse(rows, policy, i, least) * rows.outcome[i];
            under += rows.weight_of(i) * slow_inverse(rows, policy, i, least);
            total += rows.weight_of(i);
        }
        const double mean_inverse = under / total;
        for (std::size_t i = 0; i < n; ++i)
            values.push_back(slow_inverse(rows, policy, i, least) * (rows.outcome[i] - over / under) / mean_inverse);
        return {over / under, slow_mean(values, rows).standard_error};
    }
    for (std::size_t i = 0; i < n; ++i) {
        const double inverse = slow_inverse(rows, policy, i, least);
        const double m = estimator == Estimator::ipw ? 0 : rows.outcomes(static_cast<Eigen::Index>(i), policy[i]);
        const double corrected = m + inverse * (rows.outcome[i] - m);
        values.push_back(estimator == Estimator::dm ? m : corrected);
    }
    return slow_mean(values, rows);
}

}  // namespace polyrx::test
