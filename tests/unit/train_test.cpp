// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/train.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "polyrx/core/error.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/train/epoch_rows.hpp"
#include "polyrx/train/flush_denormals.hpp"
#include "polyrx/train/step/adam.hpp"
#include "polyrx/train/step/scheduled_rate.hpp"
#include "tests/support/easy_rows.hpp"
#include "tests/support/kernel_targets.hpp"

namespace polyrx {
namespace {

using test::accuracy;
using test::easy_rows;

TrainOptions train_options() {
    return test::small_options(15);
}

TEST(Train, LearnsWhoNeedsWhichTreatment) {
    const TrainingRows rows = easy_rows(2000, 1);
    const Trained trained = train(rows, nullptr, train_options());
    EXPECT_GT(accuracy(trained.network, easy_rows(1000, 2)), 0.93);
    EXPECT_LT(trained.history.back().training, trained.history.front().training / 4);
    EXPECT_EQ(trained.best_epoch, 15);
}

TEST(Train, GivesTheSameNetworkForTheSameSeedAndAnotherForAnother) {
    const TrainingRows rows = easy_rows(300, 1);
    TrainOptions options = train_options();
    const Trained first = train(rows, nullptr, options);
    EXPECT_EQ(first.network, train(rows, nullptr, options).network);
    options.seed = 2;
    EXPECT_FALSE(first.network == train(rows, nullptr, options).network);
}

TEST(Train, GivesTheSameWeightsOnEveryTargetThatFusesAndOnEveryTargetThatDoesNot) {
    TrainOptions options = train_options();
    options.hidden = {37, 16, 5};
    options.epochs = 3;
    options.batch = 100;  // more than are computed side by side
    options.weight_decay = 0.1;
    options.effect_shrinkage = 1;
    options.clip_gradient = 0.5;
    const TrainingRows rows = easy_rows(350, 1);
    const TrainingRows held_out = easy_rows(77, 2);
    std::map<bool, Trained> first;
    test::for_each_target([&] {
        const Trained trained = train(rows, &held_out, options);
        const auto [same, is_first] = first.emplace(kernels_fuse(), trained);
        EXPECT_EQ(trained.network, same->second.network);
        EXPECT_EQ(trained.history.back().validation, same->second.history.back().validation);
    });
    // Fused or not, the networks are not the same, but near.
    if (first.size() == 2) {
        EXPECT_NEAR(first.at(true).history.back().training, first.at(false).history.back().training, 1e-3);
    }
}

TEST(Train, WithNoHiddenLayerFitsALinearModelPerTreatment) {
    TrainOptions options = train_options();
    options.hidden = {};
    const Trained trained = train(easy_rows(500, 1), nullptr, options);
    ASSERT_EQ(trained.network.layers().size(), 1U);
    EXPECT_EQ(trained.network.inputs(), 3);
    EXPECT_EQ(trained.network.outputs(), 2);
}

TEST(Train, BeginsWithWeightsWithinOneOverTheRootOfTheFanIn) {
    TrainOptions options = train_options();
    options.epochs = 0;
    options.hidden = {400, 400};
    const Trained untrained = train(easy_rows(10, 1), nullptr, options);
    for (const Layer& layer : untrained.network.layers()) {
        const double reach = 1 / std::sqrt(static_cast<double>(layer.weights.cols()));
        EXPECT_LE(layer.weights.cwiseAbs().maxCoeff(), reach);
        EXPECT_LE(layer.bias.cwiseAbs().maxCoeff(), reach);
        if (layer.weights.size() > 1000) {
            EXPECT_GT(layer.weights.maxCoeff(), 0.99 * reach);
            EXPECT_LT(layer.weights.minCoeff(), -0.99 * reach);
            EXPECT_NEAR(layer.weights.mean(), 0,
                        5 * reach / std::sqrt(3.0 * static_cast<double>(layer.weights.size())));
        }
    }
    EXPECT_EQ(untrained.best_epoch, 0);
}

TEST(Train, TakesOneTreatmentOneRowABatchAndMoreThanThereAre) {
    TrainOptions options = train_options();
    options.epochs = 2;
    for (const int batch : {1, 7, 64, 1000}) {
        options.batch = batch;
        EXPECT_EQ(train(easy_rows(30, 1), nullptr, options).network.outputs(), 2);
    }
    TrainingRows rows = easy_rows(30, 1);
    std::fill(rows.treatment.begin(), rows.treatment.end(), 0);
    options.treatments = 1;
    EXPECT_EQ(train(rows, nullptr, options).network.outputs(), 1);
}

TEST(Train, LearnsNothingFromARowOfWeightZero) {
    TrainOptions options = train_options();
    options.batch = 1000;  // all in one, so that the order of the rows is the only other difference
    TrainingRows rows = easy_rows(50, 1);
    rows.weight[7] = 0;
    const Trained before = train(rows, nullptr, options);
    rows.outcome[7] = 1e6F;
    EXPECT_EQ(train(rows, nullptr, options).network, before.network);
}

TEST(Train, WithNoInputsLearnsAMeanPerTreatment) {
    TrainOptions options = train_options();
    options.hidden = {};
    options.mu = 0;
    options.epochs = 200;
    TrainingRows rows = easy_rows(200, 1);
    rows.inputs.resize(200, 0);
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < 200; ++i)
        if (rows.treatment[i] == 1) {
            sum += rows.outcome[i];
            ++count;
        }
    EXPECT_NEAR(train(rows, nullptr, options).network.layers().front().bias[1], sum / count, 0.05);
}

TEST(Train, RefusesValidationRowsThatDoNotFit) {
    const auto refuses = [](const TrainingRows& validation) {
        EXPECT_THROW((void)train(easy_rows(20, 1), &validation, train_options()), Error);
    };
    refuses(easy_rows(0, 2));
    TrainingRows wider = easy_rows(20, 2);
    wider.inputs.conservativeResize(20, 4);
    refuses(wider);
    TrainingRows narrower = easy_rows(20, 2);
    narrower.inputs.conservativeResize(20, 2);
    refuses(narrower);
    TrainingRows longer = easy_rows(20, 2);
    longer.outcome.push_back(0);
    refuses(longer);
}

TEST(Train, KeepsTheLastPartialBatch) {
    TrainOptions options = train_options();
    options.epochs = 2;
    int steps = 0;
    (void)train(easy_rows(70, 1), nullptr, options, [&](double, std::string_view) { return ++steps > 0; });
    EXPECT_EQ(steps, 2 * 3);
}

TEST(Train, KeepsTheWeightsOfTheBestEpochAndStopsEarly) {
    TrainOptions options = train_options();
    options.epochs = 300;
    options.patience = 5;
    options.learning_rate = 3e-2;
    const TrainingRows rows = easy_rows(40, 1);
    const TrainingRows held_out = easy_rows(200, 2);
    const Trained trained = train(rows, &held_out, options);
    EXPECT_TRUE(trained.stopped_early);
    ASSERT_LT(trained.history.size(), 300U);
    EXPECT_EQ(static_cast<int>(trained.history.size()), trained.best_epoch + 5);
    const auto best =
        std::min_element(trained.history.begin(), trained.history.end(),
                         [](const EpochLoss& a, const EpochLoss& b) { return *a.validation < *b.validation; });
    EXPECT_EQ(best - trained.history.begin() + 1, trained.best_epoch);

    // The same run cut off at the best epoch has the same weights.
    options.epochs = trained.best_epoch;
    options.patience = 0;
    EXPECT_EQ(train(rows, nullptr, options).network, trained.network);
}

TEST(Train, SaysThatARunWithoutALowerBoundDiverged) {
    TrainOptions options = train_options();
    options.mu = 1;
    options.epochs = 200;
    try {
        (void)train(easy_rows(500, 1), nullptr, options);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::other);
        EXPECT_NE(std::string(error.what()).find("training diverged in epoch"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("no lower bound"), std::string::npos) << error.what();
    }
}

TEST(Train, SaysThatARunWithInfiniteLossDiverged) {
    TrainOptions options = train_options();
    options.learning_rate = 1e30;
    EXPECT_THROW((void)train(easy_rows(500, 1), nullptr, options), Error);
}

TEST(Train, SaysThatTheLastStepDiverged) {
    TrainOptions options = train_options();
    options.epochs = 1;
    options.batch = 1000;  // one step in all
    for (const double rate : {1e6, 1e37}) {
        options.learning_rate = rate;
        try {
            (void)train(easy_rows(300, 1), nullptr, options);
            FAIL() << "expected an error";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("training diverged in epoch 1"), std::string::npos)
                << error.what();
        }
    }
}

