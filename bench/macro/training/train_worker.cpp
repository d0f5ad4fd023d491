// SPDX-License-Identifier: Apache-2.0
// Trains when asked: a request in JSON on a line of standard input, its answer on a line of standard output.
//
//     {"do": "recipe"}
//         the paper's, which is TrainOptions' own
//     {"do": "rows", "rows": N, "treatments": K, "path": FILE}
//         simulates the rows of the fits that follow, and unless FILE is empty writes them there: inputs (float32, row
//         by row), treatments (int32), outcomes (float32)
//     {"do": "fit", "hidden": [100, 100], "epochs": E, "seed": S}
//         seconds of train()
//     {"do": "fits", "networks": M, "threads": T, "epochs": E, "seed": S}
//         seconds of train_all() with the paper's hidden layers
//     {"do": "loss"}
//         the objective on all rows after the last fit
//     {"do": "step"}
//         seconds of one step of the paper's network, by part
//     {"do": "about"}
//         the instructions in use, and the compiler
#include <fstream>
#include <numeric>
#include <string>

#include "bench/macro/training/step_split.hpp"
#include "bench/macro/worker.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/encode/encoder.hpp"
#include "polyrx/fit/learn/prepare.hpp"
#include "polyrx/studies/simulate.hpp"
#include "polyrx/study/observations.hpp"
#include "polyrx/train/train_all.hpp"
#include "polyrx/train/train_kernel.hpp"

namespace polyrx::bench {
namespace {

constexpr int dataset = 6;  // of the paper; three treatments
constexpr int dataset_treatments = 3;

// As `polyrx fit --recipe paper` prepares them: standardized inputs, raw outcome. For another number of treatments
// than the dataset has, each row's is drawn anew: fit for timing, not for learning.
TrainingRows simulated_rows(std::size_t count, int treatments) {
    const Table table = simulate_paper(dataset, {.rows = count});
    const Observations observations = observe(table, {.treatment = "treatment", .outcome = "outcome"});
    const Encoder encoder = make_encoder(observations.features);
    const Matrix encoded = encoder.encode(observations.features);
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    TrainingRows rows = training_rows(observations, encoded, standardization(encoder, encoded, all),
                                      observations.outcome, {}, all, "rows");
    if (treatments != dataset_treatments) {
        Rng rng(1, Draw::test);
        for (int& treatment : rows.treatment)
            treatment = static_cast<int>(rng.below(static_cast<std::uint64_t>(treatments)));
    }
    return rows;
}

template <class Value>
void write(std::ostream& out, const Value* values, std::size_t count) {
    static_assert(sizeof(Value) == 4);
    out.write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(4 * count));
}

void write_rows(const TrainingRows& rows, const std::string& path) {
    std::ofstream out(path, std::ios::binary);
    write(out, rows.inputs.data(), static_cast<std::size_t>(rows.inputs.size()));
    write(out, rows.treatment.data(), rows.treatment.size());
    write(out, rows.outcome.data(), rows.outcome.size());
    if (!out.flush()) throw other_error("cannot write " + path);
}

// Objective (4), in float64.
double objective(const ReluNetwork& network, const TrainingRows& rows, double mu) {
    const Matrix outputs = forward(network, rows.inputs.cast<double>());
    const std::vector<int> prescribed = argmin_rows(outputs);
    double sum = 0;
    for (std::size_t i = 0; i < prescribed.size(); ++i) {
        const auto predicted = outputs.row(static_cast<Eigen::Index>(i));
        const double seen = rows.outcome[i];
        const double error = seen - predicted[rows.treatment[i]];
        const double expected = prescribed[i] == rows.treatment[i] ? seen : predicted[prescribed[i]];
        sum += mu * expected + (1 - mu) * error * error;
    }
    return sum / static_cast<double>(prescribed.size());
}

class Worker {
public:
    Json answer(const JsonCursor& request) {
        const std::string what = request.at("do").text();
        if (what == "recipe")
            return {{"hidden", options_.hidden},
                    {"batch", options_.batch},
                    {"epochs", options_.epochs},
                    {"mu", options_.mu},
                    {"learning_rate", options_.learning_rate}};
        if (what == "rows") return make_rows(request);
        if (what == "fit") return fit(request);
        if (what == "fits") return fits(request);
        if (what == "loss") return {{"loss", objective(network_, rows_, options_.mu)}};
        if (what == "step") return step();
        if (what == "about") return {{"kernels", kernel_target()}, {"compiler", compiler}};
        throw usage_error("there is no request '" + what + "'");
    }

private:
    Json make_rows(const JsonCursor& request) {
        options_.treatments = request.at("treatments").whole<int>();
        rows_ = simulated_rows(request.at("rows").whole<std::size_t>(), options_.treatments);
        if (const std::string path = request.at("path").text(); !path.empty()) write_rows(rows_, path);
        return {{"inputs", rows_.inputs.cols()}};
    }

    [[nodiscard]] TrainOptions asked(const JsonCursor& request) const {
        TrainOptions options = options_;
        options.epochs = request.at("epochs").whole<int>();
        options.seed = request.at("seed").whole<std::uint64_t>();
        return options;
    }

    Json fit(const JsonCursor& request) {
        TrainOptions options = asked(request);
        options.hidden = hidden_in(request);
        return seconds_of([&] { network_ = train(rows_, nullptr, options).network; });
    }

    Json fits(const JsonCursor& request) {
        std::vector<TrainingTask> tasks(request.at("networks").whole<std::size_t>(), {&rows_, nullptr, asked(request)});
        for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i].options.seed += i;
        const int threads = request.at("threads").whole<int>();
        return seconds_of([&] { network_ = train_all(tasks, threads).front().network; });
    }

    [[nodiscard]] Json step() const {
        const StepSplit split = split_step(rows_, options_);
        return {{"products", split.products}, {"adam", split.adam}, {"rest", split.rest}};
    }

    TrainOptions options_;
    TrainingRows rows_;
    ReluNetwork network_;
};

}  // namespace
}  // namespace polyrx::bench

int main() {
    return polyrx::bench::serve(polyrx::bench::Worker());
}
