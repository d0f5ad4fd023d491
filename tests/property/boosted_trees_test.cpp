// SPDX-License-Identifier: Apache-2.0
// Boosted trees against a slow twin, and stacks of models.
#include "polyrx/learners/trees/boosted_trees.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polyrx/core/every_row.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/nuisance/calibrate.hpp"
#include "polyrx/nuisance/nuisances.hpp"
#include "polyrx/nuisance/second_order_inputs.hpp"
#include "polyrx/nuisance/stack_weights.hpp"
#include "tests/support/overlap_study.hpp"
#include "tests/support/slow_boosting.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

FeatureRows random_features(Rng& rng, Eigen::Index rows, int features) {
    FeatureRows result{Eigen::MatrixXd(rows, features), std::vector<int>(static_cast<std::size_t>(features), 0)};
    for (double& value : result.values.reshaped()) value = rng.normal();
    return result;
}

double sigmoid(double t) {
    return 1 / (1 + std::exp(-t));
}

TEST(BinnedRows, KeepTheOrderOfNumbersAndGiveMissingOnesACodeOfTheirOwn) {
    FeatureRows features{Eigen::MatrixXd(6, 2), {0, 3}};
    features.values.col(0) << 5, -1, std::nan(""), 2, 5, 3;
    features.values.col(1) << 0, 2, 1, std::nan(""), 1, 0;
    const BinnedRows binned = bin_features(features, 32);
    EXPECT_EQ(binned.code[0], (std::vector<std::uint8_t>{4, 1, 0, 2, 4, 3}));
    EXPECT_EQ(binned.code[1], (std::vector<std::uint8_t>{1, 3, 2, 0, 2, 1}));
    EXPECT_EQ(binned.codes, (std::vector<int>{5, 4}));
    Rng rng(1, Draw::test);
    const BinnedRows many = bin_features(random_features(rng, 5'000, 1), 32);
    EXPECT_EQ(many.codes[0], 33);
}

TEST(BoostedTrees, AreThoseOfTheSlowTwin) {
    for (std::uint64_t index = 0; index < 10; ++index) {
        Rng rng(2, Draw::test, index);
        const FeatureRows features = random_features(rng, 120, 3);
        const BinnedRows binned = bin_features(features, 8);
        std::vector<double> target;
        for (Eigen::Index i = 0; i < 120; ++i)
            target.push_back(features.values(i, 0) * features.values(i, 1) + std::abs(features.values(i, 2)) +
                             0.3 * rng.normal());
        std::vector<std::size_t> rows;
        std::vector<std::size_t> others;
        for (std::size_t i = 0; i < 120; ++i) (i % 4 != 0 ? rows : others).push_back(i);
        BoostingOptions options;
        options.depth = 1 + static_cast<int>(index % 3);
        options.leaf_rows = 5;
        Booster booster(binned, {rows, others}, target, {}, options);
        for (int round = 0; round < 8; ++round) booster.add_round();
        const Vector fast = booster.predict(every_row(120));
        const std::vector<double> slow = test::slow_boosting(binned, rows, target, options, 8);
        for (std::size_t i = 0; i < 120; ++i) EXPECT_NEAR(fast[static_cast<Eigen::Index>(i)], slow[i], 1e-9) << index;
    }
}

TEST(BoostedTrees, LearnCategoriesAndMissingValues) {
    Rng rng(3, Draw::test);
    FeatureRows features{Eigen::MatrixXd(2'000, 2), {5, 0}};
    std::vector<double> target;
    for (Eigen::Index i = 0; i < 2'000; ++i) {
        const auto level = static_cast<double>(rng.below(5));
        features.values(i, 0) = level;
        features.values(i, 1) = rng.bernoulli(0.3) ? std::nan("") : rng.normal();
        // Levels 1 and 4 against the others, and missing against known: no order tells either.
        target.push_back((level == 1 || level == 4 ? 2 : 0) + (std::isnan(features.values(i, 1)) ? 1 : 0));
    }
    const BinnedRows binned = bin_features(features);
    BoostingOptions options;
    options.depth = 2;
    Booster booster(binned, {every_row(2'000)}, target, {}, options);
    for (int round = 0; round < 60; ++round) booster.add_round();
    const Vector predicted = booster.predict(every_row(2'000));
    for (std::size_t i = 0; i < 2'000; ++i) EXPECT_NEAR(predicted[static_cast<Eigen::Index>(i)], target[i], 0.02);
}

TEST(BoostedTrees, FindProbabilitiesOfTwoAndThreeClasses) {
    for (const int classes : {2, 3}) {
        Rng rng(4, Draw::test, static_cast<std::uint64_t>(classes));
        const FeatureRows features = random_features(rng, 6'000, 2);
        Matrix truth(6'000, classes);
        std::vector<int> label;
        for (Eigen::Index i = 0; i < 6'000; ++i) {
            for (int k = 0; k < classes; ++k) truth(i, k) = std::exp(k * std::abs(features.values(i, 0)) - k);
            truth.row(i) /= truth.row(i).sum();
            double u = rng.uniform();
            int t = 0;
            while (t + 1 < classes && u >= truth(i, t)) u -= truth(i, t++);
            label.push_back(t);
        }
        const BinnedRows binned = bin_features(features);
        std::vector<std::size_t> learn;
        std::vector<std::size_t> unseen;
        for (std::size_t i = 0; i < 6'000; ++i) (i < 4'000 ? learn : unseen).push_back(i);
        Booster booster(binned, {learn, unseen}, label, classes, {}, {.depth = 2});
        for (int round = 0; round < 30; ++round) booster.add_round();
        const Matrix predicted = booster.probabilities(unseen);
        const std::vector<int> happened(label.begin() + 4'000, label.end());
        EXPECT_LT(log_loss(predicted, happened), log_loss(truth.bottomRows(2'000), happened) + 0.02) << classes;
        EXPECT_NEAR((predicted.rowwise().sum().array() - 1).abs().maxCoeff(), 0, 1e-12);
    }
}

TEST(BoostedTrees, RefuseWhatTheyCannotDo) {
    Rng rng(5, Draw::test);
    const BinnedRows binned = bin_features(random_features(rng, 10, 1));
    const std::vector<double> target(10, 1);
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)Booster(binned, {{0, 1}}, target, {}, {.depth = 8}); }),
              "the depth of boosted trees must be 1 to 7, not 8");
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)Booster(binned, {}, target, {}, {}); }),
              "there are no rows to learn from");
}

TEST(StackWeights, AreTheBestOfAGridAndOfTheSimplex) {
    for (std::uint64_t index = 0; index < 10; ++index) {
        Rng rng(6, Draw::test, index);
        Matrix predicted(200, 3);
        std::vector<double> outcome;
        std::vector<Matrix> chances(3, Matrix(200, 2));
        std::vector<int> happened;
        for (Eigen::Index i = 0; i < 200; ++i) {
            const double signal = rng.normal();
            outcome.push_back(signal + 0.5 * rng.normal());
            happened.push_back(rng.bernoulli(sigmoid(2 * signal)) ? 1 : 0);
            for (int m = 0; m < 3; ++m) {
                predicted(i, m) = signal * (0.5 + 0.3 * m) + 0.6 * rng.normal();
                const double p = sigmoid(2 * predicted(i, m));
                chances[static_cast<std::size_t>(m)].row(i) << 1 - p, p;
            }
        }
        const auto squared = [&](const std::vector<double>& w) {
            double sum = 0;
            for (Eigen::Index i = 0; i < 200; ++i) {
                double mean = 0;
                for (int m = 0; m < 3; ++m) mean += w[static_cast<std::size_t>(m)] * predicted(i, m);
                sum += std::pow(mean - outcome[static_cast<std::size_t>(i)], 2) / 200;
            }
            return sum;
        };
        const auto logarithmic = [&](const std::vector<double>& w) {
            return log_loss(pooled_probabilities(chances, w), happened);
        };
        double least_squared = std::numeric_limits<double>::infinity();
        double least_log = least_squared;
        for (int a = 0; a <= 20; ++a)
            for (int b = 0; a + b <= 20; ++b) {
                const std::vector<double> w{a / 20.0, b / 20.0, (20 - a - b) / 20.0};
                least_squared = std::min(least_squared, squared(w));
                least_log = std::min(least_log, logarithmic(w));
            }
        const std::vector<double> for_squares = squared_loss_weights(predicted, outcome);
        const std::vector<double> for_logs = log_loss_weights(chances, happened);
        EXPECT_LE(squared(for_squares), least_squared + 1e-9);
        EXPECT_LE(logarithmic(for_logs), least_log + 1e-5);
        for (const auto& weights : {for_squares, for_logs}) {
            double sum = 0;
            for (const double w : weights) {
                EXPECT_GE(w, 0);
                sum += w;
            }
            EXPECT_NEAR(sum, 1, 1e-12);
        }
    }
}

TEST(SecondOrderInputs, AreSquaresAndProductsOfStandardizedOnes) {
    Matrix inputs(4, 2);
    inputs << 1, 0, 2, 1, 3, 0, 6, 1;
    const SecondOrderInputs second_order(inputs);
    ASSERT_EQ(second_order.columns(), 4);  // x, z, x^2, x z: z has two values, so its square says nothing
    const Matrix products = second_order.at(every_row(4), std::vector<Eigen::Index>{0, 1, 2, 3});
    EXPECT_NEAR(products(3, 2), products(3, 0) * products(3, 0), 1e-12);
    EXPECT_NEAR(products(1, 3), products(1, 0) * products(1, 1), 1e-12);
    EXPECT_EQ(SecondOrderInputs(Matrix::Random(5, 40)).columns(), 0);
}

// Treatment depends on |x| alone: a logistic regression sees nothing, and a forest too little.
TEST(StackedNuisances, SeeWhatALogisticRegressionMissesAndKeepATrialAsItIs) {
    Rng rng(7, Draw::test);
    const FeatureRows features = random_features(rng, 1'500, 4);
    std::vector<int> by_size;
    std::vector<int> at_random;
    std::vector<double> outcome;
    Matrix truth(1'500, 2);
    for (Eigen::Index i = 0; i < 1'500; ++i) {
        const double p = sigmoid(3 * (std::abs(features.values(i, 0)) - 0.7));
        truth.row(i) << 1 - p, p;
        by_size.push_back(rng.bernoulli(p) ? 1 : 0);
        at_random.push_back(rng.bernoulli(0.5) ? 1 : 0);
        outcome.push_back(features.values(i, 0) + rng.normal());
    }
    NuisanceOptions options = stacked_nuisances();
    const auto found = [&](const std::vector<int>& treatment) {
        return cross_fit({features, treatment, 2, outcome}, every_row(1'500), options);
    };
    const Nuisances stacked = found(by_size);
    EXPECT_LT(stacked.propensity.log_loss, log_loss(truth, by_size) + 0.03);
    EXPECT_EQ(stacked.propensities, found(by_size).propensities);
    options.threads = 3;
    EXPECT_EQ(stacked.propensities, found(by_size).propensities);
    EXPECT_EQ(stacked.outcomes, found(by_size).outcomes);
    const Nuisances trial = found(at_random);
    EXPECT_LT((trial.propensities.array() - 0.5).abs().mean(), 0.03);
}

}  // namespace
}  // namespace polyrx