TEST(Train, StopsWhenTheListenerAsks) {
    const Progress stop = [](double share_done, std::string_view) { return share_done < 0.5; };
    try {
        (void)train(easy_rows(100, 1), nullptr, train_options(), stop);
        FAIL() << "expected to be canceled";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::canceled);
    }
}

TEST(Train, RefusesOptionsOutOfRange) {
    const TrainingRows rows = easy_rows(10, 1);
    const auto refuses = [&](auto change) {
        TrainOptions options = train_options();
        change(options);
        EXPECT_THROW((void)train(rows, nullptr, options), Error);
    };
    refuses([](TrainOptions& o) { o.mu = -0.1; });
    refuses([](TrainOptions& o) { o.mu = 1.1; });
    refuses([](TrainOptions& o) { o.batch = 0; });
    refuses([](TrainOptions& o) { o.epochs = -1; });
    refuses([](TrainOptions& o) { o.learning_rate = 0; });
    refuses([](TrainOptions& o) { o.weight_decay = -1; });
    refuses([](TrainOptions& o) { o.hidden = {0}; });
    refuses([](TrainOptions& o) { o.patience = 3; });  // with no validation rows
    EXPECT_THROW((void)train(easy_rows(0, 1), nullptr, train_options()), Error);
}

TEST(ScheduledRate, StartsAtTheLearningRateAndEndsAtZero) {
    TrainOptions options;
    options.learning_rate = 0.5;
    for (const Schedule schedule : {Schedule::linear, Schedule::cosine}) {
        options.schedule = schedule;
        EXPECT_DOUBLE_EQ(scheduled_rate(options, 0, 100), 0.5);
        EXPECT_DOUBLE_EQ(scheduled_rate(options, 50, 100), 0.25);
        EXPECT_NEAR(scheduled_rate(options, 100, 100), 0, 1e-16);
    }
    options.schedule = Schedule::constant;
    EXPECT_EQ(scheduled_rate(options, 99, 100), 0.5);
}

