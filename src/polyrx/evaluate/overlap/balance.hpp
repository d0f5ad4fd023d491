// SPDX-License-Identifier: Apache-2.0
// Covariate balance: how unlike all rows those are that received a treatment, before and after weighting.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/encode/encoder.hpp"

namespace polyrx {

// How large a standardized difference is commonly taken to matter (Austin 2009).
inline constexpr double notable_difference = 0.1;

// One input among the rows that received one treatment.
struct CovariateBalance {
    std::size_t column = 0;  // of the encoder's
    int treatment = 0;
    // (mean of these rows - mean of all rows) / standard deviation of all rows; after: these rows weighted by
    // 1 / propensity. The deviation is the same in both, so that weighting cannot hide behind it. Means are of known
    // values, and shares of categories and of missing cells. 0 for an input that never varies; nothing where no row
    // that received the treatment has a value.
    std::optional<double> before;
    std::optional<double> after;
};

struct BalanceOptions {
    double least_propensity = 0.02;  // lower ones are raised to this
    std::span<const double> weight = {};
};

// Every input and treatment, the largest difference (before or after) first. `encoded` are the encoder's rows, and
// `propensities` rows x treatments. Throws a usage error for parts that do not fit together, and a data error for no
// rows and for weights that are negative or all 0.
[[nodiscard]] std::vector<CovariateBalance> covariate_balance(const Encoder& encoder, const Matrix& encoded,
                                                              std::span<const int> treatment,
                                                              const Matrix& propensities,
                                                              const BalanceOptions& options = {});

}  // namespace polyrx
