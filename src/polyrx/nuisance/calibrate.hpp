// SPDX-License-Identifier: Apache-2.0
// Measures and improves the calibration of probabilities.
#pragma once

#include <span>

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/linear/multinomial_logistic.hpp"

namespace polyrx {

// The weighted mean of -log of the probability (rows x classes) of the observed class. Smaller is better. Forests may
// predict 0 for rare classes, so probabilities are raised to one in a million; otherwise one such row could dominate
// the loss.
[[nodiscard]] double log_loss(const Matrix& probabilities, std::span<const int> happened,
                              std::span<const double> weight = {});

// Softmax regression on the logarithms of the probabilities: Dirichlet calibration (Kull et al. 2019). With two
// classes, it is beta calibration; with one common slope, temperature scaling. Fit it on held-out predictions. Isotonic
// regression is flat at its ends: there, propensities are the shares of the last few rows, which are often 0. But
// estimators divide by the smallest propensities.
[[nodiscard]] LogisticModel fit_calibration(const Matrix& probabilities, std::span<const int> happened,
                                            std::span<const double> weight = {}, int threads = 1);

[[nodiscard]] Matrix calibrated(const LogisticModel& calibration, const Matrix& probabilities);

}  // namespace polyrx
