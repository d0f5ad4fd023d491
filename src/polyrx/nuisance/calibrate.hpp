// SPDX-License-Identifier: Apache-2.0
// Probabilities that mean what they say: how far they are from it, and a map that brings them closer.
#pragma once

#include <span>

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/linear/multinomial_logistic.hpp"

namespace polyrx {

// The weighted mean of -log of the probability (rows x classes) of what happened. Small is good. A forest may well say
// 0 where it means "fewer than I can count": probabilities below one in a million cost as much as that, so that one
// such row does not decide alone.
[[nodiscard]] double log_loss(const Matrix& probabilities, std::span<const int> happened,
                              std::span<const double> weight = {});

// Softmax regression on the logarithms of the probabilities (Dirichlet calibration, Kull et al. 2019; with two classes
// beta calibration, with one common slope temperature scaling). It has to be fitted to probabilities of rows that their
// model did not see. Rather this than isotonic regression, which is flat at its ends: there a propensity is whatever
// share the last few rows had, often 0, and it is by the smallest propensities that one divides.
[[nodiscard]] LogisticModel fit_calibration(const Matrix& probabilities, std::span<const int> happened,
                                            std::span<const double> weight = {}, int threads = 1);

[[nodiscard]] Matrix calibrated(const LogisticModel& calibration, const Matrix& probabilities);

}  // namespace polyrx
