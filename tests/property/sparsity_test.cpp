// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/step/sparsity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/train/train.hpp"
#include "tests/support/easy_rows.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/slow_sparsity.hpp"

namespace polyrx {
namespace {

// One input of many matters.
constexpr Eigen::Index cause = 1;

TrainingRows rows_with_one_cause(Eigen::Index count, Eigen::Index inputs, std::uint64_t seed) {
    return test::easy_rows(count, seed, inputs, cause);
}

constexpr Sparsify both_ways[] = {Sparsify::gradual, Sparsify::paper};

TrainOptions options_of(std::vector<int> hidden, const Sparsity& sparsity) {
    TrainOptions options;
    options.hidden = std::move(hidden);
    options.epochs = 6;
    options.batch = 32;
    options.learning_rate = 1e-2;
    options.schedule = Schedule::cosine;
    options.sparsity = sparsity;
    return options;
}

TEST(SparseTraining, LeavesEveryHiddenNeuronExactlyAsManyWeightsAsItIsAllowed) {
    const TrainingRows rows = rows_with_one_cause(300, 7, 1);
    for (const Sparsify how : both_ways)
        for (const std::vector<int>& hidden : {std::vector<int>{5}, {1}, {20}, {6, 9}, {17, 3, 8}})
            for (const int weights : {1, 2, 5, 7, 50}) {
                SCOPED_TRACE(testing::Message() << name_of(how) << ' ' << hidden.size() << " layers of "
                                                << hidden.front() << " and " << weights << " weights");
                TrainOptions options = options_of(hidden, {.weights_per_neuron = weights, .how = how});
                options.weight_decay = 0.1;
                const ReluNetwork network = train(rows, nullptr, options).network;
                for (std::size_t layer = 0; layer + 1 < network.layers().size(); ++layer) {
                    const auto [fewest, most] = test::weights_per_neuron(network.layers()[layer]);
                    const auto expected = std::min<Eigen::Index>(weights, network.layers()[layer].weights.cols());
                    EXPECT_EQ(fewest, expected);
                    EXPECT_EQ(most, expected);
                }
                const Layer& output = network.layers().back();
                EXPECT_EQ((output.weights.array() != 0).count(), output.weights.size());
            }
}

TEST(SparseTraining, ReadsNoMoreFeaturesThanItIsAllowed) {
    const TrainingRows rows = rows_with_one_cause(300, 7, 1);
    for (const Sparsify how : both_ways)
        for (const std::vector<int>& hidden : {std::vector<int>{5}, {6, 9}, {}})
            for (const int features : {1, 3, 7, 20})
                for (const int weights : {0, 1, 2, 6}) {
                    SCOPED_TRACE(testing::Message() << name_of(how) << ' ' << hidden.size() << " layers, " << features
                                                    << " features and " << weights << " weights");
                    const ReluNetwork network =
                        train(rows, nullptr, options_of(hidden, {weights, features, how})).network;
                    EXPECT_LE(test::features_read(network), features);
                    if (weights == 0 || hidden.empty()) {
                        EXPECT_EQ(test::features_read(network), std::min(features, 7));
                        continue;
                    }
                    const auto [fewest, most] = test::weights_per_neuron(network.layers().front());
                    EXPECT_EQ(fewest, std::min(weights, features));
                    EXPECT_EQ(most, std::min(weights, features));
                }
}

TEST(Sparsifier, KeepsWhatTheSlowTwinKeepsTiesIncluded) {
    for (std::uint64_t round = 0; round < 100; ++round) {
        Rng rng(round, Draw::test);
        const ParameterLayout layout(test::random_widths(rng, 1 + round % 3, 20, 3));
        AlignedFloats parameters = initial_parameters(layout, round);
        // Few values, so that many magnitudes are the same.
        if (round % 2 == 0)
            for (float& value : parameters) value = std::round(4 * value) / 4;
        const int weights = static_cast<int>(rng.below(6));
        const int features = round % 4 < 2 ? 0 : static_cast<int>(1 + rng.below(10));
        if (weights + features == 0) continue;
        const ReluNetwork before = to_network(layout, parameters);
        MatrixF inputs = test::random_matrix_f(rng, 5, before.inputs());
        for (auto column : inputs.colwise()) column *= static_cast<float>(std::exp(2 * rng.normal()));
        for (const Sparsify how : both_ways) {
            AlignedFloats pruned = parameters;
            Sparsifier at_once(layout, {weights, features, how}, 0, spread_of(inputs));
            EXPECT_TRUE(at_once.sparse(at_once.begin(pruned)));
            const Vector spread = how == Sparsify::paper ? Vector::Ones(inputs.cols()) : test::slow_deviations(inputs);
            EXPECT_EQ(to_network(layout, pruned), test::slow_prune(before, static_cast<std::size_t>(weights),
                                                                   static_cast<std::size_t>(features), spread))
                << "round " << round;
        }
    }
}

TEST(Sparsifier, ChoosesTheSameInputsWhateverTheirUnits) {
    for (std::uint64_t round = 0; round < 30; ++round) {
        Rng rng(round, Draw::test);
        const ParameterLayout layout({8, 6, 2});
        MatrixF inputs = test::random_matrix_f(rng, 20, 8);
        AlignedFloats parameters = initial_parameters(layout, round);
        AlignedFloats in_other_units = parameters;
        const Sparsity sparsity{.weights_per_neuron = 2, .max_features = 4};
        (void)Sparsifier(layout, sparsity, 0, spread_of(inputs)).begin(parameters);
        for (Eigen::Index i = 0; i < 8; ++i) {
            const auto unit = static_cast<float>(std::ldexp(1.0, static_cast<int>(rng.below(20)) - 10));
            inputs.col(i) *= unit;
            layout.weights(in_other_units, 0).row(i) /= unit;
        }
        (void)Sparsifier(layout, sparsity, 0, spread_of(inputs)).begin(in_other_units);
        for (std::size_t i = 0; i < parameters.size(); ++i) EXPECT_EQ(parameters[i] == 0, in_other_units[i] == 0);
    }
}

TEST(Sparsifier, IsDenseAtFirstThenThinsOutThenKeepsTheSameWeights) {
    constexpr std::int64_t steps = 500;
    for (const int features : {0, 4}) {
        Rng rng(7, Draw::test);
        const ParameterLayout layout({12, 10, 9, 2});
        AlignedFloats parameters = initial_parameters(layout, 1);
        Sparsifier sparsifier(layout, {.weights_per_neuron = 2, .max_features = features}, steps,
                              spread_of(test::random_matrix_f(rng, 5, 12)));
        SparsityMask mask = sparsifier.begin(parameters);
        const auto count_kept = [&] {
            const ReluNetwork network = to_network(layout, parameters);
            return (network.layers()[0].weights.array() != 0).count() +
                   (network.layers()[1].weights.array() != 0).count();
        };
        Eigen::Index fewest = count_kept();
        const Eigen::Index all = fewest;
        AlignedFloats settled;
        for (std::int64_t done = 1; done <= steps; ++done) {
            // A step moves every weight, the pruned ones too.
            for (float& value : parameters) value += 0.01F * static_cast<float>(rng.normal());
            sparsifier.prune(parameters, done, mask);
            if (done < steps / 5) {
                ASSERT_EQ(count_kept(), all) << "after " << done << " steps";
            }
            fewest = std::min(fewest, count_kept());
            if (!sparsifier.sparse(mask)) continue;
            ASSERT_EQ(count_kept(), 2 * (10 + 9));
            if (settled.empty()) settled = parameters;
            for (std::size_t i = 0; i < settled.size(); ++i)
                ASSERT_EQ(settled[i] == 0, parameters[i] == 0) << "after " << done << " steps";
        }
        EXPECT_EQ(fewest, 2 * (10 + 9));
        EXPECT_TRUE(sparsifier.sparse(mask));
    }
}

TEST(Sparsifier, TakesTheSlopesOfWeightsThatArePrunedForGood) {
    Rng rng(7, Draw::test);
    const ParameterLayout layout({6, 5, 2});
    AlignedFloats parameters = initial_parameters(layout, 1);
    Sparsifier sparsifier(layout, {.weights_per_neuron = 1}, 0, spread_of(test::random_matrix_f(rng, 5, 6)));
    const SparsityMask mask = sparsifier.begin(parameters);
    AlignedFloats gradient(layout.size(), 1);
    sparsifier.mask_gradient(mask, gradient);
    const ReluNetwork slopes = to_network(layout, gradient);
    EXPECT_EQ(slopes.layers()[0].weights.sum(), 5);
    EXPECT_EQ(slopes.layers()[0].bias.sum(), 5);
    EXPECT_EQ(slopes.layers()[1].weights.sum(), 10);
}

TEST(SparseTraining, FindsTheInputThatMattersThoughItWasNotTheLargestAtFirst) {
    const TrainingRows held_out = rows_with_one_cause(1000, 20, 100);
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        TrainOptions options = options_of({5}, {.weights_per_neuron = 1, .max_features = seed % 2 == 0 ? 2 : 0});
        options.epochs = 40;
        options.seed = seed;
        found += test::accuracy(train(rows_with_one_cause(1000, 20, seed), nullptr, options).network, held_out, cause) >
                 0.95;
    }
    EXPECT_EQ(found, 10);
}

TEST(SparseTraining, TakesTheBestEpochFromThoseThatAreSparse) {
    const TrainingRows rows = rows_with_one_cause(60, 20, 1);
    const TrainingRows held_out = rows_with_one_cause(300, 20, 2);
    TrainOptions options = options_of({30, 10}, {.weights_per_neuron = 1});
    options.epochs = 50;
    const Trained trained = train(rows, &held_out, options);
    EXPECT_GE(trained.best_epoch, 30);
    EXPECT_EQ(test::weights_per_neuron(trained.network.layers()[0]).second, 1);
    const double best = *trained.history[static_cast<std::size_t>(trained.best_epoch - 1)].validation;
    for (std::size_t epoch = 29; epoch < 50; ++epoch) EXPECT_LE(best, *trained.history[epoch].validation);

    // However good dense epochs were, and however bad those after them, patience begins with the sparse ones.
    options.patience = 1;
    const Trained impatient = train(rows, &held_out, options);
    EXPECT_GE(impatient.best_epoch, 30);
    EXPECT_EQ(test::weights_per_neuron(impatient.network.layers()[0]).second, 1);
}

TEST(SparseTraining, SpendsNoWeightOnAnInputThatIsTheSameInEveryRow) {
    TrainingRows rows = rows_with_one_cause(200, 6, 1);
    rows.inputs.col(0).setConstant(3);
    rows.inputs.col(4).setZero();
    for (const Sparsify how : both_ways) {
        const ReluNetwork network =
            train(rows, nullptr, options_of({30}, {.weights_per_neuron = 1, .how = how})).network;
        EXPECT_EQ(network.layers()[0].weights.col(0).cwiseAbs().maxCoeff(), 0);
        EXPECT_EQ(network.layers()[0].weights.col(4).cwiseAbs().maxCoeff(), 0);
        EXPECT_EQ(test::weights_per_neuron(network.layers()[0]), std::pair(Eigen::Index{1}, Eigen::Index{1}));
    }
}

TEST(SparseTraining, IsSparseHoweverFewTheSteps) {
    TrainOptions options = options_of({4, 5}, {.weights_per_neuron = 2, .max_features = 3});
    options.batch = 1000;  // one step an epoch
    for (const Sparsify how : both_ways)
        for (const int epochs : {0, 1, 2, 3, 5}) {
            options.sparsity.how = how;
            options.epochs = epochs;
            const ReluNetwork network = train(rows_with_one_cause(50, 7, 1), nullptr, options).network;
            EXPECT_EQ(test::weights_per_neuron(network.layers()[0]).second, 2) << epochs;
            EXPECT_EQ(test::weights_per_neuron(network.layers()[1]).second, 2) << epochs;
            EXPECT_LE(test::features_read(network), 3) << epochs;
        }
}

TEST(Sparsify, IsNamedAsItIsWritten) {
    EXPECT_EQ(name_of(Sparsify::gradual), "gradual");
    EXPECT_EQ(name_of(Sparsify::paper), "paper");
}

TEST(SparseTraining, RefusesFewerThanNone) {
    for (const Sparsity sparsity : {Sparsity{.weights_per_neuron = -1}, Sparsity{.max_features = -1}})
        EXPECT_THROW((void)train(rows_with_one_cause(10, 3, 1), nullptr, options_of({3}, sparsity)), Error);
}

}  // namespace
}  // namespace polyrx
