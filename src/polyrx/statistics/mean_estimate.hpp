// SPDX-License-Identifier: Apache-2.0
// A mean with its standard error and interval, or the reason why there is none.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyrx {

// An upper bound.
struct UpperBound {
    double value = 0;
    double standard_error = 0;
};

// A value, or the lower of two bounds if `upper` is set.
struct ValueAndError {
    double value = 0;
    double standard_error = 0;
    double low = 0;  // of the interval; without one, the value or its bounds
    double high = 0;
    std::optional<UpperBound> upper = {};
};

struct MeanEstimate {
    std::optional<ValueAndError> known = {};
    std::string reason = {};  // "not estimable: ..." if there is no value, otherwise empty
};

// Prefixes the reason with "not estimable: ".
[[nodiscard]] MeanEstimate not_estimable(std::string_view why);

// Weights and clusters of the rows.
struct Sampling {
    std::span<const double> weight = {};        // not negative; empty if all are 1
    std::span<const std::size_t> cluster = {};  // rows with equal numbers form a cluster; empty if there are none

    [[nodiscard]] double weight_of(std::size_t row) const { return weight.empty() ? 1 : weight[row]; }
};

// The sampling of a subset of rows.
struct SampledPart {
    std::vector<double> weight;
    std::vector<std::size_t> cluster;

    SampledPart(const Sampling& whole, std::span<const std::size_t> rows);
    [[nodiscard]] Sampling sampling() const { return {weight, cluster}; }
};

// Accumulates sum w v / sum w.
struct WeightedMean {
    double sum = 0;
    double total = 0;

    void add(double value, double weight) {
        sum += weight * value;
        total += weight;
    }
    [[nodiscard]] double mean() const { return sum / total; }  // requires total > 0
};

[[nodiscard]] WeightedMean weighted_mean(std::span<const double> values, const Sampling& sampling = {});

// sum w v / sum w, with the standard error of its influence w (v - mean) / sum w. Not estimable from fewer than two
// rows or clusters with positive weight.
[[nodiscard]] MeanEstimate estimate_mean(std::span<const double> values, const Sampling& sampling = {});

// The same for a mean that is known up to bounds for each row: estimate_mean() of both bounds, or of one if they are
// equal in every row.
[[nodiscard]] MeanEstimate estimate_bounded_mean(std::span<const double> lower, std::span<const double> upper,
                                                 const Sampling& sampling = {});

// The same for any estimate, given the influence of each row. Influences sum to 0.
[[nodiscard]] MeanEstimate estimate_from_influence(double value, std::span<const double> influence,
                                                   const Sampling& sampling);

// The number of standard errors for `count` normal intervals that simultaneously cover with probability `level`.
// Conservative for any correlation (Sidak 1967). Throws a usage error unless 0 < level < 1.
[[nodiscard]] double simultaneous_factor(std::size_t count, double level);

// Sets the interval to `factor` standard errors to either side. With bounds, uses bounded_factor(). Does nothing if the
// mean is not estimable.
void set_interval(MeanEstimate& estimate, double factor);

}  // namespace polyrx
