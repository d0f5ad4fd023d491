// SPDX-License-Identifier: Apache-2.0
// Weights by which the predictions of several models are combined (stacking, Wolpert 1992; Breiman 1996): not negative,
// summing to one, and best for rows that the models did not see.
#pragma once

#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

inline constexpr double least_stack_weight = 0.01;  // with less, a model is left out

// Of predicted numbers: the average with the least squared error. `predicted` is rows x models.
[[nodiscard]] std::vector<double> squared_loss_weights(const Matrix& predicted, std::span<const double> outcome,
                                                       std::span<const double> weight = {});

// The weighted geometric mean of probabilities (rows x classes, by model), made to sum to 1. Unlike the arithmetic mean
// it lets one model that rules a class out be heard, so the tails are not drawn to the middle.
[[nodiscard]] Matrix pooled_probabilities(std::span<const Matrix> probabilities, std::span<const double> weights);

// Of predicted probabilities: the pool with the least log-loss.
[[nodiscard]] std::vector<double> log_loss_weights(std::span<const Matrix> probabilities, std::span<const int> happened,
                                                   std::span<const double> weight = {});

}  // namespace polyrx
