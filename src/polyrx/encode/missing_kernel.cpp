// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/missing_kernel.hpp"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyrx/encode/missing_kernel.cpp"
#include "polyrx/core/simd_targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace polyrx::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Processes all whole vectors from `first` on. Sets `finite` to false if a value is infinite. Returns the index of the
// first remaining value.
template <class D>
HWY_INLINE std::size_t fill_vectors(D d, std::span<const double> values, double fill, std::size_t first, bool& finite,
                                    double* filled) {
    constexpr std::size_t lanes = hn::MaxLanes(d);
    const auto infinity = hn::Set(d, std::numeric_limits<double>::infinity());
    const auto instead = hn::Set(d, fill);
    auto largest = hn::Zero(d);
    for (; first + lanes <= values.size(); first += lanes) {
        const auto value = hn::LoadU(d, values.data() + first);
        const auto known = hn::IfThenElse(hn::IsNaN(value), instead, value);
        largest = hn::Max(largest, hn::Abs(known));
        hn::StoreU(known, d, filled + first);
    }
    finite = finite && hn::AllTrue(d, hn::Lt(largest, infinity));
    return first;
}

bool fill_missing(std::span<const double> values, double fill, double* filled) {
    bool finite = true;
    const std::size_t rest = fill_vectors(hn::CappedTag<double, 8>(), values, fill, 0, finite, filled);
    fill_vectors(hn::CappedTag<double, 1>(), values, fill, rest, finite, filled);
    return finite;
}

template <class D>
HWY_INLINE std::size_t mark_vectors(D d, std::span<const double> values, std::size_t first, double* missing) {
    constexpr std::size_t lanes = hn::MaxLanes(d);
    const auto one = hn::Set(d, 1.0);
    for (; first + lanes <= values.size(); first += lanes)
        hn::StoreU(hn::IfThenElseZero(hn::IsNaN(hn::LoadU(d, values.data() + first)), one), d, missing + first);
    return first;
}

void mark_missing(std::span<const double> values, double* missing) {
    const std::size_t rest = mark_vectors(hn::CappedTag<double, 8>(), values, 0, missing);
    mark_vectors(hn::CappedTag<double, 1>(), values, rest, missing);
}

}  // namespace
}  // namespace polyrx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace polyrx {

HWY_EXPORT(fill_missing);
HWY_EXPORT(mark_missing);

bool fill_missing(std::span<const double> values, double fill, double* filled) {
    const auto chosen = HWY_DYNAMIC_DISPATCH(fill_missing);
    return chosen(values, fill, filled);
}

void mark_missing(std::span<const double> values, double* missing) {
    const auto chosen = HWY_DYNAMIC_DISPATCH(mark_missing);
    chosen(values, missing);
}

}  // namespace polyrx
#endif  // HWY_ONCE
