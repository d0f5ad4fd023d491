// SPDX-License-Identifier: Apache-2.0
// Matrix products in vector registers, compiled once per SIMD target. A kernel source defines HWY_TARGET_INCLUDE as
// itself and includes this file. Each element is summed from 0, term by term in order, so vector width and tile shape
// do not change the bits.
//
// Highway's toggle replaces an include guard: each target needs its own copy.

#include <algorithm>
#include <cstddef>

#include "polyrx/core/simd_targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef POLYRX_CORE_TILE_KERNEL_FACTORS  // what all targets share
#define POLYRX_CORE_TILE_KERNEL_FACTORS
namespace polyrx {

// The left factors, of which one at a time is broadcast, and the right factors, which are read as vectors. Element
// (row, column) of the product is the sum over terms of
// scalars[row * scalar_row + terms.scalar_at(term)] * vectors[terms.vector_at(term) + column].
template <class T>
struct Factors {
    const T* scalars;
    std::size_t scalar_row;
    const T* vectors;
};

// Terms at constant strides.
struct EveryTerm {
    std::size_t count;
    std::size_t scalar_term;
    std::size_t vector_term;

    [[nodiscard]] std::size_t size() const { return count; }
    [[nodiscard]] std::size_t scalar_at(std::size_t i) const { return i * scalar_term; }
    [[nodiscard]] std::size_t vector_at(std::size_t i) const { return i * vector_term; }
};

// Rows first, first + 1, ..., first + count - 1.
struct EveryRow {
    std::size_t count;
    std::size_t first = 0;

    [[nodiscard]] std::size_t size() const { return count; }
    std::size_t operator[](std::size_t i) const { return first + i; }
};

}  // namespace polyrx
#endif

#if defined(POLYRX_CORE_TILE_KERNEL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef POLYRX_CORE_TILE_KERNEL_INL_HPP
#undef POLYRX_CORE_TILE_KERNEL_INL_HPP
#else
#define POLYRX_CORE_TILE_KERNEL_INL_HPP
#endif

HWY_BEFORE_NAMESPACE();
namespace polyrx::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The sums of a tile stay in registers: 6 x 4 vectors and the current factors use 32 registers, 6 x 2 use 16.
inline constexpr std::size_t tile_rows = 6;
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) || HWY_ARCH_ARM_A64  // better targets have smaller numbers
inline constexpr std::size_t tile_vectors = 4;
#else
inline constexpr std::size_t tile_vectors = 2;
#endif

// Fused multiply-add where available, for training. Targets that have it agree with each other.
struct Fused {
    template <class V>
    HWY_INLINE V operator()(V left, V right, V sum) const {
        return hn::MulAdd(left, right, sum);
    }
};

// Always two roundings, for policies: all targets agree.
struct MultiplyThenAdd {
    template <class V>
    HWY_INLINE V operator()(V left, V right, V sum) const {
        return hn::Add(sum, hn::Mul(left, right));
    }
};

// The rows of a tile: their indices, the start of their scalars, and their number. Beyond the last row, a tile computes
// that row again and discards it.
template <class T>
struct TileRows {
    std::size_t number[tile_rows];
    const T* scalars[tile_rows];
    std::size_t count;

    template <class Rows>
    HWY_INLINE TileRows(const Factors<T>& factors, const Rows& rows, std::size_t first)
        : count(std::min(tile_rows, rows.size() - first)) {
        for (std::size_t r = 0; r < tile_rows; ++r) {
            number[r] = rows[first + std::min(r, count - 1)];
            scalars[r] = factors.scalars + number[r] * factors.scalar_row;
        }
    }
};

template <std::size_t vectors, class Arithmetic, class D, class T, class Terms, class Finish>
HWY_INLINE void multiply_tile(D d, const TileRows<T>& rows, const T* right_factors, const Terms& terms,
                              std::size_t column, const Finish& finish) {
    using V = hn::Vec<D>;
    const std::size_t lanes = hn::Lanes(d);
    const Arithmetic multiply_add;
    V sums[tile_rows][vectors];
    for (std::size_t r = 0; r < tile_rows; ++r)
        for (std::size_t v = 0; v < vectors; ++v) sums[r][v] = hn::Zero(d);
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const std::size_t scalar_at = terms.scalar_at(i);
        const T* at = right_factors + terms.vector_at(i) + column;
        V right[vectors];
        for (std::size_t v = 0; v < vectors; ++v) right[v] = hn::LoadU(d, at + v * lanes);
        for (std::size_t r = 0; r < tile_rows; ++r) {
            const V left = hn::Set(d, rows.scalars[r][scalar_at]);
            for (std::size_t v = 0; v < vectors; ++v) sums[r][v] = multiply_add(left, right[v], sums[r][v]);
        }
    }
    for (std::size_t r = 0; r < tile_rows; ++r) {
        if (r == rows.count) break;
        for (std::size_t v = 0; v < vectors; ++v) finish(rows.number[r], column + v * lanes, sums[r][v]);
    }
}

// Calls finish(row, column, sums of that column and the next ones) for all columns of the given rows. Columns must be a
// multiple of 64 bytes; if tiles are wider, the last one is narrower. The vectors are read again for each tile's rows,
// so they should fit in the L1 cache.
template <class Arithmetic, class D, class T, class Rows, class Terms, class Finish>
HWY_INLINE void multiply(D d, const Factors<T>& factors, const Rows& rows, const Terms& terms, std::size_t columns,
                         const Finish& finish) {
    constexpr std::size_t vector_bytes = hn::MaxLanes(D()) * sizeof(T);
    constexpr bool wide = tile_vectors * vector_bytes > 64;
    static_assert(wide ? vector_bytes == 64 && tile_vectors <= 4 : 64 % (tile_vectors * vector_bytes) == 0,
                  "some columns would be left out");
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t row = 0; row < rows.size(); row += tile_rows) {
        const TileRows<T> tile(factors, rows, row);
        std::size_t column = 0;
        for (; column + tile_vectors * lanes <= columns; column += tile_vectors * lanes)
            multiply_tile<tile_vectors, Arithmetic>(d, tile, factors.vectors, terms, column, finish);
        if constexpr (wide) {
            const std::size_t left = (columns - column) / lanes;
            if (left == 1) multiply_tile<1, Arithmetic>(d, tile, factors.vectors, terms, column, finish);
            if (left == 2) multiply_tile<2, Arithmetic>(d, tile, factors.vectors, terms, column, finish);
            if (left == 3) multiply_tile<3, Arithmetic>(d, tile, factors.vectors, terms, column, finish);
        }
    }
}

}  // namespace polyrx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggle
