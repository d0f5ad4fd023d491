// SPDX-License-Identifier: Apache-2.0
#include "polyrx/tree/lane_tree_kernel.hpp"

#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyrx/tree/lane_tree_kernel.cpp"
#include "polyrx/core/tile_kernel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace polyrx::HWY_NAMESPACE {
namespace {

using Doubles = hn::CappedTag<double, 8>;
using DoubleVector = hn::Vec<Doubles>;
constexpr std::size_t lanes_each = hn::MaxLanes(Doubles());

// Adding and subtracting this rounds to a whole number.
constexpr double no_fractions = 0x1.8p52;

template <class Mask>
HWY_INLINE std::uint8_t bits_of(Mask mask) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(Doubles(), mask, bits);
    return bits[0];
}

void to_lanes(const double* rows, std::size_t count, std::size_t inputs, double* lanes) {
    std::size_t row = 0;
#if HWY_TARGET != HWY_SCALAR
    // Two rows by two inputs at a time: half as many loads and stores as values.
    const hn::CappedTag<double, 2> d;
    for (; row + 2 <= count; row += 2) {
        const double* one = rows + row * inputs;
        const double* other = one + inputs;
        double* lane = lanes + row;
        std::size_t input = 0;
        for (; input + 2 <= inputs; input += 2) {
            const auto a = hn::LoadU(d, one + input);
            const auto b = hn::LoadU(d, other + input);
            hn::StoreU(hn::InterleaveLower(d, a, b), d, lane + input * lane_rows);
            hn::StoreU(hn::InterleaveUpper(d, a, b), d, lane + (input + 1) * lane_rows);
        }
        if (input < inputs) {
            lane[input * lane_rows] = one[input];
            lane[input * lane_rows + 1] = other[input];
        }
    }
#endif
    for (; row < count; ++row)
        for (std::size_t input = 0; input < inputs; ++input)
            lanes[input * lane_rows + row] = rows[row * inputs + input];
}

LaneSet rows_inside(const LaneDomain& domain, const double* lanes) {
    const Doubles d;
    constexpr std::size_t vectors = lane_rows / lanes_each;
    LaneSet inside = 0;
    const auto magic = hn::Set(d, no_fractions);
    for (std::size_t v = 0; v < vectors; ++v) {
        const double* first = lanes + v * lanes_each;
        auto good = hn::Eq(magic, magic);
        for (std::size_t j = 0; j < domain.lower.size(); ++j) {
            const auto x = hn::LoadU(d, first + j * lane_rows);
            good =
                hn::And(good, hn::And(hn::Ge(x, hn::Set(d, domain.lower[j])), hn::Le(x, hn::Set(d, domain.upper[j]))));
            if (domain.integer[j]) good = hn::And(good, hn::Eq(hn::Sub(hn::Add(x, magic), magic), x));
        }
        // Members are now known to be 0 or 1, so their sum is exact.
        std::size_t member = 0;
        for (const std::uint32_t end : domain.group_ends) {
            auto sum = hn::Zero(d);
            for (; member < end; ++member)
                sum = hn::Add(sum, hn::LoadU(d, first + domain.group_members[member] * lane_rows));
            good = hn::And(good, hn::Eq(sum, hn::Set(d, 1)));
        }
        inside |= static_cast<LaneSet>(bits_of(good)) << (v * lanes_each);
    }
    return inside;
}

struct EveryInput {
    std::span<const std::uint32_t> inputs;

    [[nodiscard]] HWY_INLINE std::size_t size() const { return inputs.size(); }
    [[nodiscard]] HWY_INLINE std::size_t scalar_at(std::size_t i) const { return i; }
    [[nodiscard]] HWY_INLINE std::size_t vector_at(std::size_t i) const { return inputs[i] * lane_rows; }
};

// Records on which side of a function the rows are.
struct Decide {
    std::span<const LaneFunction> functions;
    std::span<LaneSides> sides;

