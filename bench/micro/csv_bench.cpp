// SPDX-License-Identifier: Apache-2.0
// CSV from and to memory: numbers only, and a cohort of mixed types with missing cells.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/micro/rates.hpp"
#include "polyrx/studies/simulate.hpp"
#include "polyrx/table/io/csv_read.hpp"
#include "polyrx/table/io/csv_write.hpp"

namespace polyrx::bench {
namespace {

Table numeric_table() {
    return simulate_paper(1, {.rows = 20'000, .truth = true});
}

Table mixed_table() {
    return simulate_clinic({.rows = 50'000, .truth = true});
}

std::string text_of(const Table& table) {
    std::string text;
    write_csv(table, [&](std::string_view piece) { text += piece; });
    return text;
}

constexpr double target_bytes = 100e6;

void read(benchmark::State& state, Table (*make)()) {
    const std::string text = text_of(make());
    for (auto _ : state) benchmark::DoNotOptimize(parse_csv(text, "bench.csv"));
    set_rate(state, "bytes/s", static_cast<double>(text.size()));
    set_rate(state, "of_target", static_cast<double>(text.size()) / target_bytes);
}
BENCHMARK_CAPTURE(read, numeric, numeric_table)->Name("csv/read 25 columns of numbers")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, mixed, mixed_table)->Name("csv/read a cohort of mixed types")->Unit(benchmark::kMillisecond);

void write(benchmark::State& state, Table (*make)()) {
    const Table table = make();
    std::size_t bytes = 0;
    for (auto _ : state) {
        bytes = 0;
        write_csv(table, [&](std::string_view piece) { bytes += piece.size(); });
        benchmark::DoNotOptimize(bytes);
    }
    set_rate(state, "bytes/s", static_cast<double>(bytes));
}
BENCHMARK_CAPTURE(write, numeric, numeric_table)
    ->Name("csv/write 25 columns of numbers")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write, mixed, mixed_table)->Name("csv/write a cohort of mixed types")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace polyrx::bench
