// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/learn/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

// Squares of outcomes, which Adam sums, must fit a float.
constexpr double largest_outcome = 1e15;

// Values with a smaller relative deviation are not distinguishable after the scaling is folded into weights.
constexpr double smallest_relative_deviation = 1e-10;

// Weights are divided by standard deviations and must stay finite.
constexpr double smallest_deviation = 1e-290;

struct Moments {
    double mean = 0;
    double deviation = 1;
};

// Moments of columns over the rows, by `value_of(row, column)`. The inner loop is over columns, as encoded rows are
// stored. A constant column has deviation 1: its computed deviation would be rounding error, and dividing by it would
// blow up the weights.
template <class ValueOf>
std::vector<Moments> moments(const std::vector<std::string>& names, std::span<const std::size_t> rows,
                             ValueOf value_of) {
    struct Sums {
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        double sum = 0;
        double mean = 0;
        double unit = 1;
        double squares = 0;
    };
    std::vector<Sums> columns(names.size());
    for (const std::size_t row : rows)
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const double value = value_of(row, c);
            columns[c].low = std::min(columns[c].low, value);
            columns[c].high = std::max(columns[c].high, value);
            columns[c].sum += value;
        }
    const auto count = static_cast<double>(rows.size());
    for (Sums& column : columns) {
        column.mean = column.sum / count;
        // Rescales, because squares of tiny values would underflow.
        const double range = column.high - column.low;
        if (range > 0 && range < 1e-140) column.unit = range;
    }
    for (const std::size_t row : rows)
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const double off = (value_of(row, c) - columns[c].mean) / columns[c].unit;
            columns[c].squares += off * off;
        }

    std::vector<Moments> found;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const Sums& column = columns[c];
        if (column.low == column.high) {
            found.push_back({column.low, 1});
            continue;
        }
        const double deviation = column.unit * std::sqrt(column.squares / count);
        if (!std::isfinite(deviation))
            throw data_error(
                fmt::format("column '{}': its values are too large to compute with; use a larger unit", names[c]));
        if (deviation < smallest_deviation)
            throw data_error(
                fmt::format("column '{}': its values are too small to compute with; use a smaller unit", names[c]));
        if (deviation <= smallest_relative_deviation * std::max(std::abs(column.low), std::abs(column.high)))
            throw data_error(fmt::format(
                "column '{}': its values differ by too little beside their size; subtract a constant from them",
                names[c]));
        found.push_back({column.mean, deviation});
    }
    return found;
}

}  // namespace

Scaling standardization(const Encoder& encoder, const Matrix& encoded, std::span<const std::size_t> rows) {
    std::vector<std::string> names;
    std::vector<Eigen::Index> inputs;
    for (Eigen::Index c = 0; c < encoded.cols(); ++c) {
        const EncodedColumn& column = encoder.columns()[static_cast<std::size_t>(c)];
        if (column.kind != InputKind::value) continue;
        names.push_back(column.name);
        inputs.push_back(c);
    }
    const std::vector<Moments> found = moments(names, rows, [&](std::size_t row, std::size_t c) {
        return encoded(static_cast<Eigen::Index>(row), inputs[c]);
    });
    Scaling scaling{Vector::Zero(encoded.cols()), Vector::Ones(encoded.cols())};
    for (std::size_t c = 0; c < found.size(); ++c) {
        scaling.shift[inputs[c]] = found[c].mean;
        scaling.scale[inputs[c]] = found[c].deviation;
    }
    return scaling;
}

OutcomeScaling standardization(const std::string& name, std::span<const double> outcome,
                               std::span<const std::size_t> rows) {
    const Moments found =
        moments({name}, rows, [&](std::size_t row, std::size_t /*column*/) { return outcome[row]; }).front();
    return {found.mean, found.deviation};
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
                fmt::format("{}: column '{}': {} is too large to train on as it is; standardize the outcome",
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
