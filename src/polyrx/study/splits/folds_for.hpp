// SPDX-License-Identifier: Apache-2.0
// How many folds rows can be cut into.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "polyrx/study/splits/group_numbers.hpp"

namespace polyrx {

// As many as are wanted, but no more than there are groups to hold out. No groups: each row is on its own.
[[nodiscard]] inline std::size_t folds_for(std::span<const std::size_t> group, std::size_t wanted) {
    return group.empty() ? wanted : std::min(wanted, number_groups(group).count);
}

}  // namespace polyrx
