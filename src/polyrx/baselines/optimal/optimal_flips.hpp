// SPDX-License-Identifier: Apache-2.0
// The values at which rows change sides as one coefficient of a split changes, in order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace polyrx {

struct Flip {
    double at = 0;
    std::uint32_t place = 0;
    std::uint32_t key = 0;  // sort key
};

enum class FlipOrder { ascending, descending };

// Sorting by comparisons takes a quarter of the hyperplane search. Large numbers of flips are therefore sorted by a
// radix sort on 32-bit keys in four passes, then by value among equal keys.
inline void sort_flips(std::span<Flip> flips, FlipOrder order, std::vector<Flip>& buffer) {
    const auto comes_first = [order](const Flip& a, const Flip& b) {
        return order == FlipOrder::ascending ? a.at < b.at : a.at > b.at;
    };
    constexpr std::size_t few = 100;
    if (flips.size() < few) {
        std::ranges::sort(flips, comes_first);
        return;
    }
    constexpr int bits = 8;
    constexpr std::uint32_t digits = 1U << bits;
    std::array<std::array<std::uint32_t, digits>, 4> places = {};
    for (Flip& flip : flips) {
        // The bits of a float sort like its value once those of negative numbers are inverted.
        const auto raw = std::bit_cast<std::uint32_t>(static_cast<float>(flip.at));
        const std::uint32_t ordered = (raw >> 31) != 0 ? ~raw : raw | 0x8000'0000U;
        flip.key = order == FlipOrder::ascending ? ordered : ~ordered;
        for (std::size_t pass = 0; pass < places.size(); ++pass)
            ++places[pass][flip.key >> (static_cast<int>(pass) * bits) & (digits - 1)];
    }
    buffer.resize(flips.size());
    std::span<Flip> from = flips;
    std::span<Flip> to = buffer;
    for (std::size_t pass = 0; pass < places.size(); ++pass) {
        auto& place = places[pass];
        std::exclusive_scan(place.begin(), place.end(), place.begin(), 0U);
        for (const Flip& flip : from) to[place[flip.key >> (static_cast<int>(pass) * bits) & (digits - 1)]++] = flip;
        std::swap(from, to);
    }
    for (std::size_t begin = 0; begin < flips.size();) {
        std::size_t end = begin + 1;
        while (end < flips.size() && flips[end].key == flips[begin].key) ++end;
        if (end - begin > 1) std::ranges::sort(flips.subspan(begin, end - begin), comes_first);
        begin = end;
    }
}

}  // namespace polyrx
