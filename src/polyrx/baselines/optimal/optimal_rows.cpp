// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/optimal/optimal_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polyrx {
namespace {

struct Moments {
    double mean = 0;
    double deviation = 1;  // of the population; 1 if all values are equal
};

template <class Values>
Moments moments_of(const Values& values, const std::vector<double>& weight) {
    double total = 0;
    Moments moments;
    for (std::size_t i = 0; i < weight.size(); ++i) {
        total += weight[i];
        moments.mean += weight[i] * values[static_cast<Eigen::Index>(i)];
    }
    moments.mean /= total;
    double squares = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) {
        const double apart = values[static_cast<Eigen::Index>(i)] - moments.mean;
        squares += weight[i] * apart * apart;
    }
    const double deviation = std::sqrt(squares / total);
    // A deviation from rounding errors counts as 0.
    if (deviation > 1e-12 * std::abs(moments.mean)) moments.deviation = deviation;
    return moments;
}

}  // namespace

OptimalRows::OptimalRows(const Matrix& encoded, const TreatedRows& study, std::span<const std::size_t> rows)
    : values(static_cast<Eigen::Index>(rows.size()), encoded.cols()), treatments(study.treatments) {
    for (const std::size_t row : rows) {
        treatment.push_back(study.treatment[row]);
        weight.push_back(study.weight_of(row));
        outcome.push_back(study.outcome[row]);
    }
    // The penalty of regressions is in rows: a weight of 1 is the mean weight, whatever the unit of weights.
    const double mean_weight = std::accumulate(weight.begin(), weight.end(), 0.0) / static_cast<double>(weight.size());
    for (double& each : weight) each /= mean_weight;
    const Moments of_outcome =
        moments_of(Eigen::Map<const Vector>(outcome.data(), static_cast<Eigen::Index>(outcome.size())), weight);
    outcome_mean = of_outcome.mean;
    outcome_scale = of_outcome.deviation;
    for (double& value : outcome) value = (value - outcome_mean) / outcome_scale;

    std::vector<RowNumber> order(rows.size());
    for (Eigen::Index j = 0; j < encoded.cols(); ++j) {
        auto column = values.col(j);
        for (std::size_t i = 0; i < rows.size(); ++i)
            column[static_cast<Eigen::Index>(i)] = encoded(static_cast<Eigen::Index>(rows[i]), j);
        std::iota(order.begin(), order.end(), RowNumber{0});
        std::ranges::sort(order, [&](RowNumber a, RowNumber b) {
            return column[a] < column[b] || (column[a] == column[b] && a < b);
        });
        // A value that more than half of the rows have is the median.
        const double middle = column[order[order.size() / 2]];
        const auto same = static_cast<std::size_t>((column.array() == middle).count());
        const Moments moments = moments_of(column, weight);
        sparse.push_back(2 * same > rows.size() ? 1 : 0);
        shift.push_back(sparse.back() != 0 ? middle : moments.mean);
        scale.push_back(moments.deviation);
        column = (column.array() - shift.back()) / scale.back();
        ascending.push_back(sparse.back() != 0 ? std::vector<RowNumber>() : order);
    }
    first.push_back(0);
    for (Eigen::Index i = 0; i < values.rows(); ++i) {
        for (Eigen::Index j = 0; j < values.cols(); ++j)
            if (values(i, j) != 0) all_entries.push_back({static_cast<int>(j), values(i, j)});
        first.push_back(all_entries.size());
    }
}

}  // namespace polyrx
