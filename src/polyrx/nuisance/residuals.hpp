// SPDX-License-Identifier: Apache-2.0
// Residual outcomes and residual treatments, from cross-fitted forests of the features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// Indexed by all rows of the features; 0 for rows that were not requested.
struct Residuals {
    std::vector<double> treatment;
    std::vector<double> outcome;
};

struct ResidualOptions {
    std::size_t folds = 2;  // at least 2; the default is EconML's
    int trees = 100;
    std::size_t leaf_rows = 5;
    std::uint64_t seed = 1;
    int threads = 1;
    // Indexed by all rows of the features: rows with equal numbers share a fold. Empty without groups.
    std::span<const std::size_t> group = {};
};

// Each row's outcome and arm (1 treated, 0 control) minus the predictions of regression forests fitted on the other
// folds. Swapping the arms only changes the sign of residual treatments. Residuals of a single row or group are 0,
// because no other rows can predict it.
[[nodiscard]] Residuals cross_fitted_residuals(const FeatureRows& features, std::span<const std::size_t> rows,
                                               std::span<const int> treated, std::span<const double> outcome,
                                               std::span<const double> weight, const ResidualOptions& options,
                                               const Progress& progress = {});

}  // namespace polyrx
