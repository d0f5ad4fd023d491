// SPDX-License-Identifier: Apache-2.0
// Trains every setting of a grid on one simulated study and writes down what each predicts, for held-out rows of a
// cross-validation and for new rows: so that ways to choose among them can be compared afterwards (choose.py).
//
//     candidates DATASET SEED OUTPUT [THREADS]

#include <array>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include "polyrx/core/parallel_for.hpp"
#include "polyrx/data/observations.hpp"
#include "polyrx/data/simulate.hpp"
#include "polyrx/encode/encoder.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/evaluate/nuisances.hpp"
#include "polyrx/evaluate/truth.hpp"
#include "polyrx/fit/prepare.hpp"
#include "polyrx/network/fold.hpp"
#include "polyrx/train/objective.hpp"
#include "polyrx/train/train.hpp"

namespace {

using namespace polyrx;

constexpr std::size_t rows_to_learn = 10'000;
constexpr std::size_t folds = 5;

struct Setting {
    int layers;
    double weight_decay;
    double shrinkage;
    ShrunkParts shrunk;
};

std::vector<Setting> grid() {
    std::vector<Setting> settings;
    for (const int layers : {2, 3, 5})
        for (const double decay : {0.1, 0.3, 1.0})
            for (const double shrinkage : {0.0, 1.0, 5.0, 10.0, 20.0})
                settings.push_back({layers, decay, shrinkage, ShrunkParts::weights_and_biases});
    // The other kind, for some.
    for (const int layers : {3, 5})
        for (const double shrinkage : {5.0, 20.0}) settings.push_back({layers, 0.3, shrinkage, ShrunkParts::weights});
    return settings;
}

Observations study_of(const Table& table) {
    return observe(table, {.treatment = "treatment", .outcome = "outcome"}, {});
}

class Writer {
public:
    explicit Writer(const std::string& path) : file_(path, std::ios::binary) {}
    void put(const Matrix& matrix) {
        for (Eigen::Index i = 0; i < matrix.rows(); ++i)
            for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
                const auto value = static_cast<float>(matrix(i, j));
                file_.write(reinterpret_cast<const char*>(&value), sizeof value);
            }
    }

private:
    std::ofstream file_;
};

int run(int dataset, std::uint64_t seed, const std::string& output, int threads) {
    const Table table = simulate_paper(dataset, {.rows = rows_to_learn, .seed = seed});
    const Table unseen = simulate_paper(dataset, {.rows = rows_to_learn, .seed = seed + 100'000, .truth = true});
    const Observations observations = study_of(table);
    const Encoder encoder = make_encoder(observations.features, {});
    const Matrix encoded = encoder.encode(observations.features);
    const Matrix encoded_unseen = encoder.encode(unseen);
    const auto treatments = static_cast<int>(observations.treatments.size());
    std::vector<std::string> names;
    for (int k = 0; k < treatments; ++k) names.push_back("y" + std::to_string(k));
    const Matrix truth = truth_matrix(unseen, names);

    const FeatureRows features = feature_rows(encoder, encoded);
    const TreatedRows treated{features, observations.treatment, treatments, observations.outcome, {}};
    std::vector<std::size_t> all(rows_to_learn);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const Nuisances nuisances = cross_fit(treated, all, {.folds = folds, .seed = seed, .threads = threads});

    const std::vector<Setting> settings = grid();
    std::vector<Matrix> held_out(settings.size(), Matrix(rows_to_learn, treatments));
    std::vector<Matrix> predicted(settings.size());
    const auto rows_of = [](const Matrix& matrix, const std::vector<std::size_t>& rows) {
        return Matrix(matrix(rows, Eigen::all));
    };
    parallel_for(settings.size() * (folds + 1), threads, [&](std::size_t task) {
        const Setting& setting = settings[task / (folds + 1)];
        const std::size_t fold = task % (folds + 1);
        const std::vector<std::size_t>& kept = fold == folds ? all : nuisances.folds[fold].kept;
        const Scaling scaling = standardisation(encoder, encoded, kept);
        const OutcomeScaling outcome = standardisation("outcome", observations.outcome, kept);
        const TrainingRows rows =
            training_rows(observations, encoded, scaling, observations.outcome, outcome, kept, "rows");
        TrainOptions options;
        options.hidden.assign(static_cast<std::size_t>(setting.layers), 100);
        options.treatments = treatments;
        options.mu = mu_for_scaled_outcome(1e-4, outcome.scale);
        options.epochs = 40;
        options.learning_rate = 3e-3;
        options.schedule = Schedule::cosine;
        options.weight_decay = setting.weight_decay;
        options.effect_shrinkage = setting.shrinkage;
        options.shrunk = setting.shrunk;
        options.seed = seed + task;
        const ReluNetwork network = fold_output_scaling(
            fold_input_scaling(train(rows, nullptr, options).network, scaling), outcome.shift, outcome.scale);
        if (fold == folds)
            predicted[task / (folds + 1)] = forward(network, encoded_unseen);
        else
            held_out[task / (folds + 1)](nuisances.folds[fold].held_out, Eigen::all) =
                forward(network, rows_of(encoded, nuisances.folds[fold].held_out));
    });

    Matrix about(rows_to_learn, 3);  // treatment, outcome, fold
    for (std::size_t f = 0; f < folds; ++f)
        for (const std::size_t row : nuisances.folds[f].held_out)
            about.row(static_cast<Eigen::Index>(row)) << observations.treatment[row], observations.outcome[row],
                static_cast<double>(f);
    Writer writer(output);
    Matrix head(1, 3);
    head << rows_to_learn, treatments, static_cast<double>(settings.size());
    writer.put(head);
    writer.put(about);
    writer.put(nuisances.propensities);
    writer.put(nuisances.outcomes);
    writer.put(truth);
    for (std::size_t s = 0; s < settings.size(); ++s) {
        Matrix setting(1, 4);
        setting << settings[s].layers, settings[s].weight_decay, settings[s].shrinkage,
            settings[s].shrunk == ShrunkParts::weights ? 0 : 1;
        writer.put(setting);
        writer.put(held_out[s]);
        writer.put(predicted[s]);
    }
    return 0;
}

}  // namespace

int main(int count, char** words) {
    if (count < 4) {
        std::cerr << "usage: candidates DATASET SEED OUTPUT [THREADS]\n";
        return 2;
    }
    return run(std::stoi(words[1]), std::stoull(words[2]), words[3], count > 4 ? std::stoi(words[4]) : 0);
}
