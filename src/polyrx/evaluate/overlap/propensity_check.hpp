// SPDX-License-Identifier: Apache-2.0
// Checks of estimated propensities: predicted against observed shares where propensities are low, and balance of the
// inputs among rows of similar propensity.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// Rows with a low propensity of a treatment.
struct LowPropensities {
    int treatment = 0;
    double from = 0;  // lower end of the bin
    double to = 0;
    std::size_t rows = 0;
    double predicted = 0;  // mean propensity, weighted
    double observed = 0;   // weighted share that received it
    // Significantly fewer rows received it than predicted, so these rows have less overlap than it seems.
    bool too_high = false;
};

// For each treatment, bins up to 0.2 with at least 30 rows. `weight` is per row; if empty, all rows count equally. Rows
// of weight 0 are ignored.
[[nodiscard]] std::vector<LowPropensities> low_propensities(const Matrix& propensities, std::span<const int> treatment,
                                                            std::span<const double> weight = {});

// One input in one quintile of the propensity of a treatment: the difference between the rows that received it and all
// rows of the quintile, in standard deviations of all rows.
struct BinBalance {
    std::size_t column = 0;
    int treatment = 0;
    int fifth = 0;  // quintile of the propensity, ascending from 0
    double difference = 0;
};

struct BalanceWithinBins {
    std::size_t checked = 0;
    std::size_t notable = 0;                 // above notable_difference and beyond chance
    std::optional<BinBalance> largest = {};  // of the notable ones
};

// `encoded` is rows x inputs. Means and standard deviations are weighted. Quintiles count rows of positive weight.
[[nodiscard]] BalanceWithinBins balance_within_bins(const Matrix& encoded, std::span<const int> treatment,
                                                    const Matrix& propensities, std::span<const double> weight = {});

}  // namespace polyrx
