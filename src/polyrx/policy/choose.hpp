// SPDX-License-Identifier: Apache-2.0
// From predicted outcomes to treatments, by the rules.
#pragma once

#include <vector>

#include "polyrx/policy/policy.hpp"

namespace polyrx {

// For each encoded row the allowed treatment with the smallest output, or no_treatment where rules leave none. Of equal
// ones the first.
[[nodiscard]] std::vector<int> choose(const RuleBook& rules, const Matrix& rows, const Matrix& outputs);

}  // namespace polyrx
