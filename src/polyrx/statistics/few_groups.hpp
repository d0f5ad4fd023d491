// SPDX-License-Identifier: Apache-2.0
// Intervals from few groups.
#pragma once

#include <cstddef>

namespace polyrx {

// By how much a standard error from this many groups (at least 2) is too small for a normal 95 % interval: the ratio of
// the 97.5 % quantiles of Student's t, with one degree of freedom less than groups, and of the normal distribution.
[[nodiscard]] double few_groups_factor(std::size_t groups);

}  // namespace polyrx
