// SPDX-License-Identifier: Apache-2.0
// Writes down one training run step by step, so that steps.py can repeat it in PyTorch: the rows, the initial weights,
// the order of the rows, and the loss of each batch before its step.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/error.hpp"
#include "polyrx/core/json/json.hpp"
#include "polyrx/core/matrix.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/encode/encoder.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/studies/simulate.hpp"
#include "polyrx/study/observations.hpp"
#include "polyrx/train/train.hpp"

namespace {

using namespace polyrx;

constexpr std::size_t steps_compared = 200;
constexpr std::uint64_t seed = 1;

// One way of training; TrainOptions' defaults are `--recipe paper`.
struct Case {
    std::string name;
    std::size_t rows = 0;
    bool weighted = false;
    TrainOptions options{};
};

std::vector<Case> cases() {
    constexpr std::size_t paper = 10'000;       // 157 batches an epoch, the last of 16 rows: 200 steps see a reshuffle
    constexpr std::size_t four_epochs = 3'200;  // of 50 batches: 200 steps follow a schedule to its end
    std::vector<Case> all;
    const auto add = [&](const char* name, std::size_t rows) -> Case& {
        return all.emplace_back(Case{.name = name, .rows = rows});
    };
    add("paper", paper);
    add("weighted", paper).weighted = true;
    add("decay", paper).options.weight_decay = 0.3;
    add("cosine", four_epochs).options.schedule = Schedule::cosine;
    add("linear", four_epochs).options.schedule = Schedule::linear;
    add("partial", 1'007).options.batch = 50;  // the last batch of each epoch has 7 rows
    add("mu-0.1", paper).options.mu = 0.1;

    Case& together = add("together", 3'000);
    together.weighted = true;
    together.options.hidden = {100, 50, 30};
    together.options.mu = 0.01;
    together.options.learning_rate = 3e-3;
    together.options.schedule = Schedule::cosine;
    together.options.weight_decay = 0.3;
    return all;
}

Case find_case(std::string_view name) {
    for (const Case& one : cases()) {
        if (one.name == name) return one;
    }
    throw usage_error("there is no case '" + std::string(name) + "'; --list shows them");
}

// (x - mean) / sd of each column over these rows (divisor n), in float64, then rounded to float32.
MatrixF standardize(const Matrix& inputs) {
    const Matrix centered = inputs.rowwise() - inputs.colwise().mean();
    const Eigen::RowVectorXd sd = centered.array().square().colwise().mean().sqrt().matrix();
    return (centered.array().rowwise() / sd.array()).matrix().cast<float>();
}

// Uneven, some of them 0, with mean 1.
std::vector<float> uneven_weights(std::size_t rows) {
    Rng rng(seed, Draw::test);
    std::vector<double> weights(rows);
    double sum = 0;
    for (double& weight : weights) sum += weight = rng.bernoulli(0.1) ? 0.0 : rng.uniform(0.2, 2.0);
    std::vector<float> scaled;
    for (const double weight : weights) scaled.push_back(static_cast<float>(weight * static_cast<double>(rows) / sum));
    return scaled;
}

TrainingRows training_rows(const Observations& observations, bool weighted) {
    const std::size_t rows = observations.rows();
    return {.inputs = standardize(make_encoder(observations.features).encode(observations.features)),
            .treatment = observations.treatment,
            .outcome = {observations.outcome.begin(), observations.outcome.end()},
            .weight = weighted ? uneven_weights(rows) : std::vector<float>(rows, 1.0F)};
}

template <class AnyMatrix>
Json nested(const AnyMatrix& matrix) {
    Json rows = Json::array();
    for (const auto& row : matrix.rowwise()) rows.push_back(std::vector(row.begin(), row.end()));
    return rows;
}

Json initial_layers(const TrainingRows& rows, TrainOptions options) {
    options.epochs = 0;
    const Trained untrained = train(rows, nullptr, options);
    Json layers = Json::array();
    for (const Layer& layer : untrained.network.layers()) {
        layers.push_back(
            {{"weights", nested(layer.weights)}, {"bias", std::vector(layer.bias.begin(), layer.bias.end())}});
    }
    return layers;
}

Json record(int dataset, const Case& how) {
    const Table table = simulate_paper(dataset, {.rows = how.rows, .seed = seed});
    Roles roles;
    roles.treatment = "treatment";
    roles.outcome = "outcome";
    const Observations observations = observe(table, roles);
    const TrainingRows rows = training_rows(observations, how.weighted);

    const std::size_t batch = static_cast<std::size_t>(how.options.batch);
    const std::size_t batches = (how.rows + batch - 1) / batch;
    TrainOptions options = how.options;
    options.treatments = static_cast<int>(observations.treatments.size());
    options.epochs = static_cast<int>((steps_compared + batches - 1) / batches);
    options.seed = seed;

    Json orders = Json::array();
    for (int epoch = 0; epoch < options.epochs; ++epoch) orders.push_back(epoch_order(how.rows, seed, epoch));
    const Json initial = initial_layers(rows, options);

    std::vector<double> losses;
    options.on_step = [&](double loss) {
        if (losses.size() < steps_compared) losses.push_back(loss);
    };
    (void)train(rows, nullptr, options);

    return {{"dataset", dataset},
            {"case", how.name},
            {"options",
             {{"treatments", options.treatments},
              {"mu", options.mu},
              {"epochs", options.epochs},
              {"batch", options.batch},
              {"learning_rate", options.learning_rate},
              {"schedule", name_of(options.schedule)},
              {"weight_decay", options.weight_decay}}},
            {"inputs", nested(rows.inputs)},
            {"treatment", rows.treatment},
            {"outcome", rows.outcome},
            {"weight", rows.weight},
            {"layers", initial},
            {"orders", orders},
            {"losses", losses}};
}

int run(const std::vector<std::string>& arguments) {
    if (arguments.size() == 1 && arguments[0] == "--list") {
        for (const Case& one : cases()) std::cout << one.name << '\n';
        return 0;
    }
    if (arguments.size() != 2) throw usage_error("usage: parity_steps DATASET CASE > run.json, or parity_steps --list");
    std::cout << record(std::stoi(arguments[0]), find_case(arguments[1])).dump() << '\n';
    return std::cout.flush() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::cerr << "parity_steps: " << error.what() << '\n';
        return 1;
    }
}
