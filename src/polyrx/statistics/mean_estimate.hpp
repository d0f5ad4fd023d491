// SPDX-License-Identifier: Apache-2.0
// A mean with how sure it is, or the reason why there is none.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyrx {

// The upper of two bounds.
struct UpperBound {
    double value = 0;
    double standard_error = 0;
};

// A value; or, where `upper` is there, the lower of two bounds between which it is.
struct ValueAndError {
    double value = 0;
    double standard_error = 0;
    double low = 0;  // of the interval: the value or its bounds until there is one
    double high = 0;
    std::optional<UpperBound> upper = {};
};

struct MeanEstimate {
    std::optional<ValueAndError> known = {};
    std::string reason = {};  // "not estimable: ..." where nothing is known, else empty
};

// "not estimable: " and why.
[[nodiscard]] MeanEstimate not_estimable(std::string_view why);

// What each row counts for, and which rows hang together.
struct Sampling {
    std::span<const double> weight = {};        // not negative; empty when every row counts once
    std::span<const std::size_t> cluster = {};  // rows of equal numbers are one draw; empty when each row is its own

    [[nodiscard]] double weight_of(std::size_t row) const { return weight.empty() ? 1 : weight[row]; }
};

// The sampling of some of the rows.
struct SampledPart {
    std::vector<double> weight;
    std::vector<std::size_t> cluster;

    SampledPart(const Sampling& whole, std::span<const std::size_t> rows);
    [[nodiscard]] Sampling sampling() const { return {weight, cluster}; }
};

// sum w v / sum w, as it grows.
struct WeightedMean {
    double sum = 0;
    double total = 0;

    void add(double value, double weight) {
        sum += weight * value;
        total += weight;
    }
    [[nodiscard]] double mean() const { return sum / total; }  // of a total above 0
};

[[nodiscard]] WeightedMean weighted_mean(std::span<const double> values, const Sampling& sampling = {});

// sum w v / sum w, with the standard error of its influence w (v - mean) / sum w. Not estimable from fewer than two
// rows or clusters that count.
[[nodiscard]] MeanEstimate estimate_mean(std::span<const double> values, const Sampling& sampling = {});

// The same of a mean that is known up to bounds, one for each row: estimate_mean() of both, or of the only one where
// they are equal in every row.
[[nodiscard]] MeanEstimate estimate_bounded_mean(std::span<const double> lower, std::span<const double> upper,
                                                 const Sampling& sampling = {});

// The same for any estimate that is a sum of what each row contributes: the influences sum to 0.
[[nodiscard]] MeanEstimate estimate_from_influence(double value, std::span<const double> influence,
                                                   const Sampling& sampling);

// How many standard errors to either side make intervals which, with the probability `level`, all cover at once.
// Sidak (1967): however the `count` normal estimates are correlated, it is at least that. Throws a usage error unless
// 0 < level < 1.
[[nodiscard]] double simultaneous_factor(std::size_t count, double level);

// So many standard errors to either side; with bounds, as many beyond them as bounded_factor() says. Does nothing where
// nothing is known.
void set_interval(MeanEstimate& estimate, double factor);

}  // namespace polyrx
