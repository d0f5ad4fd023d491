// SPDX-License-Identifier: Apache-2.0
#include "polyrx/tree/flat_tree_kernel.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyrx/tree/flat_tree_kernel.cpp"
#include "polyrx/core/simd_targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace polyrx::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Adding and subtracting this rounds to a whole number.
constexpr double no_fractions = 0x1.8p52;

void check_bounds(const InputBounds& bounds, const double* rows, unsigned char* inside, std::size_t count) {
    const hn::CappedTag<double, 8> d;
    constexpr std::size_t lanes = hn::MaxLanes(d);
    const std::size_t whole = bounds.inputs / lanes * lanes;
    const auto magic = hn::Set(d, no_fractions);
    for (std::size_t i = 0; i < count; ++i) {
        const double* row = rows + i * bounds.inputs;
        auto good = hn::Eq(magic, magic);
        for (std::size_t j = 0; j < whole; j += lanes) {
            const auto x = hn::LoadU(d, row + j);
            const auto lost = hn::Abs(hn::Sub(hn::Sub(hn::Add(x, magic), magic), x));
            const auto between =
                hn::And(hn::Ge(x, hn::LoadU(d, bounds.lower + j)), hn::Le(x, hn::LoadU(d, bounds.upper + j)));
            good = hn::And(good, hn::And(between, hn::Le(lost, hn::LoadU(d, bounds.fraction + j))));
        }
        bool all = hn::AllTrue(d, good);
        for (std::size_t j = whole; j < bounds.inputs; ++j) {
            const double x = row[j];
            const double lost = std::abs(((x + no_fractions) - no_fractions) - x);
            all = all && x >= bounds.lower[j] && x <= bounds.upper[j] && lost <= bounds.fraction[j];
        }
        inside[i] = all ? 1 : 0;
    }
}

using Four = hn::CappedTag<double, 4>;
constexpr std::size_t sums = 4;
constexpr std::size_t vectors = sums / hn::MaxLanes(Four());  // vectors that hold the four sums

// Several rows at a time, because the sums of a single row would wait for each other.
template <std::size_t together>
HWY_INLINE void values_of(const RunOfTerms& run, const double* rows, std::size_t stride, const std::uint32_t* which,
                          double* values) {
    const Four d;
    constexpr std::size_t lanes = hn::MaxLanes(Four());
    hn::Vec<Four> sum[together][vectors];
    const double* row[together];
    for (std::size_t r = 0; r < together; ++r) {
        row[r] = rows + which[r] * stride;
        for (std::size_t v = 0; v < vectors; ++v) sum[r][v] = hn::Zero(d);
    }
    const std::size_t whole = run.terms / sums * sums;
    for (std::size_t j = 0; j < whole; j += sums)
        for (std::size_t v = 0; v < vectors; ++v) {
            const auto weight = hn::LoadU(d, run.weights + j + v * lanes);
            for (std::size_t r = 0; r < together; ++r)
                sum[r][v] = hn::Add(sum[r][v], hn::Mul(weight, hn::LoadU(d, row[r] + j + v * lanes)));
        }
    for (std::size_t r = 0; r < together; ++r) {
        double single[sums];
        for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum[r][v], d, single + v * lanes);
        for (std::size_t j = whole; j < run.terms; ++j) single[j - whole] += run.weights[j] * row[r][j];
        values[r] = ((single[0] + single[1]) + (single[2] + single[3])) + run.constant;
    }
}

void split_values(const RunOfTerms& run, const double* rows, std::size_t stride, const std::uint32_t* which,
                  std::size_t count, double* values) {
    constexpr std::size_t together = 4;
    std::size_t i = 0;
    for (; i + together <= count; i += together) values_of<together>(run, rows, stride, which + i, values + i);
    for (; i < count; ++i) values_of<1>(run, rows, stride, which + i, values + i);
}

}  // namespace
}  // namespace polyrx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace polyrx {

HWY_EXPORT(check_bounds);
HWY_EXPORT(split_values);

void check_bounds(const InputBounds& bounds, const double* rows, std::span<unsigned char> inside) {
    const auto chosen = HWY_DYNAMIC_DISPATCH(check_bounds);
    chosen(bounds, rows, inside.data(), inside.size());
}

void split_values(const RunOfTerms& run, const double* rows, std::size_t stride, std::span<const std::uint32_t> which,
                  double* values) {
    const auto chosen = HWY_DYNAMIC_DISPATCH(split_values);
    chosen(run, rows, stride, which.data(), which.size(), values);
}

}  // namespace polyrx
#endif  // HWY_ONCE
