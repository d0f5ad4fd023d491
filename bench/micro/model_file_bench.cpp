// SPDX-License-Identifier: Apache-2.0
// The model file of the paper's network (5x100), to and from its text, and the hash that guards it.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/micro/rates.hpp"
#include "polyrx/core/sha256.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/studies/simulate.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx::bench {
namespace {

Policy paper_policy() {
    const Table table = simulate_paper(1, {.rows = 100});
    std::vector<std::string> features;
    for (int i = 1; i <= 20; ++i) features.push_back("x" + std::to_string(i));
    Policy policy;
    policy.encoder = make_encoder(table.select(features));
    Rng rng(1, Draw::test);
    policy.network = test::random_network(rng, {20, 100, 100, 100, 100, 100, 2});
    policy.treatments = {"0", "1"};
    return policy;
}

void save(benchmark::State& state) {
    const Policy policy = paper_policy();
    std::size_t bytes = 0;
    for (auto _ : state) {
        const std::string json = to_json(policy);
        benchmark::DoNotOptimize(json.data());
        bytes = json.size();
    }
    set_rate(state, "bytes/s", static_cast<double>(bytes));
}
BENCHMARK(save)->Name("model file/to JSON, 5x100")->Unit(benchmark::kMillisecond);

void load(benchmark::State& state) {
    const std::string json = to_json(paper_policy());
    for (auto _ : state) benchmark::DoNotOptimize(parse_model(json, "model.json"));
    set_rate(state, "bytes/s", static_cast<double>(json.size()));
}
BENCHMARK(load)->Name("model file/from JSON, 5x100")->Unit(benchmark::kMillisecond);

void hash(benchmark::State& state) {
    const std::string bytes(std::size_t{1} << 20, 'x');
    for (auto _ : state) benchmark::DoNotOptimize(sha256_hex(bytes));
    set_rate(state, "bytes/s", static_cast<double>(bytes.size()));
}
BENCHMARK(hash)->Name("SHA-256 of a megabyte")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace polyrx::bench
