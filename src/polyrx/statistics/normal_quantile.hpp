// SPDX-License-Identifier: Apache-2.0
// The standard normal distribution and its quantiles, to the last few bits.
#pragma once

namespace polyrx {

// The probability that a standard normal number exceeds z.
[[nodiscard]] double normal_upper_tail(double z);

// The x below which a standard normal number is with the given probability, which is above 0 and below 1.
[[nodiscard]] double normal_quantile(double probability);

// How many standard errors an interval of this level reaches to either side: 1.96 for 0.95. Throws a usage error for a
// level that is not between 0 and 1.
[[nodiscard]] double two_sided_factor(double level);

}  // namespace polyrx
