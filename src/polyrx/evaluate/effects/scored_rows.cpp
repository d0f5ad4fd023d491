// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/effects/scored_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

void check_count(std::size_t count, std::string_view what, std::size_t rows) {
    if (count != rows) throw usage_error(fmt::format("{} {} but {} rows", count, what, rows));
}

void check_treatments(std::span<const int> given, std::string_view what, int treatments) {
    for (std::size_t row = 0; row < given.size(); ++row)
        if (given[row] < 0 || given[row] >= treatments)
            throw usage_error(
                fmt::format("row {}: {} {} is none of {} treatments", row + 1, what, given[row], treatments));
}

}  // namespace

MeanEstimate too_few_rows(double effective, double needed) {
    return not_estimable(fmt::format("too few rows: {:.0f} effective, and {:.0f} are needed", effective, needed));
}

void check_weights(std::span<const double> weight) {
    for (std::size_t row = 0; row < weight.size(); ++row)
        if (!(weight[row] >= 0 && std::isfinite(weight[row])))
            throw data_error(
                fmt::format("row {}: the weight is {}; a number of 0 or more was expected", row + 1, weight[row]));
    if (!weight.empty() && std::ranges::all_of(weight, [](double w) { return w == 0; }))
        throw data_error("the weight is 0 in every row, so no row counts");
}

void check_scored(const ScoredRows& rows) {
    const std::size_t count = rows.rows();
    if (count == 0) throw data_error("there are no rows to evaluate");
    check_count(static_cast<std::size_t>(rows.scores.rows()), "rows of scores", count);
    check_count(static_cast<std::size_t>(rows.propensities.rows()), "rows of propensities", count);
    check_count(rows.outcome.size(), "outcomes", count);
    check_count(rows.prescriptions.size(), "prescriptions", count);
    if (!rows.sampling.weight.empty()) check_count(rows.sampling.weight.size(), "weights", count);
    if (!rows.sampling.cluster.empty()) check_count(rows.sampling.cluster.size(), "clusters", count);
    if (rows.propensities.cols() != rows.scores.cols())
        throw usage_error(fmt::format("scores of {} treatments but propensities of {}", rows.scores.cols(),
                                      rows.propensities.cols()));
    if (!rows.supported.empty()) check_count(rows.supported.size(), "rows of support", count);
    check_treatments(rows.treatment, "treatment", rows.treatments());
    check_treatments(rows.prescriptions, "prescription", rows.treatments());
    check_weights(rows.sampling.weight);
    for (std::size_t row = 0; row < count; ++row) {
        if (!std::isfinite(rows.outcome[row]))
            throw data_error(
                fmt::format("row {}: the outcome is {}; a finite number was expected", row + 1, rows.outcome[row]));
        for (int k = 0; k < rows.treatments(); ++k) {
            if (!std::isfinite(rows.score(row, k)))
                throw data_error(fmt::format("row {}: the score of treatment {} is {}; a finite number was expected",
                                             row + 1, k, rows.score(row, k)));
            if (const double p = rows.propensity(row, k); !(p >= 0 && p <= 1))
                throw data_error(fmt::format("row {}: the propensity of treatment {} is {}; one of 0 to 1 was expected",
                                             row + 1, k, p));
        }
    }
}

}  // namespace polyrx
