// SPDX-License-Identifier: Apache-2.0
// Text reports of a fit.
#pragma once

#include <span>
#include <string>

#include "polyrx/fit/fit.hpp"

namespace polyrx {

// The recommendation, objective, rows, features, treatment shares, changed prescriptions, support, loss and time; no
// line break at the end. If `tree` replaces the policy, the recommendation is that of the tree.
[[nodiscard]] std::string fit_summary(const Fit& fit, double seconds, const Policy* tree = nullptr);

// Counts of the rows by received treatment: "low (20), high (3)".
[[nodiscard]] std::string counts_by_treatment(const Observations& observations, std::span<const std::size_t> rows);

// The settings that were tried and chosen; no line break at the end.
[[nodiscard]] std::string tuning_words(const Fit& fit);

}  // namespace polyrx
