// SPDX-License-Identifier: Apache-2.0
// Limits the number of folds to the number of groups.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "polyrx/study/splits/group_numbers.hpp"

namespace polyrx {

// The smaller of `wanted` and the number of groups. Without groups, returns `wanted`.
[[nodiscard]] inline std::size_t folds_for(std::span<const std::size_t> group, std::size_t wanted) {
    return group.empty() ? wanted : std::min(wanted, number_groups(group).count);
}

}  // namespace polyrx
