// SPDX-License-Identifier: Apache-2.0
// Are estimated propensities right where it matters? Predicted against observed shares where they are low, and balance
// of the inputs among rows of about the same propensity.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// Rows whose propensity of a treatment is low.
struct LowPropensities {
    int treatment = 0;
    double from = 0;  // propensities from this to the next one
    double to = 0;
    std::size_t rows = 0;
    double predicted = 0;  // mean propensity, weighted
    double observed = 0;   // share that received it, weighted
    // Credibly fewer received it than predicted: these rows have less overlap than they seem to have.
    bool too_high = false;
};

// For each treatment, bins up to 0.2 with at least 30 rows. `weight` is of the rows; empty: all count alike. Rows of
// weight 0 do not count.
[[nodiscard]] std::vector<LowPropensities> low_propensities(const Matrix& propensities, std::span<const int> treatment,
                                                            std::span<const double> weight = {});

// One input, among rows of a fifth of the propensities of a treatment: how far those that received it are from all of
// them, in standard deviations of all rows.
struct BinBalance {
    std::size_t column = 0;
    int treatment = 0;
    int fifth = 0;  // from the lowest propensities, numbered from 0
    double difference = 0;
};

struct BalanceWithinBins {
    std::size_t checked = 0;
    std::size_t notable = 0;                 // above notable_difference by more than chance explains
    std::optional<BinBalance> largest = {};  // of the notable ones
};

// `encoded` is rows x inputs. Means and standard deviations are weighted; a fifth of the propensities is a fifth of the
// rows that have a weight above 0.
[[nodiscard]] BalanceWithinBins balance_within_bins(const Matrix& encoded, std::span<const int> treatment,
                                                    const Matrix& propensities, std::span<const double> weight = {});

}  // namespace polyrx
