// SPDX-License-Identifier: Apache-2.0
// One step of training in the paper's shape (Section 5.2): 20 inputs, 5x100, batches of 64.
#include <benchmark/benchmark.h>

#include "bench/micro/rates.hpp"
#include "polyrx/train/adam.hpp"
#include "polyrx/train/backprop.hpp"
#include "polyrx/train/flush_denormals.hpp"
#include "polyrx/train/multiply.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx::bench {
namespace {

constexpr Eigen::Index batch = 64;

struct Step {
    ParameterLayout layout{{20, 100, 100, 100, 100, 100, 2}};
    std::vector<float> parameters = initial_parameters(layout, 1);
    std::vector<float> gradient = std::vector<float>(layout.size());
    MatrixF inputs;
    std::vector<int> treatment;
    std::vector<float> outcome;
    std::vector<float> weight = std::vector<float>(batch, 1.0F);

    Step() {
        Rng rng(1, Draw::test);
        inputs = test::random_matrix_f(rng, batch, 20);
        for (Eigen::Index i = 0; i < batch; ++i) {
            treatment.push_back(static_cast<int>(rng.below(2)));
            outcome.push_back(static_cast<float>(rng.normal()));
        }
    }

    [[nodiscard]] Lessons lessons() const { return {treatment, outcome, weight}; }

    // Of the three products of each layer: its values, the gradient of its weights, and that of its inputs, which the
    // first layer does not need.
    [[nodiscard]] double flops() const {
        double sum = 0;
        for (std::size_t layer = 0; layer < layout.layers(); ++layer)
            sum +=
                (layer == 0 ? 2 : 3) * 2.0 * static_cast<double>(batch * layout.inputs(layer) * layout.neurons(layer));
        return sum;
    }
};

void whole_step(benchmark::State& state) {
    Step step;
    Backprop backprop(step.layout);
    Adam adam(step.layout, 0);
    const FlushDenormals guard;
    for (auto _ : state) {
        benchmark::DoNotOptimize(backprop.gradient(step.parameters, step.inputs, step.lessons(), 1e-4, step.gradient));
        adam.step(step.parameters, step.gradient, 1e-3);
    }
    set_rate(state, "rows/s", static_cast<double>(batch));
    set_rate(state, "flop/s", step.flops());
}
BENCHMARK(whole_step)->Name("train/step of 5x100")->Unit(benchmark::kMicrosecond);

void adam_alone(benchmark::State& state) {
    Step step;
    Backprop backprop(step.layout);
    Adam adam(step.layout, 0);
    const FlushDenormals guard;
    (void)backprop.gradient(step.parameters, step.inputs, step.lessons(), 1e-4, step.gradient);
    for (auto _ : state) adam.step(step.parameters, step.gradient, 1e-3);
    set_rate(state, "weights/s", static_cast<double>(step.layout.size()));
}
BENCHMARK(adam_alone)->Name("train/Adam alone of the same step")->Unit(benchmark::kMicrosecond);

void product(benchmark::State& state) {
    Rng rng(1, Draw::test);
    const MatrixF a = test::random_matrix_f(rng, batch, 100);
    const MatrixF b = test::random_matrix_f(rng, 100, 100);
    MatrixF ab(batch, 100);
    for (auto _ : state) {
        multiply(a, b, ab);
        benchmark::DoNotOptimize(ab.data());
        benchmark::ClobberMemory();
    }
    set_rate(state, "flop/s", 2.0 * batch * 100 * 100);
}
BENCHMARK(product)->Name("train/product of 64 x 100 and 100 x 100")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace polyrx::bench
