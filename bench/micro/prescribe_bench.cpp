// SPDX-License-Identifier: Apache-2.0
// Prescribing on one core, from memory: the network alone, the encoder alone, and both as a user calls them.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

#include "bench/micro/rates.hpp"
#include "polyrx/fit/constrain.hpp"
#include "polyrx/policy/scorer.hpp"
#include "polyrx/policy/tree_scorer.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/studies/simulate.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/random_tree.hpp"

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

// The seconds of a batch, least of some alternating measurements of either way: prepared once for all batches, and
// prepared again for each.
struct BatchSeconds {
    double prepared = std::numeric_limits<double>::infinity();
    double each_time = std::numeric_limits<double>::infinity();
};

template <class Use>
void keep_least(double& least, std::size_t batches, const Use& use) {
    const auto began = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < batches; ++i) use();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
    least = std::min(least, taken.count() / static_cast<double>(batches));
}

// `of_batch` rows at a time; enough batches that a measurement takes about a millisecond.
template <class AnyScorer, class AnyPolicy>
void prepared_and_not(benchmark::State& state, const AnyPolicy& policy, const Table& table, std::size_t of_batch) {
    std::vector<std::size_t> first(of_batch);
    std::iota(first.begin(), first.end(), std::size_t{0});
    const Table batch = table.take(first);
    const AnyScorer scorer(policy);
    const std::size_t batches = of_batch == 1 ? 200 : 4;
    BatchSeconds least;
    for (auto _ : state) {
        keep_least(least.prepared, batches, [&] { benchmark::DoNotOptimize(scorer.prescribe(batch)); });
        keep_least(least.each_time, batches, [&] { benchmark::DoNotOptimize(prescribe(policy, batch)); });
    }
    state.counters["prepared_us"] = 1e6 * least.prepared;
    state.counters["each_time_us"] = 1e6 * least.each_time;
    state.counters["ratio"] = least.each_time / least.prepared;
}

void scorer(benchmark::State& state, Table (*make)(), std::size_t layers, Eigen::Index width, const char* rules,
            std::size_t of_batch) {
    const Table table = make();
    Policy policy = policy_for(table, layers, width);
    if (*rules) policy = constrain(policy, parse_rules(rules, "rules"), "rules", {.rows = &table}).policy;
    prepared_and_not<Scorer>(state, policy, table, of_batch);
}

void tree_scorer(benchmark::State& state, std::size_t leaves, std::size_t of_batch) {
    const Table table = numeric_features();
    Policy policy = policy_for(table, 2, 20);
    Rng rng(1, Draw::test);
    prepared_and_not<TreeScorer>(state, test::random_tree(rng, policy, leaves), table, of_batch);
}

BENCHMARK_CAPTURE(scorer, scorer_2x20_1, numeric_features, 2, 20, "", 1)
    ->Name("scorer/2x20, 20 numeric columns, one row")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scorer, scorer_2x20_1024, numeric_features, 2, 20, "", 1024)
    ->Name("scorer/2x20, 20 numeric columns, 1,024 rows")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scorer, scorer_clinic_1, mixed_features, 2, 20, rules_of_the_clinic, 1)
    ->Name("scorer/2x20, a cohort of mixed types, ten rules, one row")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scorer, scorer_clinic_1024, mixed_features, 2, 20, rules_of_the_clinic, 1024)
    ->Name("scorer/2x20, a cohort of mixed types, ten rules, 1,024 rows")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scorer, scorer_5x100_1, numeric_features, 5, 100, "", 1)
    ->Name("scorer/5x100, 20 numeric columns, one row")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scorer, scorer_5x100_1024, numeric_features, 5, 100, "", 1024)
    ->Name("scorer/5x100, 20 numeric columns, 1,024 rows")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scorer, scorer_5x100_rules_1, numeric_features, 5, 100, rules_of_numbers, 1)
    ->Name("scorer/5x100, 20 numeric columns, ten rules, one row")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scorer, scorer_5x100_rules_1024, numeric_features, 5, 100, rules_of_numbers, 1024)
    ->Name("scorer/5x100, 20 numeric columns, ten rules, 1,024 rows")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tree_scorer, tree_30_1, 30, 1)
    ->Name("scorer/tree of 30 leaves, 2x20, one row")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tree_scorer, tree_30_1024, 30, 1024)
    ->Name("scorer/tree of 30 leaves, 2x20, 1,024 rows")
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
