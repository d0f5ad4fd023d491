// SPDX-License-Identifier: Apache-2.0
// Missing values of a numeric column, in vectors as wide as the machine has them, chosen when the program runs.
#pragma once

#include <span>

namespace polyrx {

// filled[i] is values[i], or `fill` where that is missing (not a number). Returns whether no value is infinite.
[[nodiscard]] bool fill_missing(std::span<const double> values, double fill, double* filled);

// missing[i] is 1 where values[i] is missing, else 0.
void mark_missing(std::span<const double> values, double* missing);

}  // namespace polyrx
