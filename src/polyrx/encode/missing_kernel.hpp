// SPDX-License-Identifier: Apache-2.0
// SIMD handling of missing values in numeric columns, with run-time dispatch.
#pragma once

#include <span>

namespace polyrx {

// Sets filled[i] to values[i], or to `fill` if it is NaN. Returns true if no value is infinite.
[[nodiscard]] bool fill_missing(std::span<const double> values, double fill, double* filled);

// Sets missing[i] to 1 if values[i] is NaN, otherwise to 0.
void mark_missing(std::span<const double> values, double* missing);

}  // namespace polyrx
