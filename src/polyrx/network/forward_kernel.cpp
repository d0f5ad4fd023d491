// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/forward_kernel.hpp"

#include <algorithm>

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

std::vector<LayerBlock> blocks_of(const Layer& layer) {
    std::vector<LayerBlock> blocks;
    const auto inputs = static_cast<std::size_t>(layer.weights.cols());
    for (Eigen::Index neuron = 0; neuron < layer.weights.rows(); ++neuron) {
        const auto weights = layer.weights.row(neuron);
        std::size_t first = 0;
        std::size_t end = inputs;
        while (first < end && weights[static_cast<Eigen::Index>(first)] == 0) ++first;
        while (end > first && weights[static_cast<Eigen::Index>(end - 1)] == 0) --end;
        const bool apart =
            !blocks.empty() && first >= blocks.back().first_input + blocks.back().inputs && blocks.back().inputs > 0;
        if (blocks.empty() || apart) {
            blocks.push_back({static_cast<std::size_t>(neuron), 1, first, end - first});
            continue;
        }
        LayerBlock& block = blocks.back();
        ++block.neurons;
        if (first == end) continue;  // a neuron without weights fits in any block
        const std::size_t block_end = block.inputs == 0 ? end : std::max(block.first_input + block.inputs, end);
        block.first_input = block.inputs == 0 ? first : std::min(block.first_input, first);
        block.inputs = block_end - block.first_input;
    }
    return blocks;
}

void apply_layer(const Layer& layer, const LayerBlock& block, bool relu, std::size_t rows, const double* in,
                 double* out) {
    const auto inputs = static_cast<std::size_t>(layer.weights.cols());
    const Factors<double> factors{.scalars = layer.weights.data() + block.first_neuron * inputs + block.first_input,
                                  .scalar_row = inputs,
                                  .vectors = in + block.first_input * forward_lanes};
    const std::size_t lanes = (rows + 7) / 8 * 8;
    const auto chosen = HWY_DYNAMIC_DISPATCH(apply_layer);
    chosen(factors, block.inputs, block.neurons, layer.bias.data() + block.first_neuron, relu, lanes,
           out + block.first_neuron * forward_lanes);
}

}  // namespace polyrx
#endif  // HWY_ONCE
