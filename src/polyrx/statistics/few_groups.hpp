// SPDX-License-Identifier: Apache-2.0
// Small-sample correction for clustered standard errors.
#pragma once

#include <cstddef>

namespace polyrx {

// The factor by which a standard error from this many groups (at least 2) must be inflated for a normal 95 % interval:
// the ratio of the 97.5 % quantiles of Student's t with groups - 1 degrees of freedom and of the normal distribution.
[[nodiscard]] double few_groups_factor(std::size_t groups);

}  // namespace polyrx
