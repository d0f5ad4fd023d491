// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/half_space_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyrx/rules/half_space_kernel.cpp"
#include "polyrx/core/simd_targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace polyrx::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;

// `sum_at(row)` is the sum of the terms for a vector of rows starting at `row`.
template <bool strict, class SumAt>
HWY_INLINE void mark(double constant, std::size_t rows, SumAt sum_at, std::uint8_t* holds) {
    const Doubles d;
    constexpr std::size_t lanes = hn::MaxLanes(d);
    static_assert(InputColumns::multiple % 8 == 0 && 8 % lanes == 0);
    const auto zero = hn::Zero(d);
    for (std::size_t first = 0; first < rows; first += 8) {
        unsigned byte = 0;
        for (std::size_t lane = 0; lane < 8; lane += lanes) {
            const auto value = hn::Add(sum_at(first + lane), hn::Set(d, constant));
            std::uint8_t bits[8];  // StoreMaskBits() may write 8 bytes
            hn::StoreMaskBits(d, strict ? hn::Gt(value, zero) : hn::Ge(value, zero), bits);
            byte |= static_cast<unsigned>(bits[0]) << lane;
        }
        holds[first / 8] = static_cast<std::uint8_t>(byte);
    }
}

template <bool strict>
void mark(const HalfSpace& half_space, const InputColumns& columns, std::uint8_t* holds) {
    const Doubles d;
    if (half_space.terms.size() == 1) {  // the most common case
        const double* input = columns[half_space.terms.front().input];
        const auto weight = hn::Set(d, half_space.terms.front().weight);
        const auto product_at = [&](std::size_t row) HWY_ATTR { return hn::Mul(weight, hn::LoadU(d, input + row)); };
        return mark<strict>(half_space.constant, columns.rows(), product_at, holds);
    }
    const auto sum_at = [&](std::size_t row) HWY_ATTR {
        auto sum = hn::Zero(d);
        for (const HalfSpace::Term& term : half_space.terms)
            sum = hn::Add(sum, hn::Mul(hn::Set(d, term.weight), hn::LoadU(d, columns[term.input] + row)));
        return sum;
    };
    mark<strict>(half_space.constant, columns.rows(), sum_at, holds);
}

void mark_half_space(const HalfSpace& half_space, const InputColumns& columns, std::uint8_t* holds) {
    half_space.strict ? mark<true>(half_space, columns, holds) : mark<false>(half_space, columns, holds);
}

}  // namespace
}  // namespace polyrx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace polyrx {

HWY_EXPORT(mark_half_space);

void mark_half_space(const HalfSpace& half_space, const InputColumns& columns, std::uint8_t* holds) {
    const auto chosen = HWY_DYNAMIC_DISPATCH(mark_half_space);
    chosen(half_space, columns, holds);
}

}  // namespace polyrx
#endif  // HWY_ONCE
