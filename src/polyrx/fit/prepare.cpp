// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

// Squares of outcomes, as Adam sums them, must fit a float.
constexpr double largest_outcome = 1e15;

// Values that differ by less than this beside their size are not told apart once the scaling is folded into weights.
constexpr double smallest_relative_deviation = 1e-10;

struct Moments {
    double mean = 0;
    double deviation = 1;
};

// `value_of(row)` over the rows. A constant has the deviation 1: that of its computed mean would be rounding error, and
// dividing by it would blow up the weights that the scaling is folded into.
template <class ValueOf>
Moments moments(const std::string& name, std::span<const std::size_t> rows, ValueOf value_of) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    double sum = 0;
    for (const std::size_t row : rows) {
        low = std::min(low, value_of(row));
        high = std::max(high, value_of(row));
        sum += value_of(row);
    }
    if (low == high) return {low, 1};
    const auto count = static_cast<double>(rows.size());
    const double mean = sum / count;
    // Squares of tiny values would underflow.
    const double unit = high - low < 1e-140 ? high - low : 1;
    double squares = 0;
    for (const std::size_t row : rows) {
        const double off = (value_of(row) - mean) / unit;
        squares += off * off;
    }
    const double deviation = unit * std::sqrt(squares / count);
    if (!std::isfinite(deviation))
        throw data_error(fmt::format("column '{}': its values are too large to compute with; use a larger unit", name));
    if (deviation <= smallest_relative_deviation * std::max(std::abs(low), std::abs(high)))
        throw data_error(fmt::format(
            "column '{}': its values differ by too little beside their size; subtract a constant from them", name));
    return {mean, deviation};
}

}  // namespace

Scaling standardisation(const Encoder& encoder, const Matrix& encoded, std::span<const std::size_t> rows) {
    const Eigen::Index width = encoded.cols();
    Scaling scaling{Vector::Zero(width), Vector::Ones(width)};
    for (Eigen::Index c = 0; c < width; ++c) {
        const EncodedColumn& column = encoder.columns()[static_cast<std::size_t>(c)];
        if (column.kind != InputKind::value) continue;
        const auto [mean, deviation] =
            moments(column.name, rows, [&](std::size_t row) { return encoded(static_cast<Eigen::Index>(row), c); });
        scaling.shift[c] = mean;
        scaling.scale[c] = deviation;
    }
    return scaling;
}

OutcomeScaling standardisation(const std::string& name, std::span<const double> outcome,
                               std::span<const std::size_t> rows) {
    const auto [mean, deviation] = moments(name, rows, [&](std::size_t row) { return outcome[row]; });
    return {mean, deviation};
}

TrainingRows training_rows(const Observations& observations, const Matrix& encoded, const Scaling& scaling,
                           std::span<const double> outcome, const OutcomeScaling& outcome_scaling,
                           std::span<const std::size_t> chosen, std::string_view part) {
    TrainingRows rows;
    rows.inputs.resize(static_cast<Eigen::Index>(chosen.size()), encoded.cols());
    double total_weight = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const std::size_t row = chosen[i];
        for (Eigen::Index c = 0; c < encoded.cols(); ++c)
            rows.inputs(static_cast<Eigen::Index>(i), c) =
                static_cast<float>((encoded(static_cast<Eigen::Index>(row), c) - scaling.shift[c]) / scaling.scale[c]);
        const double scaled = (outcome[row] - outcome_scaling.shift) / outcome_scaling.scale;
        if (std::abs(scaled) > largest_outcome)
            throw data_error(
                fmt::format("{}: column '{}': {} is too large to train on as it is; standardise the outcome",
                            observations.features.where(row), observations.outcome_name, observations.outcome[row]));
        rows.treatment.push_back(observations.treatment[row]);
        rows.outcome.push_back(static_cast<float>(scaled));
        total_weight += observations.weight.empty() ? 1 : observations.weight[row];
    }
    const double mean_weight = total_weight / static_cast<double>(chosen.size());
    if (!std::isnormal(mean_weight))
        throw data_error(fmt::format("the weights of the {} are all zero, or too large or small to add up", part));
    for (const std::size_t row : chosen)
        rows.weight.push_back(observations.weight.empty() ? 1.0F
                                                          : static_cast<float>(observations.weight[row] / mean_weight));
    return rows;
}

}  // namespace polyrx
