// SPDX-License-Identifier: Apache-2.0
// A rule in words, for those who must agree to it.
#pragma once

#include <string>
#include <vector>

#include "polyrx/rules/bind.hpp"

namespace polyrx {

// "Where bmi is above 30, only Medium or High may be prescribed."
[[nodiscard]] std::string explain(const Rule& rule);

// What happens to rows in which a value that a rule asks for is missing.
[[nodiscard]] std::string explain(WhenMissing when_missing);

}  // namespace polyrx
