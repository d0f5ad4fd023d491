// SPDX-License-Identifier: Apache-2.0
// How far intervals reach that cover a value known only up to bounds (Imbens & Manski 2004; Stoye 2009).
#pragma once

#include <cstddef>

namespace polyrx {

// How many standard errors an interval reaches beyond either bound: the c of
//     Phi(c + width) - Phi(-c) = level,
// with the width between the bounds in units of the larger standard error. `factor` is what an interval of that level
// reaches around a point, and the answer for width 0; for wide bounds c is that of a one-sided interval.
[[nodiscard]] double bounded_factor(double factor, double width);

// The factor for `count` intervals of any kind that cover at once with the probability `level` (Bonferroni).
[[nodiscard]] double bonferroni_factor(std::size_t count, double level);

}  // namespace polyrx
