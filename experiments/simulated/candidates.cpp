// SPDX-License-Identifier: Apache-2.0
// Trains every setting of a grid on one simulated study and writes down what each predicts, for held-out rows of a
// cross-validation and for new rows: so that ways to choose among them can be compared afterwards (choose.py).
//
//     candidates DATASET SEED OUTPUT [THREADS]

#include <array>
#include <atomic>
#include <fstream>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include "polyrx/core/parallel_for.hpp"
#include "polyrx/data/simulate.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/evaluate/nuisances.hpp"
#include "polyrx/evaluate/truth.hpp"
#include "polyrx/fit/learn_network.hpp"

namespace {

using namespace polyrx;

constexpr std::size_t rows_to_learn = 10'000;
constexpr std::size_t folds = 5;

// One in three of all combinations: each value meets each value of every other setting equally often.
std::vector<NetworkOptions> grid() {
    constexpr std::array<std::pair<std::size_t, double>, 4> shapes = {{{3, 0.3}, {5, 0.3}, {2, 0.1}, {3, 0.1}}};
    constexpr std::array<double, 3> shrinkages = {5, 20, 0};
    constexpr std::array<EffectBlock, 3> blocks = {{{}, {0.5, 0.5}, {0.5, 1}}};
    constexpr std::array<double, 3> balances = {0, 10, 50};
    std::vector<NetworkOptions> settings;
    for (std::size_t shape = 0; shape < shapes.size(); ++shape)
        for (std::size_t s = 0; s < shrinkages.size(); ++s)
            for (std::size_t e = 0; e < blocks.size(); ++e)
                for (std::size_t b = 0; b < balances.size(); ++b) {
                    if ((shape + s + e + b) % 3 != 0) continue;
                    NetworkOptions& options = settings.emplace_back();
                    options.hidden.assign(shapes[shape].first, 100);
                    options.weight_decay = shapes[shape].second;
                    options.effect_shrinkage = shrinkages[s];
                    options.effects = blocks[e];
                    options.balance = balances[b];
                }
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

    std::vector<double> propensity;
    for (std::size_t i = 0; i < all.size(); ++i)
        propensity.push_back(nuisances.propensities(static_cast<Eigen::Index>(i), observations.treatment[i]));
    const NetworkStudy learned_from{observations, encoder, encoded, observations.outcome, {}, propensity};

    const std::vector<NetworkOptions> settings = grid();
    std::vector<Matrix> held_out(settings.size(), Matrix(rows_to_learn, treatments));
    std::vector<Matrix> predicted(settings.size());
    parallel_for(settings.size() * (folds + 1), threads, [&](std::size_t task) {
        const std::size_t setting = task / (folds + 1);
        const std::size_t fold = task % (folds + 1);
        const std::vector<std::size_t>& kept = fold == folds ? all : nuisances.folds[fold].kept;
        const ReluNetwork network = learn_network(learned_from, kept, settings[setting], seed + task, 1).network;
        if (fold == folds)
            predicted[setting] = forward(network, encoded_unseen);
        else
            held_out[setting](nuisances.folds[fold].held_out, Eigen::all) =
                forward(network, encoded(nuisances.folds[fold].held_out, Eigen::all));
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
        Matrix setting(1, 6);
        setting << static_cast<double>(settings[s].hidden.size()), settings[s].weight_decay,
            settings[s].effect_shrinkage, settings[s].effects.share, settings[s].effects.decay, settings[s].balance;
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
