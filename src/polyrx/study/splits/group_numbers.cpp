// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/splits/group_numbers.hpp"

#include <unordered_map>

namespace polyrx {

GroupNumbers number_groups(std::span<const std::size_t> group) {
    GroupNumbers numbers;
    numbers.of_row.reserve(group.size());
    std::unordered_map<std::size_t, std::size_t> number_of;
    for (const std::size_t name : group)
        numbers.of_row.push_back(number_of.try_emplace(name, number_of.size()).first->second);
    numbers.count = number_of.size();
    return numbers;
}

}  // namespace polyrx
