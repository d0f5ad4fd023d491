// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/overlap/balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/evaluate/effects/scored_rows.hpp"
#include "polyrx/nuisance/propensities.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {
namespace {

// By feature: the encoded column that indicates a missing cell, or -1.
std::vector<Eigen::Index> indicators_of(const Encoder& encoder) {
    std::vector<Eigen::Index> indicators(encoder.features().size(), -1);
    for (std::size_t c = 0; c < encoder.columns().size(); ++c)
        if (encoder.columns()[c].kind == InputKind::indicator)
            indicators[encoder.columns()[c].feature] = static_cast<Eigen::Index>(c);
    return indicators;
}

void check_rows(const Encoder& encoder, const Matrix& encoded, std::span<const int> treatment,
                const Matrix& propensities, const BalanceOptions& options) {
    const auto rows = static_cast<Eigen::Index>(treatment.size());
    if (rows == 0) throw data_error("there are no rows to evaluate");
    check_least_propensity(options.least_propensity);
    if (encoded.cols() != static_cast<Eigen::Index>(encoder.columns().size()))
        throw usage_error(
            fmt::format("rows of {} inputs but an encoder of {}", encoded.cols(), encoder.columns().size()));
    if (encoded.rows() != rows || propensities.rows() != rows)
        throw usage_error(fmt::format("{} treatments, {} encoded rows and {} rows of propensities", rows,
                                      encoded.rows(), propensities.rows()));
    if (!options.weight.empty() && options.weight.size() != treatment.size())
        throw usage_error(fmt::format("{} weights but {} rows", options.weight.size(), rows));
    check_weights(options.weight);
    for (std::size_t row = 0; row < treatment.size(); ++row)
        if (treatment[row] < 0 || treatment[row] >= propensities.cols())
            throw usage_error(fmt::format("row {}: treatment {} is none of {} treatments", row + 1, treatment[row],
                                          propensities.cols()));
}

double size_of(const CovariateBalance& balance) {
    return std::max(std::abs(balance.before.value_or(0)), std::abs(balance.after.value_or(0)));
}

}  // namespace

std::vector<CovariateBalance> covariate_balance(const Encoder& encoder, const Matrix& encoded,
                                                std::span<const int> treatment, const Matrix& propensities,
                                                const BalanceOptions& options) {
    check_rows(encoder, encoded, treatment, propensities, options);
    const std::vector<Eigen::Index> indicators = indicators_of(encoder);
    const auto arms = static_cast<std::size_t>(propensities.cols());
    std::vector<CovariateBalance> result;
    for (std::size_t c = 0; c < encoder.columns().size(); ++c) {
        const EncodedColumn& input = encoder.columns()[c];
        const auto column = static_cast<Eigen::Index>(c);
        // Imputed values are left out.
        const Eigen::Index indicator = input.kind == InputKind::value ? indicators[input.feature] : -1;
        WeightedMean all;
        WeightedMean squares;
        std::vector<WeightedMean> before(arms);
        std::vector<WeightedMean> after(arms);
        const auto for_each_known = [&](const auto& visit) {
            for (std::size_t i = 0; i < treatment.size(); ++i) {
                const auto row = static_cast<Eigen::Index>(i);
                if (indicator >= 0 && encoded(row, indicator) == 1) continue;
                visit(i, encoded(row, column), options.weight.empty() ? 1 : options.weight[i]);
            }
        };
        for_each_known([&](std::size_t i, double value, double weight) {
            const auto k = static_cast<std::size_t>(treatment[i]);
            const double propensity = propensities(static_cast<Eigen::Index>(i), treatment[i]);
            all.add(value, weight);
            before[k].add(value, weight);
            after[k].add(value, weight / std::max(propensity, options.least_propensity));
        });
        for_each_known([&](std::size_t, double value, double weight) {
            squares.add((value - all.mean()) * (value - all.mean()), weight);
        });
        const auto standardized = [&](const WeightedMean& arm) -> std::optional<double> {
            if (!(arm.total > 0)) return std::nullopt;
            const double deviation = std::sqrt(squares.mean());
            return deviation > 0 ? (arm.mean() - all.mean()) / deviation : 0;
        };
        for (std::size_t k = 0; k < arms; ++k)
            result.push_back({c, static_cast<int>(k), standardized(before[k]), standardized(after[k])});
    }
    std::ranges::stable_sort(result, std::ranges::greater{}, size_of);
    return result;
}

}  // namespace polyrx
