// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/forward_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polyrx/network/forward_kernel.cpp"
#include "polyrx/core/tile_kernel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace polyrx::HWY_NAMESPACE {
namespace {

using Doubles = hn::CappedTag<double, 8>;
using DoubleVector = hn::Vec<Doubles>;

template <bool relu>
struct AddBias {
    const double* bias;
    double* out;
    HWY_INLINE void operator()(std::size_t neuron, std::size_t lane, DoubleVector sums) const {
        const Doubles d;
        DoubleVector value = hn::Add(sums, hn::Set(d, bias[neuron]));
        if constexpr (relu) value = hn::IfThenElseZero(hn::Gt(value, hn::Zero(d)), value);
        hn::StoreU(value, d, out + neuron * forward_lanes + lane);
    }
};

void apply_layer(const Factors<double>& factors, std::size_t inputs, std::size_t neurons, const double* bias, bool relu,
                 std::size_t lanes, double* out) {
    const EveryRow rows{neurons};
    const EveryTerm terms{.count = inputs, .scalar_term = 1, .vector_term = forward_lanes};
    if (relu)
        multiply<MultiplyThenAdd>(Doubles(), factors, rows, terms, lanes, AddBias<true>{bias, out});
    else
        multiply<MultiplyThenAdd>(Doubles(), factors, rows, terms, lanes, AddBias<false>{bias, out});
}

}  // namespace
}  // namespace polyrx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace polyrx {

HWY_EXPORT(apply_layer);

void apply_layer(const Layer& layer, bool relu, std::size_t rows, const double* in, double* out) {
    const auto inputs = static_cast<std::size_t>(layer.weights.cols());
    const Factors<double> factors{.scalars = layer.weights.data(), .scalar_row = inputs, .vectors = in};
    const std::size_t lanes = (rows + 7) / 8 * 8;
    const auto chosen = HWY_DYNAMIC_DISPATCH(apply_layer);
    chosen(factors, inputs, static_cast<std::size_t>(layer.weights.rows()), layer.bias.data(), relu, lanes, out);
}

}  // namespace polyrx
#endif  // HWY_ONCE
