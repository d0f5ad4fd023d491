// SPDX-License-Identifier: Apache-2.0
// What a benchmark reports besides its time: rates per second of CPU time.
#pragma once

#include <benchmark/benchmark.h>

namespace polyrx::bench {

// So much each iteration. Google Benchmark prints k, M and G as powers of 1000.
inline void set_rate(benchmark::State& state, const char* name, double each) {
    state.counters[name] = benchmark::Counter(each, benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace polyrx::bench
