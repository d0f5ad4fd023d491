// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/epsilon.hpp"

#include <fmt/format.h>

#include "polyrx/core/error.hpp"

namespace polyrx {

void check_epsilon(double epsilon) {
    if (!(epsilon > 0 && epsilon < 1))
        throw usage_error(fmt::format("epsilon (support) must be above 0 and below 1, not {}", epsilon));
}

}  // namespace polyrx