    HWY_INLINE void operator()(std::size_t function, std::size_t row, DoubleVector sums) const {
        const Doubles d;
        const auto value = hn::Add(sums, hn::Set(d, functions[function].constant));
        const auto yes = bits_of(hn::Gt(value, hn::Set(d, functions[function].guard)));
        const auto no = bits_of(hn::Lt(value, hn::Set(d, -functions[function].guard)));
        LaneSides& side = sides[function];
        if constexpr (lanes_each == 8) {
            side.yes[row / 8] = yes;
            side.no[row / 8] = no;
        } else {
            // The first rows of a byte are stored first and clear it.
            const std::size_t shift = row % 8;
            const unsigned keep = (1U << shift) - 1;
            side.yes[row / 8] = static_cast<std::uint8_t>((side.yes[row / 8] & keep) | yes << shift);
            side.no[row / 8] = static_cast<std::uint8_t>((side.no[row / 8] & keep) | no << shift);
        }
    }
};

HWY_INLINE LaneSet set_of(const std::uint8_t (&bytes)[lane_rows / 8]) {
    static_assert(std::endian::native == std::endian::little);
    LaneSet set = 0;
    std::memcpy(&set, bytes, sizeof set);
    return set;
}

// ends[r] = the leaf whose set contains row r. A loop over the set bits would mispredict its end, so this compares all
// rows with all leaves, some vectors of rows at a time.
HWY_INLINE void put_leaves(std::span<const std::uint32_t> leaves, std::span<const LaneSet> rows, std::int32_t* ends) {
    const hn::CappedTag<std::int32_t, 16> d;
    constexpr std::size_t lanes = hn::MaxLanes(d);
    constexpr std::size_t together = 4;
    for (std::size_t first = 0; first < lane_rows; first += together * lanes) {
        hn::Vec<decltype(d)> end[together];
        for (std::size_t v = 0; v < together; ++v) end[v] = hn::LoadU(d, ends + first + v * lanes);
        for (const std::uint32_t leaf : leaves) {
            const auto number = hn::Set(d, static_cast<std::int32_t>(leaf));
            for (std::size_t v = 0; v < together; ++v) {
                const LaneSet here = rows[leaf] >> (first + v * lanes);
                std::uint8_t bits[sizeof here];
                std::memcpy(bits, &here, sizeof here);
                end[v] = hn::IfThenElse(hn::LoadMaskBits(d, bits), number, end[v]);
            }
        }
        for (std::size_t v = 0; v < together; ++v) hn::StoreU(end[v], d, ends + first + v * lanes);
    }
}

// All functions first, then all splits, then all leaves, so that none waits for another and no branch is unpredictable.
void descend_lanes(const LaneSplits& splits, const double* lanes, LaneSet which, const LaneScratch& scratch,
                   std::int32_t* ends) {
    const Factors<double> factors{splits.weights.data(), splits.inputs.size(), lanes};
    multiply<Fused>(Doubles(), factors, EveryRow{splits.functions.size()}, EveryInput{splits.inputs}, lane_rows,
                    Decide{splits.functions, scratch.sides});
    scratch.rows[0] = which;
    for (const LaneSplit& split : splits.splits) {
        const LaneSet rows = scratch.rows[split.node];
        const LaneSides& sides = scratch.sides[split.function];
        const LaneSet yes = rows & set_of(sides.yes);
        const LaneSet no = rows & set_of(sides.no);
        scratch.rows[split.yes] = yes;
        scratch.rows[split.no] = no;
        for (LaneSet between = rows ^ (yes | no); between != 0; between &= between - 1) [[unlikely]]
            ends[std::countr_zero(between)] = static_cast<std::int32_t>(split.node);
    }
    put_leaves(splits.leaves, scratch.rows, ends);
}

}  // namespace
}  // namespace polyrx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace polyrx {

HWY_EXPORT(to_lanes);
HWY_EXPORT(rows_inside);
HWY_EXPORT(descend_lanes);

void to_lanes(const double* rows, std::size_t count, std::size_t inputs, double* lanes) {
    const auto chosen = HWY_DYNAMIC_DISPATCH(to_lanes);
    chosen(rows, count, inputs, lanes);
}

LaneSet rows_inside(const LaneDomain& domain, const double* lanes) {
    const auto chosen = HWY_DYNAMIC_DISPATCH(rows_inside);
    return chosen(domain, lanes);
}

void descend_lanes(const LaneSplits& splits, const double* lanes, LaneSet which, const LaneScratch& scratch,
                   std::int32_t* ends) {
    const auto chosen = HWY_DYNAMIC_DISPATCH(descend_lanes);
    chosen(splits, lanes, which, scratch, ends);
}

}  // namespace polyrx
#endif  // HWY_ONCE
