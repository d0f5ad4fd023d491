// SPDX-License-Identifier: Apache-2.0
// A block of rows side by side, one per lane, through the domain and down the splits of a tree: in vectors as wide as
// the machine has them, chosen when the program runs. Every target with fused multiply-adds gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace polyrx {

// Rows of a block. Their inputs lie input by input: that of row r at [input * lane_rows + r].
inline constexpr std::size_t lane_rows = 64;
using LaneSet = std::uint64_t;  // bit r for row r

// Up to lane_rows rows to their lanes; the lanes of the others are left alone.
void to_lanes(const double* rows, std::size_t count, std::size_t inputs, double* lanes);

struct LaneDomain {
    std::span<const double> lower;
    std::span<const double> upper;
    std::span<const char> integer;
    std::span<const std::uint32_t> group_members;  // one group after the other
    std::span<const std::uint32_t> group_ends;
};

// The rows that keep to bounds, whole numbers and groups. A whole number beyond 2^51 in size may count as none.
[[nodiscard]] LaneSet rows_inside(const LaneDomain& domain, const double* lanes);

// The sum of its weights times the inputs, in their order and fused where the machine can, + constant; beyond the guard
// it decides.
struct LaneFunction {
    double constant = 0;
    double guard = 0;
};
struct LaneSplit {
    std::uint32_t node = 0;
    std::uint32_t function = 0;
    std::uint32_t yes = 0;
    std::uint32_t no = 0;
};
struct LaneSplits {
    std::span<const LaneSplit> splits;  // parents before children
    std::span<const std::uint32_t> leaves;
    std::span<const LaneFunction> functions;
    std::span<const double> weights;        // one for each of the inputs below, function after function
    std::span<const std::uint32_t> inputs;  // that any function has a weight for
};

// The rows on either side of a function: bit i of [g] is row 8 g + i.
struct LaneSides {
    std::uint8_t yes[lane_rows / 8];
    std::uint8_t no[lane_rows / 8];
};
// Memory to work in: `rows` has one for each node, `sides` one for each function.
struct LaneScratch {
    std::span<LaneSet> rows;
    std::span<LaneSides> sides;
};

// ends[r] = the leaf where row r ends, or the split in whose guard band it lies. Rows not in `which` are left alone.
void descend_lanes(const LaneSplits& splits, const double* lanes, LaneSet which, const LaneScratch& scratch,
                   std::int32_t* ends);

}  // namespace polyrx
