// SPDX-License-Identifier: Apache-2.0
// Keeps the rows of each node side by side while a tree grows, and what is known of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polyrx {

// Where a row stands in the sample that a tree is grown on.
using Position = std::uint32_t;

// The items of the left side first, each side in the order it was in. Without jumps that depend on the data. Returns
// how many are on the left.
template <class T, class IsLeft>
std::size_t left_first(T* items, std::size_t count, T* buffer, const IsLeft& is_left) {
    std::size_t left = 0;
    std::size_t right = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const T item = items[i];
        const std::size_t goes = is_left(item);
        items[left] = item;
        buffer[right] = item;
        left += goes;
        right += 1 - goes;
    }
    std::copy(buffer, buffer + right, items + left);
    return left;
}

// What is known of rows by position, after they changed places: from `first` on come those that were at `from`.
template <class T>
void move_along(std::vector<T>& items, std::size_t first, std::span<const Position> from) {
    std::vector<T> moved;
    moved.reserve(from.size());
    for (const Position at : from) moved.push_back(items[at]);
    std::ranges::copy(moved, items.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace polyrx
