// SPDX-License-Identifier: Apache-2.0
// Trains every setting of a grid on one simulated study and writes down what each predicts, for held-out rows of a
// cross-validation and for new rows: so that ways to choose among them can be compared afterwards (choose.py).
//
//     candidates STUDY SEED OUTPUT [THREADS]
//
// STUDY: 2, or f4+f3 (base and effects), or l2 and lf3+f1 for the literal variant.

#include <array>
#include <fstream>
#include <iostream>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/parallel_for.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/evaluate/value/truth.hpp"
#include "polyrx/fit/learn/learn_network.hpp"
#include "polyrx/nuisance/nuisances.hpp"
#include "polyrx/studies/simulate.hpp"

namespace {

using namespace polyrx;

constexpr std::size_t rows_to_learn = 10'000;
constexpr std::size_t folds = 5;
constexpr std::size_t folds_tried = 3;  // of them: enough to choose by, in less time

// What --recipe auto tried before decision 0016, which came of this.
std::vector<NetworkOptions> grid() {
    struct Shape {
        std::size_t layers;
        double decay;
    };
    constexpr std::array<Shape, 4> shapes = {{{3, 0.3}, {5, 0.3}, {2, 0.3}, {3, 0.1}}};
    constexpr std::array<EffectBlock, 3> blocks = {{{0.5, 0.5}, {0.5, 1}, {0.3, 0}}};
    std::vector<NetworkOptions> settings;
    const auto add = [&](Shape shape, EffectBlock effects, double shrinkage, double balance) -> NetworkOptions& {
        NetworkOptions& options = settings.emplace_back();
        options.hidden.assign(shape.layers, 100);
        options.weight_decay = shape.decay;
        options.effects = effects;
        options.effect_shrinkage = shrinkage;
        options.balance = balance;
        return options;
    };
    for (const EffectBlock& effects : blocks)
        for (const Shape shape : shapes)
            for (const double balance : {0.0, 10.0, 50.0}) add(shape, effects, 0, balance);
    for (const Shape shape : shapes) add(shape, {}, 5, 10);
    add(shapes[0], {}, 20, 0);
    for (const double balance : {0.0, 10.0}) add({2, 1}, {}, 1, balance);
    for (const int steps : {1500, 750}) {
        for (const Shape shape : {Shape{2, 1}, Shape{2, 2}, Shape{3, 2}}) add(shape, {}, 5, 0).steps = steps;
        add({2, 1}, {0.5, 0}, 0, 0).steps = steps;
    }
    add({1, 0.3}, {}, 5, 0).hidden = {20};
    add({0, 0.3}, {}, 5, 0);
    add({3, 0.3}, {}, 5, 0).mu = 0;
    return settings;
}

Table simulated(const std::string& study, std::uint64_t seed, bool truth) {
    SimulateOptions options{.rows = rows_to_learn, .seed = seed, .truth = truth};
    if (study.front() == 'l') options.variant = Variant::literal;
    std::vector<int> numbers;
    for (const char letter : study)
        if (letter >= '1' && letter <= '9') numbers.push_back(letter - '0');
    return study.find('f') != std::string::npos ? simulate_design(numbers, options)
                                                : simulate_paper(numbers.front(), options);
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

int run(const std::string& study, std::uint64_t seed, const std::string& output, int threads) {
    const Table table = simulated(study, seed, false);
    const Table unseen = simulated(study, seed + 100'000, true);
    const Observations observations = study_of(table);
    const Encoder encoder = make_encoder(observations.features, {});
    const Matrix encoded = encoder.encode(observations.features);
    const Matrix encoded_unseen = encoder.encode(unseen);
    const auto treatments = static_cast<int>(observations.treatments.size());
    std::vector<std::string> names;
    for (int k = 0; k < treatments; ++k) names.push_back("y" + std::to_string(k));
    const Matrix truth = truth_matrix(unseen, names);

    const FeatureRows features = feature_rows(encoder, observations.features);
    const TreatedRows treated{features, observations.treatment, treatments, observations.outcome, {}};
    std::vector<std::size_t> all(rows_to_learn);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const Nuisances nuisances = cross_fit(treated, all, {.folds = folds, .seed = seed, .threads = threads});

    std::vector<double> propensity;
    for (std::size_t i = 0; i < all.size(); ++i)
        propensity.push_back(nuisances.propensities(static_cast<Eigen::Index>(i), observations.treatment[i]));
    const NetworkStudy learned_from{.observations = observations,
                                    .encoder = encoder,
                                    .encoded = encoded,
                                    .features = features,
                                    .outcome = observations.outcome,
                                    .propensity = propensity};

    const std::vector<NetworkOptions> settings = grid();
    std::vector<Matrix> held_out(settings.size(), Matrix::Zero(rows_to_learn, treatments));
    std::vector<Matrix> predicted(settings.size());
    parallel_for(settings.size() * (folds_tried + 1), threads, [&](std::size_t task) {
        const std::size_t setting = task / (folds_tried + 1);
        const std::size_t fold = task % (folds_tried + 1);
        const std::vector<std::size_t>& kept = fold == folds_tried ? all : nuisances.folds[fold].kept;
        const ReluNetwork network = learn_network(learned_from, kept, settings[setting], seed + task, 1).network;
        if (fold == folds_tried)
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
        Matrix setting(1, 7);
        setting << static_cast<double>(settings[s].hidden.size()), settings[s].weight_decay,
            settings[s].effect_shrinkage, settings[s].effects.share, settings[s].effects.decay, settings[s].balance,
            static_cast<double>(settings[s].steps);
        writer.put(setting);
        writer.put(held_out[s]);
        writer.put(predicted[s]);
    }
    return 0;
}

}  // namespace

int main(int count, char** words) {
    if (count < 4 || std::string_view(words[1]).find_first_of("123456") == std::string_view::npos) {
        std::cerr << "usage: candidates STUDY SEED OUTPUT [THREADS]\n";
        return 2;
    }
    return run(words[1], std::stoull(words[2]), words[3], count > 4 ? std::stoi(words[4]) : 0);
}
