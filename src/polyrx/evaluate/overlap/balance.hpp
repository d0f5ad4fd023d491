// SPDX-License-Identifier: Apache-2.0
// Covariate balance: differences between the rows that received a treatment and all rows, before and after weighting.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/encode/encoder.hpp"

namespace polyrx {

// Standardized differences above this are usually considered notable (Austin 2009).
inline constexpr double notable_difference = 0.1;

// One input among the rows that received one treatment.
struct CovariateBalance {
    std::size_t column = 0;  // column of the encoder
    int treatment = 0;
    // (mean of these rows - mean of all rows) / standard deviation of all rows. `after` weights these rows by 1 /
    // propensity. Both use the same deviation, so that weighting does not change the scale. Means are of known values
    // and of indicators of categories and missing cells. 0 for a constant input; empty if no row that received the
    // treatment has a value.
    std::optional<double> before;
    std::optional<double> after;
};

struct BalanceOptions {
    double least_propensity = 0.02;  // propensities are clipped to this
    std::span<const double> weight = {};
};

// Every input and treatment, in descending order of the larger difference. `encoded` has the encoder's columns, and
// `propensities` is rows x treatments. Throws a usage error for sizes that do not match, and a data error for no rows
// and for weights that are negative or all 0.
[[nodiscard]] std::vector<CovariateBalance> covariate_balance(const Encoder& encoder, const Matrix& encoded,
                                                              std::span<const int> treatment,
                                                              const Matrix& propensities,
                                                              const BalanceOptions& options = {});

}  // namespace polyrx
