// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/weighted_rows_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyrx/network/weighted_rows_kernel.cpp"
#include "polyrx/core/simd_targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef POLYRX_NETWORK_WEIGHTED_ROWS  // what all targets share
#define POLYRX_NETWORK_WEIGHTED_ROWS
namespace polyrx {

struct WeightedRows {
    const double* matrix;
    std::size_t columns;
    const Eigen::Index* rows;
    std::size_t count;
    const double* weights;
    double* into;
};

}  // namespace polyrx
#endif

HWY_BEFORE_NAMESPACE();
namespace polyrx::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Sums columns first to first + vectors * lanes in registers. Returns the next column.
template <std::size_t vectors, class D>
HWY_INLINE std::size_t add_columns(D d, const WeightedRows& all, std::size_t first) {
    constexpr std::size_t lanes = hn::MaxLanes(d);
    hn::Vec<D> sum[vectors];
    for (std::size_t v = 0; v < vectors; ++v) sum[v] = hn::LoadU(d, all.into + first + v * lanes);
    for (std::size_t i = 0; i < all.count; ++i) {
        const auto number = static_cast<std::size_t>(all.rows[i]);
        const auto weight = hn::Set(d, all.weights[number]);
        const double* row = all.matrix + number * all.columns + first;
        for (std::size_t v = 0; v < vectors; ++v)
            sum[v] = hn::Add(sum[v], hn::Mul(weight, hn::LoadU(d, row + v * lanes)));
    }
    for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum[v], d, all.into + first + v * lanes);
    return first + vectors * lanes;
}

void add_weighted_rows(const WeightedRows& all) {
    const std::size_t columns = all.columns;
    const hn::CappedTag<double, 8> wide;
    const hn::CappedTag<double, 4> four;
    const hn::CappedTag<double, 2> two;
    constexpr std::size_t lanes = hn::MaxLanes(wide);
    std::size_t column = 0;
    while (column + 8 * lanes <= columns) column = add_columns<8>(wide, all, column);
    if (column + 4 * lanes <= columns) column = add_columns<4>(wide, all, column);
    if (column + 2 * lanes <= columns) column = add_columns<2>(wide, all, column);
    if (column + lanes <= columns) column = add_columns<1>(wide, all, column);
    if (column + hn::MaxLanes(four) <= columns) column = add_columns<1>(four, all, column);
    if (column + hn::MaxLanes(two) <= columns) column = add_columns<1>(two, all, column);
    while (column < columns) column = add_columns<1>(hn::CappedTag<double, 1>(), all, column);
}

}  // namespace
}  // namespace polyrx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace polyrx {

HWY_EXPORT(add_weighted_rows);

void add_weighted_rows(const Matrix& matrix, std::span<const Eigen::Index> rows, const double* weights, double* into) {
    const auto chosen = HWY_DYNAMIC_DISPATCH(add_weighted_rows);
    chosen({matrix.data(), static_cast<std::size_t>(matrix.cols()), rows.data(), rows.size(), weights, into});
}

}  // namespace polyrx
#endif  // HWY_ONCE
