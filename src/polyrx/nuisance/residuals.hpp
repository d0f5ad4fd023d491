// SPDX-License-Identifier: Apache-2.0
// What is left of outcome and treatment when the features have been given their due: residuals of cross-fitted forests.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// By row of all features; 0 of those that were not asked for.
struct Residuals {
    std::vector<double> treatment;
    std::vector<double> outcome;
};

struct ResidualOptions {
    std::size_t folds = 2;  // as many as EconML's; at least 2
    int trees = 100;
    std::size_t leaf_rows = 5;
    std::uint64_t seed = 1;
    int threads = 1;
    // By row of all features: rows with equal numbers are in one fold; empty when each row is on its own.
    std::span<const std::size_t> group = {};
};

// Each row's outcome, and its arm (1 treated, 0 control), minus what regression forests of the other folds' rows
// predict. Swapping the arms changes the sign of the treatments' residuals and nothing else. A single row, or group,
// leaves no residuals: nobody else predicts it.
[[nodiscard]] Residuals cross_fitted_residuals(const FeatureRows& features, std::span<const std::size_t> rows,
                                               std::span<const int> treated, std::span<const double> outcome,
                                               std::span<const double> weight, const ResidualOptions& options,
                                               const Progress& progress = {});

}  // namespace polyrx
