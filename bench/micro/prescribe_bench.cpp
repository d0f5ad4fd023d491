// SPDX-License-Identifier: Apache-2.0
// Prescribing on one core, from memory: the network alone, the encoder alone, and both as a user calls them.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <iterator>

#include "bench/micro/rates.hpp"
#include "polyrx/fit/constrain.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/studies/simulate.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx::bench {
namespace {

constexpr std::size_t rows = 1 << 14;
constexpr double target_rows = 1e6;  // for 2x20

Table features_of(const Table& table) {
    std::vector<Column> columns;
    std::ranges::copy_if(table.columns(), std::back_inserter(columns),
                         [](const Column& column) { return column.name != "treatment" && column.name != "outcome"; });
    return Table(std::move(columns));
}

Table numeric_features() {
    return features_of(simulate_paper(1, {.rows = rows}));
}

Table mixed_features() {
    return features_of(simulate_clinic({.rows = rows}));
}

ReluNetwork network_of(std::size_t layers, Eigen::Index width, Eigen::Index inputs) {
    std::vector<Eigen::Index> widths(layers + 2, width);
    widths.front() = inputs;
    widths.back() = 2;
    Rng rng(1, Draw::test);
    return test::random_network(rng, widths);
}

double flops_per_row(const ReluNetwork& network) {
    double flops = 0;
    for (const Layer& layer : network.layers()) flops += 2.0 * static_cast<double>(layer.weights.size());
    return flops;
}

void set_rates(benchmark::State& state, const ReluNetwork& network) {
    set_rate(state, "rows/s", rows);
    set_rate(state, "flop/s", rows * flops_per_row(network));
    if (network.layers().size() == 3) set_rate(state, "of_target", rows / target_rows);
}

void forward_and_argmin(benchmark::State& state, std::size_t layers, Eigen::Index width) {
    const Table table = numeric_features();
    const Matrix encoded = make_encoder(table).encode(table);
    const ReluNetwork network = network_of(layers, width, encoded.cols());
    for (auto _ : state) benchmark::DoNotOptimize(argmin_rows(forward(network, encoded)));
    set_rates(state, network);
}
BENCHMARK_CAPTURE(forward_and_argmin, 2x20, 2, 20)
    ->Name("prescribe/network 2x20 on 20 encoded inputs")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(forward_and_argmin, 5x100, 5, 100)
    ->Name("prescribe/network 5x100 on 20 encoded inputs")
    ->Unit(benchmark::kMillisecond);

Policy policy_for(const Table& table, std::size_t layers, Eigen::Index width) {
    Policy policy;
    policy.encoder = make_encoder(table);
    policy.network = network_of(layers, width, static_cast<Eigen::Index>(policy.encoder.columns().size()));
    policy.treatments = {"A", "B"};
    return policy;
}

void whole(benchmark::State& state, Table (*make)(), std::size_t layers, Eigen::Index width, const char* rules) {
    const Table table = make();
    Policy policy = policy_for(table, layers, width);
    if (*rules) policy = constrain(policy, parse_rules(rules, "rules"), "rules", {.rows = &table}).policy;
    for (auto _ : state) benchmark::DoNotOptimize(prescribe(policy, table, {.threads = 1}));
    set_rates(state, policy.network);
}

// As a guideline would have them: some comparisons, categories, a sum.
constexpr const char* rules_of_numbers =
    "if x1 > 2 then not A\n"
    "if x2 < -2 and x3 > 1 then not A\n"
    "if x4 + 0.5*x5 > 3 then not A\n"
    "if x6 > 2 or x7 < -2.5 then not A\n"
    "if -0.01 <= x8 < 0.01 then not A\n"
    "if x9 > 1.5 and x10 > 1.5 then not A\n"
    "if not (x11 < 2.5) then not A\n"
    "if x12 = 0 then not A\n"
    "if x13 - x14 > 4 then not A\n"
    "if x15 > 2 and (x16 > 1 or x17 < -1) then not A\n";
constexpr const char* rules_of_the_clinic =
    "if age >= 80 then not A\n"
    "if egfr < 40 and age > 65 then not A\n"
    "if sex = F and pain_at_start >= 9 then not A\n"
    "if 0.5*weight + age > 120 then not A\n"
    "if metabolizer = poor or alt > 100 then not A\n"
    "if 180 <= systolic_bp < 200 then not A\n"
    "if smoker = yes and diabetes = yes then not A\n"
    "if not (egfr >= 30) then not A\n"
    "if weight < 45 then not A\n"
    "if diabetes = yes and (alt > 80 or age > 75) then not A\n";

BENCHMARK_CAPTURE(whole, 2x20, numeric_features, 2, 20, "")
    ->Name("prescribe/whole, 2x20, 20 numeric columns")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole, 2x20_rules, numeric_features, 2, 20, rules_of_numbers)
    ->Name("prescribe/whole, 2x20, 20 numeric columns, ten rules")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole, 5x100, numeric_features, 5, 100, "")
    ->Name("prescribe/whole, 5x100, 20 numeric columns")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole, 5x100_rules, numeric_features, 5, 100, rules_of_numbers)
    ->Name("prescribe/whole, 5x100, 20 numeric columns, ten rules")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole, clinic, mixed_features, 2, 20, "")
    ->Name("prescribe/whole, 2x20, a cohort of mixed types")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole, clinic_rules, mixed_features, 2, 20, rules_of_the_clinic)
    ->Name("prescribe/whole, 2x20, a cohort of mixed types, ten rules")
    ->Unit(benchmark::kMillisecond);

void encode(benchmark::State& state, Table (*make)()) {
    const Table table = make();
    const Encoder encoder = make_encoder(table);
    for (auto _ : state) benchmark::DoNotOptimize(encoder.encode(table));
    set_rate(state, "rows/s", rows);
    set_rate(state, "bytes/s", static_cast<double>(rows * encoder.columns().size() * sizeof(double)));
}
BENCHMARK_CAPTURE(encode, numeric, numeric_features)->Name("encode/20 numeric columns")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode, mixed, mixed_features)->Name("encode/a cohort of mixed types")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace polyrx::bench
