// SPDX-License-Identifier: Apache-2.0
// Propensities from a stack: the share of each treatment, logistic regression (with and without squares and
// products of the inputs), boosted trees and a forest, pooled by
// weights with the least log-loss of rows that the models did not see. A forest alone is drawn to the middle, so that
// rows without overlap look as if they had some; a constant keeps a trial's propensities what they are.
#pragma once

#include "polyrx/nuisance/propensities.hpp"

namespace polyrx {

// As fit_propensities(). Needs PropensityRows::binned. The pool is calibrated where that lowers its log-loss.
[[nodiscard]] PropensityFit fit_stacked_propensities(const PropensityRows& rows, std::span<const std::size_t> kept,
                                                     std::span<const std::size_t> held_out,
                                                     const PropensityOptions& options, const PropensityDraws& draws,
                                                     const Progress& progress);

}  // namespace polyrx
