// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/personalising.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

void check_folds(std::span<const RowSplit> folds, std::size_t rows) {
    if (folds.size() < 2) throw usage_error(fmt::format("there must be at least 2 folds, not {}", folds.size()));
    std::vector<int> times(rows, 0);
    for (const RowSplit& fold : folds)
        for (const std::size_t row : fold.held_out)
            if (row < rows) ++times[row];
    for (std::size_t row = 0; row < rows; ++row)
        if (times[row] != 1)
            throw usage_error(fmt::format("row {} is held out by {} folds, not by exactly one", row + 1, times[row]));
}

// By the mean score of these rows; nothing if none of them counts. Ties go to the lowest index.
std::optional<int> best_constant(const ScoredRows& rows, std::span<const std::size_t> among) {
    Vector sums = Vector::Zero(rows.treatments());
    double total = 0;
    for (const std::size_t row : among) {
        sums += rows.sampling.weight_of(row) * rows.scores.row(static_cast<Eigen::Index>(row)).transpose();
        total += rows.sampling.weight_of(row);
    }
    if (!(total > 0)) return std::nullopt;
    int best = 0;
    for (int k = 1; k < rows.treatments(); ++k)
        if (rows.gain(sums[k], sums[best]) > 0) best = k;
    return best;
}

double policy_gain(const ScoredRows& rows, std::size_t row, int constant) {
    return rows.gain(rows.score(row, rows.prescriptions[row]), rows.score(row, constant));
}

// A policy that is the constant has neither gain nor spread, and no evidence of either.
double one_sided_p(const ValueAndError& gain) {
    if (gain.standard_error > 0) return normal_upper_tail(gain.value / gain.standard_error);
    return gain.value > 0 ? 0 : 1;
}

void compare_with_each(PersonalisingTest& test, const ScoredRows& rows, double level) {
    const double factor = simultaneous_factor(static_cast<std::size_t>(rows.treatments()), level);
    std::vector<double> gains(rows.rows());
    for (int k = 0; k < rows.treatments(); ++k) {
        for (std::size_t row = 0; row < gains.size(); ++row) gains[row] = policy_gain(rows, row, k);
        MeanEstimate estimate = estimate_mean(gains, rows.sampling);
        set_interval(estimate, factor);
        if (estimate.known) test.p_value = std::max(test.p_value.value_or(0), one_sided_p(*estimate.known));
        test.over_each.push_back(std::move(estimate));
    }
}

void compare_with_best(PersonalisingTest& test, const ScoredRows& rows, std::span<const RowSplit> folds, double level) {
    std::vector<double> gains(rows.rows());
    for (const RowSplit& fold : folds) {
        const std::optional<int> best = best_constant(rows, fold.kept);
        if (!best) {
            test.over_best =
                not_estimable("no row outside of a fold counts, so that none can choose its best treatment");
            return;
        }
        test.best.push_back(*best);
        for (const std::size_t row : fold.held_out) gains[row] = policy_gain(rows, row, *best);
    }
    test.over_best = estimate_mean(gains, rows.sampling);
    set_interval(test.over_best, simultaneous_factor(1, level));
}

}  // namespace

PersonalisingTest test_personalising(const ScoredRows& rows, std::span<const RowSplit> folds, double level) {
    check_scored(rows);
    check_folds(folds, rows.rows());
    PersonalisingTest test;
    bool any_matched = false;
    for (std::size_t row = 0; row < rows.rows(); ++row)
        any_matched =
            any_matched || (rows.treatment[row] == rows.prescriptions[row] && rows.sampling.weight_of(row) > 0);
    if (!any_matched) {
        test.over_best = not_estimable("no row received what was prescribed");
        test.over_each.assign(static_cast<std::size_t>(rows.treatments()), test.over_best);
        return test;
    }
    compare_with_each(test, rows, level);
    compare_with_best(test, rows, folds, level);
    return test;
}

}  // namespace polyrx
