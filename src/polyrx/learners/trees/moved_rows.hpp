// SPDX-License-Identifier: Apache-2.0
// Keeps the rows of each node, and data on them, contiguous while a tree grows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polyrx {

// The position of a row in the sample that a tree is grown on.
using Position = std::uint32_t;

// Moves the items of the left side to the front, keeping the order on each side, without data-dependent branches.
// Returns the number of items on the left.
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

// Reorders data by position: the items at `from` move to the positions from `first` on.
template <class T>
void move_along(std::vector<T>& items, std::size_t first, std::span<const Position> from) {
    std::vector<T> moved;
    moved.reserve(from.size());
    for (const Position at : from) moved.push_back(items[at]);
    std::ranges::copy(moved, items.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace polyrx
