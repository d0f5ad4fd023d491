// SPDX-License-Identifier: Apache-2.0
// Rules in words, for readers who must agree to them.
#pragma once

#include <string>
#include <vector>

#include "polyrx/rules/bind.hpp"

namespace polyrx {

// For example "Where bmi is above 30, only Medium or High may be prescribed."
[[nodiscard]] std::string explain(const Rule& rule);

// The effect of rules on rows with missing values that rules use.
[[nodiscard]] std::string explain(WhenMissing when_missing);

}  // namespace polyrx
