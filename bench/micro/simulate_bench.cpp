// SPDX-License-Identifier: Apache-2.0
// Simulated data, in memory.
#include <benchmark/benchmark.h>

#include "bench/micro/rates.hpp"
#include "polyrx/studies/simulate.hpp"

namespace polyrx::bench {
namespace {

constexpr std::size_t rows = 10'000;

void paper(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(simulate_paper(5, {.rows = rows, .truth = true}));
    set_rate(state, "rows/s", rows);
}
BENCHMARK(paper)->Name("simulate/5")->Unit(benchmark::kMillisecond);

void clinic(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(simulate_clinic({.rows = rows, .truth = true}));
    set_rate(state, "rows/s", rows);
}
BENCHMARK(clinic)->Name("simulate/clinic")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace polyrx::bench
