// SPDX-License-Identifier: Apache-2.0
// What a person reads after a fit.
#pragma once

#include <span>
#include <string>

#include "polyrx/fit/fit.hpp"

namespace polyrx {

// The recommendation, the direction, rows, features, treatments with their shares, who would change treatment, support,
// loss and time; no line break at the end. Where a tree is written in place of the policy, the recommendation is the
// tree's.
[[nodiscard]] std::string fit_summary(const Fit& fit, double seconds, const Policy* tree = nullptr);

// How many of the rows received each treatment: "low (20), high (3)".
[[nodiscard]] std::string counts_by_treatment(const Observations& observations, std::span<const std::size_t> rows);

// What was tried and chosen; no line break at the end.
[[nodiscard]] std::string tuning_words(const Fit& fit);

}  // namespace polyrx