TEST(EpochOrder, IsAnotherPermutationEachEpoch) {
    std::vector<std::size_t> first = epoch_order(1000, 1, 0);
    EXPECT_NE(first, epoch_order(1000, 1, 1));
    EXPECT_NE(first, epoch_order(1000, 2, 0));
    EXPECT_EQ(first, epoch_order(1000, 1, 0));
    std::sort(first.begin(), first.end());
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i], i);
}

TEST(Adam, FollowsItsFormulaAndDecaysWeightsButNotBiases) {
    const ParameterLayout layout({1, 1});  // one weight, one bias
    for (const double decay : {0.0, 0.3}) {
        AdamMoments moments = no_moments(layout);
        AlignedFloats parameters(layout.size());
        parameters[layout.offset(0)] = 0.7F;
        parameters[layout.bias_offset(0)] = -0.2F;
        double slow[2] = {0.7, -0.2};
        double m[2] = {0, 0};
        double v[2] = {0, 0};
        Rng rng(1, Draw::test);
        for (int t = 1; t <= 50; ++t) {
            AlignedFloats gradient(layout.size());
            gradient[layout.offset(0)] = static_cast<float>(rng.normal());
            gradient[layout.bias_offset(0)] = static_cast<float>(rng.normal());
            const float slopes[2] = {gradient[layout.offset(0)], gradient[layout.bias_offset(0)]};
            const double rate = 0.01 / t;
            adam_step(layout, {rate, decay}, t, gradient, parameters, moments);
            slow[0] *= 1 - rate * decay;
            for (int i = 0; i < 2; ++i) {
                const double g = slopes[i];
                m[i] = 0.9 * m[i] + 0.1 * g;
                v[i] = 0.999 * v[i] + 0.001 * g * g;
                slow[i] -= rate * (m[i] / (1 - std::pow(0.9, t))) / (std::sqrt(v[i] / (1 - std::pow(0.999, t))) + 1e-8);
            }
        }
        EXPECT_NEAR(parameters[layout.offset(0)], slow[0], 1e-5);
        EXPECT_NEAR(parameters[layout.bias_offset(0)], slow[1], 1e-5);
    }
}

TEST(FlushDenormals, LastsAsLongAsTheGuardLives) {
    const volatile float smallest = 1.5e-38F;
    const auto shrunk = [&] {
        const volatile float quarter = 0.25F;
        const volatile float product = smallest * quarter;
        return static_cast<float>(product);
    };
    EXPECT_GT(shrunk(), 0.0F);
    {
        const FlushDenormals guard;
        EXPECT_EQ(shrunk(), 0.0F);
    }
    EXPECT_GT(shrunk(), 0.0F);
}

}  // namespace
}  // namespace polyrx
