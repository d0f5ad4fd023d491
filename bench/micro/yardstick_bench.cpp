// SPDX-License-Identifier: Apache-2.0
// What this machine can do at this moment, measured in the same run: the limits that the other figures are held to.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>

#include "bench/micro/rates.hpp"
#include "bench/micro/yardstick_kernel.hpp"
#include "polyrx/studies/simulate.hpp"
#include "polyrx/table/io/csv_write.hpp"

namespace polyrx::bench {
namespace {

template <class T>
void arithmetic_peak(benchmark::State& state, double (*arithmetic)(std::size_t, T&)) {
    double flops = 0;
    for (auto _ : state) {
        T sum = 0;
        flops = arithmetic(1000, sum);
        benchmark::DoNotOptimize(sum);
    }
    set_rate(state, "flop/s", flops);
}
BENCHMARK_CAPTURE(arithmetic_peak, fused, fused_multiply_adds)->Name("yardstick/fused multiply-add, float32");
BENCHMARK_CAPTURE(arithmetic_peak, apart, multiplies_then_adds)->Name("yardstick/multiply, then add, float64");

std::string numeric_text() {
    std::string text;
    write_csv(simulate_paper(1, {.rows = 20'000, .truth = true}), [&](std::string_view piece) { text += piece; });
    return text;
}

void count_lines(benchmark::State& state) {
    const std::string text = numeric_text();
    for (auto _ : state) benchmark::DoNotOptimize(std::ranges::count(text, '\n'));
    set_rate(state, "bytes/s", static_cast<double>(text.size()));
}
BENCHMARK(count_lines)->Name("yardstick/count the lines of a CSV text")->Unit(benchmark::kMillisecond);

// The numbers of the same text that the CSV reader gets, and nothing else.
void from_chars_alone(benchmark::State& state) {
    const std::string text = numeric_text();
    const char* const end = text.data() + text.size();
    for (auto _ : state) {
        const char* at = std::strchr(text.data(), '\n') + 1;
        double sum = 0;
        for (double value = 0; at != end; sum += value) at = std::from_chars(at, end, value).ptr + 1;
        benchmark::DoNotOptimize(sum);
    }
    set_rate(state, "bytes/s", static_cast<double>(text.size()));
}
BENCHMARK(from_chars_alone)->Name("yardstick/std::from_chars of every number in it")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace polyrx::bench
