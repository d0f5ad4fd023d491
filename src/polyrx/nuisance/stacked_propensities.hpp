// SPDX-License-Identifier: Apache-2.0
// Predicts propensities by a stack: the share of each treatment, logistic regression (with and without squares and
// products of the inputs), boosted trees and a forest. The weights of the pool have the least held-out log-loss. A
// forest alone shrinks propensities to the middle, so rows without overlap seem to have some. The constant keeps a
// trial's propensities constant.
#pragma once

#include "polyrx/nuisance/propensities.hpp"

namespace polyrx {

// Like fit_propensities(). Needs PropensityRows::binned. Calibrates the pool if that lowers its log-loss.
[[nodiscard]] PropensityFit fit_stacked_propensities(const PropensityRows& rows, std::span<const std::size_t> kept,
                                                     std::span<const std::size_t> held_out,
                                                     const PropensityOptions& options, const PropensityDraws& draws,
                                                     const Progress& progress);

}  // namespace polyrx
