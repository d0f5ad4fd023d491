// SPDX-License-Identifier: Apache-2.0
#include "bench/micro/yardstick_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/micro/yardstick_kernel.cpp"
#include "polyrx/core/tile_kernel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace polyrx::HWY_NAMESPACE {
namespace {

// Twelve sums hide the latency of two ports.
template <class Arithmetic, class D, class T>
double arithmetic_alone(D d, std::size_t rounds, T& sum) {
    const Arithmetic multiply_add;
    const auto factor = hn::Set(d, T(0.5) + sum);
    hn::Vec<D> sums[12];
    for (auto& one : sums) one = factor;
    for (std::size_t round = 0; round < rounds; ++round)
        for (auto& one : sums) one = multiply_add(one, factor, factor);
    for (std::size_t i = 1; i < std::size(sums); ++i) sums[0] = hn::Add(sums[0], sums[i]);
    sum = hn::GetLane(sums[0]);
    return 2.0 * static_cast<double>(rounds * std::size(sums) * hn::Lanes(d));
}

double fused_multiply_adds(std::size_t rounds, float& sum) {
    return arithmetic_alone<Fused>(hn::CappedTag<float, 16>(), rounds, sum);
}

double multiplies_then_adds(std::size_t rounds, double& sum) {
    return arithmetic_alone<MultiplyThenAdd>(hn::CappedTag<double, 8>(), rounds, sum);
}

}  // namespace
}  // namespace polyrx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace polyrx {

HWY_EXPORT(fused_multiply_adds);
HWY_EXPORT(multiplies_then_adds);

double bench::fused_multiply_adds(std::size_t rounds, float& sum) {
    return HWY_DYNAMIC_DISPATCH(fused_multiply_adds)(rounds, sum);
}

double bench::multiplies_then_adds(std::size_t rounds, double& sum) {
    return HWY_DYNAMIC_DISPATCH(multiplies_then_adds)(rounds, sum);
}

}  // namespace polyrx
#endif  // HWY_ONCE
