// SPDX-License-Identifier: Apache-2.0
// Checks the domain and descends a tree for a block of rows, one per SIMD lane, with run-time dispatch. Every target
// with fused multiply-adds gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace polyrx {

// Rows per block, stored by input: row r at [input * lane_rows + r].
inline constexpr std::size_t lane_rows = 64;
using LaneSet = std::uint64_t;  // bit r for row r

// Copies up to lane_rows rows to lanes. Other lanes keep their values.
void to_lanes(const double* rows, std::size_t count, std::size_t inputs, double* lanes);

struct LaneDomain {
    std::span<const double> lower;
    std::span<const double> upper;
    std::span<const char> integer;
    std::span<const std::uint32_t> group_members;  // group after group
    std::span<const std::uint32_t> group_ends;
};

// The rows that satisfy bounds, whole numbers and groups. May reject whole numbers beyond 2^51.
[[nodiscard]] LaneSet rows_inside(const LaneDomain& domain, const double* lanes);

// The weighted sum of the inputs, in order and fused if available, plus constant. Rows are decided if it is beyond the
// guard.
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
    std::span<const double> weights;        // one per entry of `inputs`, function after function
    std::span<const std::uint32_t> inputs;  // inputs that any function uses
};

// The rows on each side of a function: bit i of [g] is row 8 g + i.
struct LaneSides {
    std::uint8_t yes[lane_rows / 8];
    std::uint8_t no[lane_rows / 8];
};
// Working memory: `rows` has one entry per node, `sides` one per function.
struct LaneScratch {
    std::span<LaneSet> rows;
    std::span<LaneSides> sides;
};

// ends[r] = the leaf where row r ends, or the split whose guard band contains it. Rows not in `which` are unchanged.
void descend_lanes(const LaneSplits& splits, const double* lanes, LaneSet which, const LaneScratch& scratch,
                   std::int32_t* ends);

}  // namespace polyrx
