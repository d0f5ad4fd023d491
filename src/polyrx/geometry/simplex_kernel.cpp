// SPDX-License-Identifier: Apache-2.0
#include "polyrx/geometry/simplex_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyrx/geometry/simplex_kernel.cpp"
#include "polyrx/core/simd_targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace polyrx::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::CappedTag<double, 8>;
using Step = hn::CappedTag<double, dictionary_step>;

template <class D>
HWY_INLINE void exchange_by(D d, const DictionaryLines& dictionary, std::size_t leaving, std::size_t column) {
    constexpr std::size_t lanes = hn::MaxLanes(d);
    double* pivot = dictionary.cells + leaving * dictionary.stride;
    const double inverse = 1 / pivot[column];
    for (std::size_t c = 0; c < dictionary.stride; c += lanes)
        hn::StoreU(hn::Mul(hn::LoadU(d, pivot + c), hn::Set(d, -inverse)), d, pivot + c);
    pivot[column] = inverse;
    for (std::size_t i = 0; i < dictionary.lines; ++i) {
        double* line = dictionary.cells + i * dictionary.stride;
        const double factor = line[column];
        if (i == leaving || factor == 0) continue;
        line[column] = 0;
        for (std::size_t c = 0; c < dictionary.stride; c += lanes) {
            const auto product = hn::Mul(hn::Set(d, factor), hn::LoadU(d, pivot + c));
            hn::StoreU(hn::Add(hn::LoadU(d, line + c), product), d, line + c);
        }
    }
}

// Uses wider vectors only if none straddles two cache lines.
void exchange(const DictionaryLines& dictionary, std::size_t leaving, std::size_t column) {
    if (dictionary.stride % hn::MaxLanes(Wide()) == 0)
        exchange_by(Wide(), dictionary, leaving, column);
    else
        exchange_by(Step(), dictionary, leaving, column);
}

int steepest_column(const double* objective, const double* way, std::size_t stride, double sign, double least) {
    const Step d;
    constexpr std::size_t lanes = hn::MaxLanes(d);
    auto steepest = hn::Set(d, least);
    auto where = hn::Set(d, -1.0);
    auto here = hn::Iota(d, 0.0);
    for (std::size_t column = 0; column < stride; column += lanes) {
        const auto slope =
            hn::Mul(hn::Mul(hn::Set(d, sign), hn::LoadU(d, objective + column)), hn::LoadU(d, way + column));
        const auto steeper = hn::Gt(slope, steepest);
        steepest = hn::IfThenElse(steeper, slope, steepest);
        where = hn::IfThenElse(steeper, here, where);
        here = hn::Add(here, hn::Set(d, static_cast<double>(lanes)));
    }
    double slopes[dictionary_step];
    double columns[dictionary_step];
    hn::StoreU(steepest, d, slopes);
    hn::StoreU(where, d, columns);
    std::size_t best = 0;
    for (std::size_t i = 1; i < lanes; ++i)
        if (slopes[i] > slopes[best] || (slopes[i] == slopes[best] && columns[i] < columns[best])) best = i;
    return static_cast<int>(columns[best]);
}

}  // namespace
}  // namespace polyrx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace polyrx {

HWY_EXPORT(exchange);
HWY_EXPORT(steepest_column);

void exchange(const DictionaryLines& dictionary, std::size_t leaving, std::size_t column) {
    const auto chosen = HWY_DYNAMIC_DISPATCH(exchange);
    chosen(dictionary, leaving, column);
}

int steepest_column(const double* objective, const double* way, std::size_t stride, double sign, double least) {
    const auto chosen = HWY_DYNAMIC_DISPATCH(steepest_column);
    return chosen(objective, way, stride, sign, least);
}

}  // namespace polyrx
#endif  // HWY_ONCE
