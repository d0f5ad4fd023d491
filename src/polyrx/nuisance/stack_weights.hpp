// SPDX-License-Identifier: Apache-2.0
// Weights of stacked models (Wolpert 1992; Breiman 1996): non-negative, with sum one, and optimal for held-out
// predictions.
#pragma once

#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

inline constexpr double least_stack_weight = 0.01;  // models with less weight are dropped

// Weights of the mean with the least squared error. `predicted` is rows x models.
[[nodiscard]] std::vector<double> squared_loss_weights(const Matrix& predicted, std::span<const double> outcome,
                                                       std::span<const double> weight = {});

// The normalized weighted geometric mean of probabilities (rows x classes, by model). If one model rules out a class,
// the geometric mean stays small, while the arithmetic mean would pull it to the middle.
[[nodiscard]] Matrix pooled_probabilities(std::span<const Matrix> probabilities, std::span<const double> weights);

// Weights of the pool with the least log-loss.
[[nodiscard]] std::vector<double> log_loss_weights(std::span<const Matrix> probabilities, std::span<const int> happened,
                                                   std::span<const double> weight = {});

}  // namespace polyrx
