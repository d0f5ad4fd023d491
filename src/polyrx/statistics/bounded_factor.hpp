// SPDX-License-Identifier: Apache-2.0
// Intervals for partially identified values, known only up to bounds (Imbens & Manski 2004; Stoye 2009).
#pragma once

#include <cstddef>

namespace polyrx {

// The number of standard errors beyond each bound: the c of
//     Phi(c + width) - Phi(-c) = level,
// where `width` is the distance between the bounds in units of the larger standard error. `factor` is the number for a
// point estimate, and the result for width 0. For wide bounds, c is that of a one-sided interval.
[[nodiscard]] double bounded_factor(double factor, double width);

// The factor for `count` simultaneous intervals at `level` with any dependence (Bonferroni).
[[nodiscard]] double bonferroni_factor(std::size_t count, double level);

}  // namespace polyrx
