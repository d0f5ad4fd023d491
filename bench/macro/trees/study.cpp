// SPDX-License-Identifier: Apache-2.0
#include "bench/macro/trees/study.hpp"

#include <cmath>
#include <utility>

#include "polyrx/core/rng.hpp"
#include "polyrx/fit/fit.hpp"
#include "polyrx/studies/simulate.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx::bench {
namespace {

constexpr int treatments = 3;

Layer random_layer(Rng& rng, Eigen::Index neurons, Eigen::Index inputs) {
    return {test::random_matrix(rng, neurons, inputs) * (1.4 / std::sqrt(static_cast<double>(inputs))),
            0.3 * test::random_matrix(rng, neurons, 1).col(0)};
}

Layer sparse_layer(Rng& rng, Eigen::Index neurons, Eigen::Index inputs) {
    Layer layer{Matrix::Zero(neurons, inputs), 0.3 * test::random_matrix(rng, neurons, 1).col(0)};
    for (Eigen::Index i = 0; i < neurons; ++i) {
        const auto input = static_cast<Eigen::Index>(rng.below(static_cast<std::uint64_t>(inputs)));
        layer.weights(i, input) = 1.4 * rng.normal();
    }
    return layer;
}

// Features x1.. of the paper's data; beyond its 20, those of another draw.
Table with_inputs(const Table& table, int dataset, int inputs, std::size_t rows) {
    const Table more = simulate_paper(dataset, {.rows = rows, .seed = 2});
    std::vector<Column> columns;
    for (int i = 0; i < inputs; ++i) {
        constexpr int own = 20;
        const Table& from = i < own ? table : more;
        Column column = from.columns()[static_cast<std::size_t>(i % own)];
        column.name = "x" + std::to_string(i + 1);
        columns.push_back(std::move(column));
    }
    for (const Column& column : table.columns())
        if (column.name == "treatment" || column.name == "outcome") columns.push_back(column);
    return Table(std::move(columns));
}

}  // namespace

Study random_study(const RandomNetwork& network, std::size_t rows) {
    Rng rng(network.seed, Draw::test);
    Study study;
    std::vector<Layer> layers;
    Eigen::Index width = network.inputs;
    for (const int neurons : network.hidden) {
        const bool sparse = network.sparse && layers.empty();
        layers.push_back(sparse ? sparse_layer(rng, neurons, width) : random_layer(rng, neurons, width));
        width = neurons;
    }
    layers.push_back(random_layer(rng, treatments, width));
    study.policy.network = ReluNetwork(std::move(layers));
    std::vector<Feature> features;
    std::vector<Column> columns;
    for (int i = 0; i < network.inputs; ++i) {
        const bool binary = network.binary && network.inputs >= 20 && i >= network.inputs / 2;
        const std::string name = "x" + std::to_string(i + 1);
        features.push_back(
            {.name = name, .integer = binary, .lower = binary ? 0.0 : -2.0, .upper = binary ? 1.0 : 2.0});
        NumericColumn values;
        for (std::size_t row = 0; row < rows; ++row)
            values.values.push_back(binary ? static_cast<double>(rng.below(2)) : rng.uniform(-2, 2));
        columns.push_back({name, std::move(values)});
    }
    study.rows = Table(std::move(columns));
    study.policy.encoder = Encoder(std::move(features));
    for (int k = 0; k < treatments; ++k) study.policy.treatments.push_back(std::to_string(k));
    return study;
}

Study fitted_study(const FittedNetwork& network, std::size_t rows) {
    FitOptions options = recipe_options(network.recipe == "paper" ? Recipe::paper : Recipe::fast);
    if (!network.hidden.empty()) options.network.hidden = network.hidden;
    const bool clinic = network.data == "clinic";
    Table table = clinic ? simulate_clinic({.rows = rows}) : simulate_paper(std::stoi(network.data), {.rows = rows});
    if (!clinic && network.inputs > 0) table = with_inputs(table, std::stoi(network.data), network.inputs, rows);
    const Schema schema = clinic ? clinic_schema() : Schema{};
    const Observations observations = observe(table, {.treatment = "treatment", .outcome = "outcome"}, schema);
    return {fit(observations, options, schema).policy, observations.features};
}

}  // namespace polyrx::bench
