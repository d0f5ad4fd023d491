// SPDX-License-Identifier: Apache-2.0
// Tail probabilities and quantiles of the standard normal distribution, accurate to a few units in the last place.
#pragma once

namespace polyrx {

// P(Z > z).
[[nodiscard]] double normal_upper_tail(double z);

// The quantile function, for 0 < probability < 1.
[[nodiscard]] double normal_quantile(double probability);

// The number of standard errors to either side of an interval at this level: 1.96 for 0.95. Throws a usage error unless
// 0 < level < 1.
[[nodiscard]] double two_sided_factor(double level);

}  // namespace polyrx
