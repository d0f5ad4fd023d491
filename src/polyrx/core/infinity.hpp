// SPDX-License-Identifier: Apache-2.0
// Infinity, for absent bounds.
#pragma once

#include <limits>

namespace polyrx {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace polyrx
