// SPDX-License-Identifier: Apache-2.0
// Numbers groups (visits of one patient, patients of one clinic) from 0 without gaps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace polyrx {

struct GroupNumbers {
    std::vector<std::size_t> of_row;  // 0 .. count-1, in order of first appearance
    std::size_t count = 0;
};

// Rows with equal values in `group` form a group.
[[nodiscard]] GroupNumbers number_groups(std::span<const std::size_t> group);

}  // namespace polyrx
