// SPDX-License-Identifier: Apache-2.0
// Which rows belong together (visits of one patient, patients of one clinic), numbered from 0 without gaps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace polyrx {

struct GroupNumbers {
    std::vector<std::size_t> of_row;  // 0 .. count-1, in the order in which groups appear
    std::size_t count = 0;
};

// Rows with equal numbers, whatever these are, belong together.
[[nodiscard]] GroupNumbers number_groups(std::span<const std::size_t> group);

}  // namespace polyrx
