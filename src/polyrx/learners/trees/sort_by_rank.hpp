// SPDX-License-Identifier: Apache-2.0
// Radix sort of rows by rank. Ranks are small whole numbers, so this is faster than sorting by comparison.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "polyrx/learners/trees/moved_rows.hpp"

namespace polyrx {

struct RankedRow {
    std::uint32_t rank;
    Position row;
};

// Stable. No rank may be above `highest`.
inline void sort_by_rank(std::vector<RankedRow>& rows, std::vector<RankedRow>& buffer, std::uint32_t highest) {
    constexpr int bits = 11;
    constexpr std::uint32_t digits = 1U << bits;
    buffer.resize(rows.size());
    for (int shift = 0; shift < 32 && highest >> shift > 0; shift += bits) {
        const auto digit_of = [shift](const RankedRow& row) { return row.rank >> shift & (digits - 1); };
        std::array<std::size_t, digits> place = {};
        for (const RankedRow& row : rows) ++place[digit_of(row)];
        std::exclusive_scan(place.begin(), place.end(), place.begin(), std::size_t{0});
        for (const RankedRow& row : rows) buffer[place[digit_of(row)]++] = row;
        std::swap(rows, buffer);
    }
}

}  // namespace polyrx
