// SPDX-License-Identifier: Apache-2.0
// The product of two matrices in vector registers, compiled once for each SIMD target: a kernel's .cpp defines
// HWY_TARGET_INCLUDE as itself and includes this. Every element is summed from 0, term after term in order, whatever
// the width of the vectors and the shape of the tiles, so that the width changes no bit.
//
// Highway's toggle instead of an include guard: each target needs its own copy.

#include <algorithm>
#include <cstddef>

// SSE4 has nothing for these kernels that SSSE3 lacks, and vectors of unknown length cannot be kept in arrays.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef POLYRX_CORE_TILE_KERNEL_FACTORS  // what all targets share
#define POLYRX_CORE_TILE_KERNEL_FACTORS
namespace polyrx {

// Where the factors lie: element (row, column) of the product is the sum over `terms` of
// scalars[row * scalar_row + term * scalar_term] * vectors[term * vector_term + column].
template <class T>
struct Factors {
    const T* scalars;
    std::size_t scalar_row;
    std::size_t scalar_term;
    const T* vectors;
    std::size_t vector_term;
    std::size_t terms;
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

// A tile's sums stay in registers: 6 x 4 vectors and the factors at hand fill 32 registers, 6 x 2 fill 16.
inline constexpr std::size_t tile_rows = 6;
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) || HWY_ARCH_ARM_A64  // the better a target, the smaller its number
inline constexpr std::size_t tile_vectors = 4;
#else
inline constexpr std::size_t tile_vectors = 2;
#endif

// One rounding where the target has it, for training: the targets that have it agree with each other.
struct Fused {
    template <class V>
    HWY_INLINE V operator()(V left, V right, V sum) const {
        return hn::MulAdd(left, right, sum);
    }
};

// Two roundings everywhere, for a policy: all targets agree.
struct MultiplyThenAdd {
    template <class V>
    HWY_INLINE V operator()(V left, V right, V sum) const {
        return hn::Add(sum, hn::Mul(left, right));
    }
};

// The tile with its first element at (row, column). Rows from `rows` on are computed as the last one again and
// not handed out.
template <std::size_t vectors, class Arithmetic, class D, class T, class Finish>
HWY_INLINE void multiply_tile(D d, const Factors<T>& factors, std::size_t row, std::size_t rows, std::size_t column,
                              const Finish& finish) {
    using V = hn::Vec<D>;
    const std::size_t lanes = hn::Lanes(d);
    const Arithmetic multiply_add;
    const T* scalars[tile_rows];
    V sums[tile_rows][vectors];
    for (std::size_t r = 0; r < tile_rows; ++r) {
        scalars[r] = factors.scalars + std::min(row + r, rows - 1) * factors.scalar_row;
        for (std::size_t v = 0; v < vectors; ++v) sums[r][v] = hn::Zero(d);
    }
    std::size_t scalar_at = 0;
    std::size_t vector_at = column;
    for (std::size_t term = 0; term < factors.terms; ++term) {
        V right[vectors];
        for (std::size_t v = 0; v < vectors; ++v) right[v] = hn::LoadU(d, factors.vectors + vector_at + v * lanes);
        for (std::size_t r = 0; r < tile_rows; ++r) {
            const V left = hn::Set(d, scalars[r][scalar_at]);
            for (std::size_t v = 0; v < vectors; ++v) sums[r][v] = multiply_add(left, right[v], sums[r][v]);
        }
        scalar_at += factors.scalar_term;
        vector_at += factors.vector_term;
    }
    const std::size_t wanted = std::min(tile_rows, rows - row);
    for (std::size_t r = 0; r < tile_rows; ++r) {
        if (r == wanted) break;
        for (std::size_t v = 0; v < vectors; ++v) finish(row + r, column + v * lanes, sums[r][v]);
    }
}

// Calls finish(row, column, sums of that column and the next ones) for the whole product. Columns must be a multiple of
// 64 bytes; where tiles are wider, the last one is narrower. The vectors are walked through for each tile's rows: they
// are expected to stay in the first-level cache.
template <class Arithmetic, class D, class T, class Finish>
HWY_INLINE void multiply(D d, const Factors<T>& factors, std::size_t rows, std::size_t columns, const Finish& finish) {
    constexpr std::size_t vector_bytes = hn::MaxLanes(D()) * sizeof(T);
    constexpr bool wide = tile_vectors * vector_bytes > 64;
    static_assert(wide ? vector_bytes == 64 && tile_vectors <= 4 : 64 % (tile_vectors * vector_bytes) == 0,
                  "some columns would be left out");
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t row = 0; row < rows; row += tile_rows) {
        std::size_t column = 0;
        for (; column + tile_vectors * lanes <= columns; column += tile_vectors * lanes)
            multiply_tile<tile_vectors, Arithmetic>(d, factors, row, rows, column, finish);
        if constexpr (wide) {
            const std::size_t left = (columns - column) / lanes;
            if (left == 1) multiply_tile<1, Arithmetic>(d, factors, row, rows, column, finish);
            if (left == 2) multiply_tile<2, Arithmetic>(d, factors, row, rows, column, finish);
            if (left == 3) multiply_tile<3, Arithmetic>(d, factors, row, rows, column, finish);
        }
    }
}

}  // namespace polyrx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggle
