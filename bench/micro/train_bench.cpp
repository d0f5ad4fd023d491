// SPDX-License-Identifier: Apache-2.0
// One step of training in the paper's shape (Section 5.2): 20 inputs, 5x100, batches of 64.
#include <benchmark/benchmark.h>

#include "bench/micro/rates.hpp"
#include "polyrx/train/flush_denormals.hpp"
#include "polyrx/train/gradient/batch_gradient.hpp"
#include "polyrx/train/step/adam.hpp"
#include "polyrx/train/train_kernel.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx::bench {
namespace {

constexpr std::size_t batch = 64;

struct Step {
    ParameterLayout layout{{20, 100, 100, 100, 100, 100, 3}};
    AlignedFloats parameters = initial_parameters(layout, 1);
    AlignedFloats gradient = AlignedFloats(layout.size());
    TrainingRows rows;

    Step() {
        Rng rng(1, Draw::test);
        rows.inputs = test::random_matrix_f(rng, batch, 20);
        for (std::size_t i = 0; i < batch; ++i) {
            rows.treatment.push_back(static_cast<int>(rng.below(3)));
            rows.outcome.push_back(static_cast<float>(rng.normal()));
            rows.weight.push_back(1);
        }
    }

    // Of the three products of each layer: its values, the gradient of its weights, and that of its inputs, which the
    // first layer does not need.
    [[nodiscard]] double flops() const {
        double sum = 0;
        for (std::size_t layer = 0; layer < layout.layers(); ++layer) {
            const LayerShape& shape = layout.shape(layer);
            sum += (layer == 0 ? 2 : 3) * 2.0 * static_cast<double>(batch * shape.inputs * shape.neurons);
        }
        return sum;
    }
};

void whole_step(benchmark::State& state) {
    Step step;
    Backprop backprop(step.layout);
    AdamMoments moments = no_moments(step.layout);
    std::int64_t taken = 0;
    const FlushDenormals guard;
    for (auto _ : state) {
        benchmark::DoNotOptimize(batch_gradient(backprop, step.parameters, step.rows, {0, batch}, 1e-4, step.gradient));
        adam_step(step.layout, {1e-3, 0}, ++taken, step.gradient, step.parameters, moments);
    }
    set_rate(state, "rows/s", static_cast<double>(batch));
    set_rate(state, "flop/s", step.flops());
}
BENCHMARK(whole_step)->Name("train/step of 5x100")->Unit(benchmark::kMicrosecond);

void adam_alone(benchmark::State& state) {
    Step step;
    Backprop backprop(step.layout);
    AdamMoments moments = no_moments(step.layout);
    std::int64_t taken = 0;
    const FlushDenormals guard;
    (void)batch_gradient(backprop, step.parameters, step.rows, {0, batch}, 1e-4, step.gradient);
    for (auto _ : state) adam_step(step.layout, {1e-3, 0}, ++taken, step.gradient, step.parameters, moments);
    set_rate(state, "weights/s", static_cast<double>(step.layout.size()));
}
BENCHMARK(adam_alone)->Name("train/Adam alone of the same step")->Unit(benchmark::kMicrosecond);

// One layer of 100 x 100 by each of the three kernels.
struct OneLayer {
    static constexpr LayerShape shape{100, 100};
    AlignedFloats parameters = random((shape.inputs + 1) * padded(shape.neurons));
    AlignedFloats gradient = AlignedFloats(parameters.size());
    AlignedFloats in = random(padded(shape.inputs + 1) * batch_lanes);
    AlignedFloats out = random(padded(shape.neurons) * batch_lanes);
    AlignedFloats scratch = AlignedFloats(out.size());
    std::vector<LiveNeuron> all;

    OneLayer() {
        for (std::size_t input = 0; input <= shape.inputs; ++input) all.emplace_back(input, shape.neurons);
    }
    [[nodiscard]] Live live() const { return {all.data(), shape.inputs}; }  // as many neurons as inputs

    static AlignedFloats random(std::size_t size) {
        Rng rng(size, Draw::test);
        AlignedFloats values(size);
        for (float& value : values) value = static_cast<float>(rng.normal());
        return values;
    }
};

template <class Kernel>
void one_layer(benchmark::State& state, Kernel kernel) {
    OneLayer layer;
    for (auto _ : state) {
        kernel(layer);
        benchmark::ClobberMemory();
    }
    set_rate(state, "flop/s", 2.0 * batch * layer.shape.inputs * layer.shape.neurons);
}
BENCHMARK_CAPTURE(one_layer, forward,
                  [](OneLayer& l) {
                      forward_layer(LayerPart(l.shape), batch, l.parameters.data(), l.in.data(), l.all, true,
                                    l.out.data());
                  })
    ->Name("train/layer of 100 x 100, forward")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(one_layer, weight_gradient,
                  [](OneLayer& l) {
                      weight_gradient(LayerPart(l.shape), batch, l.in.data(), l.all, l.out.data(), false,
                                      l.scratch.data(), l.gradient.data());
                  })
    ->Name("train/layer of 100 x 100, weight gradient")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(one_layer, input_gradient,
                  [](OneLayer& l) {
                      input_gradient(LayerPart(l.shape), batch, l.parameters.data(), l.out.data(), l.live(),
                                     l.in.data(), l.live(), l.scratch.data());
                  })
    ->Name("train/layer of 100 x 100, input gradient")
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace polyrx::bench
