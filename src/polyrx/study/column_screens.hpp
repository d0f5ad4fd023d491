// SPDX-License-Identifier: Apache-2.0
// Finds columns that are probably mistakes as features: identifiers, leaks of the outcome, copies of the treatment.
#pragma once

#include <string>
#include <vector>

#include "polyrx/study/observations.hpp"

namespace polyrx {

// True for text with almost as many values as rows, and for whole numbers that increase in file order, with small gaps.
// False below 20 rows, where ages could do so by chance.
[[nodiscard]] bool looks_like_identifier(const Column& column);

// A warning for each feature that alone predicts the outcome or the treatment almost perfectly on a test half. Uses at
// most 20,000 rows; below 100 rows it returns nothing.
[[nodiscard]] std::vector<std::string> suspicious_features(const Observations& observations);

}  // namespace polyrx
