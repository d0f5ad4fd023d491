// SPDX-License-Identifier: Apache-2.0
// What this machine can do at this moment, measured in the same run: the limits that the other figures are held to.
#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>

#include "bench/micro/rates.hpp"
#include "polyrx/data/csv_write.hpp"
#include "polyrx/data/simulate.hpp"

namespace polyrx::bench {
namespace {

// Multiply, then add, in vectors of plain x86-64, from registers only; twelve sums hide the latency of both.
template <class T>
void multiply_add_peak(benchmark::State& state) {
    constexpr Eigen::Index lanes = 16 / sizeof(T);
    constexpr int rounds = 1000;
    using Lanes = Eigen::Array<T, lanes, 1>;
    std::array<Lanes, 12> sums;
    sums.fill(Lanes::Zero());
    Lanes factor = Lanes::Constant(T(0.5));
    for (auto _ : state) {
        benchmark::DoNotOptimize(factor);
        for (int round = 0; round < rounds; ++round)
            for (Lanes& sum : sums) sum = sum * factor + factor;
        benchmark::DoNotOptimize(sums);
    }
    set_rate(state, "flop/s", 2.0 * rounds * lanes * sums.size());
}
BENCHMARK(multiply_add_peak<float>)->Name("yardstick/multiply-add, float32 x 4");
BENCHMARK(multiply_add_peak<double>)->Name("yardstick/multiply-add, float64 x 2");

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
