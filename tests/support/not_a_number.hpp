// SPDX-License-Identifier: Apache-2.0
// What stands for a value that is missing.
#pragma once

#include <limits>

namespace polyrx::test {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace polyrx::test
