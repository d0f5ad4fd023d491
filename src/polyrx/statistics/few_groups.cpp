// SPDX-License-Identifier: Apache-2.0
#include "polyrx/statistics/few_groups.hpp"

namespace polyrx {

double few_groups_factor(std::size_t groups) {
    constexpr double z = 1.959963984540054;
    constexpr double exact[] = {12.706204736432095, 4.302652729911275, 3.182446305284263, 2.776445105197793};
    const std::size_t freedom = groups - 1;
    if (freedom <= 4) return exact[freedom - 1] / z;
    // Abramowitz & Stegun 26.7.5, accurate to at least three digits from five degrees of freedom.
    constexpr double z2 = z * z;
    const double n = 1 / static_cast<double>(freedom);
    const double series =
        n * ((z2 + 1) / 4 + n * (((5 * z2 + 16) * z2 + 3) / 96 +
                                 n * ((((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384 +
                                      n * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160)));
    return 1 + series;
}

}  // namespace polyrx
