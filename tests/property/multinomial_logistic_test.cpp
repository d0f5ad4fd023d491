// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/linear/multinomial_logistic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tests/support/slow_linear.hpp"

namespace polyrx {
namespace {

using test::LinearRows;

LogisticFit fitted(const LinearRows& rows, int classes, LogisticOptions options = {}) {
    return multinomial_logistic(rows.inputs, rows.class_of, classes, rows.weights, options);
}

void expect_probabilities(const Matrix& p) {
    EXPECT_TRUE(p.allFinite());
    EXPECT_GE(p.minCoeff(), 0);
    for (Eigen::Index i = 0; i < p.rows(); ++i) EXPECT_NEAR(p.row(i).sum(), 1, 1e-12);
}

// No parameter has a slope, by differences of the slow objective over a thousandth of what moves a score by 1. A weight
// turns about its input's mean, so that the step is as small for inputs far from 0.
void expect_no_slope(const LinearRows& rows, const LogisticModel& model, double penalty, double most) {
    const Eigen::RowVectorXd deviation = test::weighted_deviation(rows.inputs, rows.weights);
    const Eigen::RowVectorXd mean = test::weighted_mean(rows.inputs, rows.weights);
    const auto moved = [&](Eigen::Index k, Eigen::Index j, double by) {
        LogisticModel there = model;
        if (j < mean.size()) {
            there.weights(k, j) += by / deviation[j];
            there.intercepts[k] -= by / deviation[j] * mean[j];
        } else {
            there.intercepts[k] += by;
        }
        return test::slow_logistic_objective(there, rows, penalty);
    };
    for (Eigen::Index k = 0; k < model.intercepts.size(); ++k) {
        if (std::isinf(model.intercepts[k])) continue;
        for (Eigen::Index j = 0; j <= mean.size(); ++j)
            if (j == mean.size() || deviation[j] > 1e-12) {
                const double slope = (moved(k, j, 1e-3) - moved(k, j, -1e-3)) / 2e-3;
                EXPECT_NEAR(slope / rows.weights.sum(), 0, most) << "class " << k << ", input " << j;
            }
    }
}

LinearRows logistic_case(std::uint64_t round, int classes) {
    Rng rng(round, Draw::test);
    const auto inputs = static_cast<Eigen::Index>(rng.below(7));
    return test::random_rows(rng, 20 + static_cast<Eigen::Index>(rng.below(300)), inputs, classes);
}

TEST(MultinomialLogistic, HasNoSlopeInItsObjectiveInAnyParameter) {
    for (std::uint64_t round = 0; round < 40; ++round) {
        SCOPED_TRACE(round);
        const int classes = 2 + static_cast<int>(round % 4);
        const LinearRows rows = logistic_case(round, classes);
        for (const double penalty : {1e-4, 1.0, 30.0}) {
            const LogisticFit fit = fitted(rows, classes, {.penalty = penalty});
            EXPECT_TRUE(fit.converged);
            expect_no_slope(rows, fit.model, penalty, 1e-6);
        }
    }
}

TEST(MultinomialLogistic, IsWherePlainGradientDescentEnds) {
    for (std::uint64_t round = 0; round < 5; ++round) {
        Rng rng(round, Draw::test);
        const LinearRows rows = test::random_rows(rng, 60, 3);
        const LogisticModel model = fitted(rows, 3).model;
        const LogisticModel slow = test::slow_logistic(rows, 3, 1, 40'000);
        EXPECT_LE((model.weights - slow.weights).norm(), 1e-7 * (1 + slow.weights.norm())) << "round " << round;
        EXPECT_LE((model.intercepts - slow.intercepts).norm(), 1e-7 * (1 + slow.intercepts.norm()));
    }
}

TEST(MultinomialLogistic, HasWeightsAndInterceptsThatSumToZeroOverTheClasses) {
    const LinearRows rows = logistic_case(2, 4);
    const LogisticModel model = fitted(rows, 4).model;
    EXPECT_LE(model.weights.colwise().sum().norm(), 1e-12 * (1 + model.weights.norm()));
    EXPECT_NEAR(model.intercepts.sum(), 0, 1e-10);
}

TEST(MultinomialLogistic, GivesEveryClassItsShareOfTheRows) {
    // The slope in an intercept is 0 just where the mean probability is the share.
    for (std::uint64_t round = 0; round < 10; ++round) {
        const LinearRows rows = logistic_case(round, 3);
        const Matrix p = probabilities(fitted(rows, 3).model, rows.inputs);
        Vector share = Vector::Zero(3);
        for (Eigen::Index i = 0; i < p.rows(); ++i)
            share[rows.class_of[static_cast<std::size_t>(i)]] += rows.weights[i];
        EXPECT_LE((p.transpose() * rows.weights - share).norm(), 1e-8 * rows.weights.sum());
    }
}

TEST(MultinomialLogistic, PermutesItsProbabilitiesWithTheClasses) {
    constexpr std::array<int, 4> renamed = {2, 0, 3, 1};
    for (std::uint64_t round = 0; round < 20; ++round) {
        LinearRows rows = logistic_case(round, 4);
        const Matrix p = probabilities(fitted(rows, 4).model, rows.inputs);
        for (int& k : rows.class_of) k = renamed[static_cast<std::size_t>(k)];
        const Matrix q = probabilities(fitted(rows, 4).model, rows.inputs);
        for (std::size_t k = 0; k < 4; ++k)
            EXPECT_LE((q.col(renamed[k]) - p.col(static_cast<Eigen::Index>(k))).cwiseAbs().maxCoeff(), 1e-8);
    }
}

TEST(MultinomialLogistic, TakesTwoEqualRowsForOneOfWeightTwo) {
    const LinearRows rows = logistic_case(5, 3);
    LinearRows twice = rows;
    twice.inputs.conservativeResize(2 * rows.inputs.rows(), Eigen::NoChange);
    twice.inputs.bottomRows(rows.inputs.rows()) = rows.inputs;
    twice.weights.resize(2 * rows.weights.size());
    twice.weights << rows.weights, rows.weights;
    twice.class_of.insert(twice.class_of.end(), rows.class_of.begin(), rows.class_of.end());
    LinearRows heavy = rows;
    heavy.weights *= 2;
    const LogisticModel a = fitted(twice, 3).model, b = fitted(heavy, 3).model;
    EXPECT_LE((a.weights - b.weights).norm(), 1e-8 * (1 + b.weights.norm()));
    EXPECT_LE((a.intercepts - b.intercepts).norm(), 1e-8 * (1 + b.intercepts.norm()));
}

TEST(MultinomialLogistic, IsBlindToRowsOfWeightZeroToTheByte) {
    const LinearRows rows = logistic_case(6, 3);
    LinearRows more = rows;
    more.inputs.conservativeResize(rows.inputs.rows() + 1, Eigen::NoChange);
    more.inputs.bottomRows(1).setConstant(1e300);
    more.weights.conservativeResize(rows.weights.size() + 1);
    more.weights.tail(1).setZero();
    more.class_of.push_back(3);
    const LogisticModel a = fitted(more, 4).model, b = fitted(rows, 4).model;
    EXPECT_EQ(a, b);
}

TEST(MultinomialLogistic, PredictsTheSameInAllUnitsAndWithAnyZeroOfTheInputs) {
    for (std::uint64_t round = 0; round < 20; ++round) {
        const LinearRows rows = logistic_case(round, 3);
        LinearRows changed = rows;
        for (Eigen::Index j = 0; j < changed.inputs.cols(); ++j)
            changed.inputs.col(j) = (changed.inputs.col(j).array() + 5) * (j % 2 == 0 ? 1e6 : 1e-6);
        const Matrix a = probabilities(fitted(changed, 3).model, changed.inputs);
        const Matrix b = probabilities(fitted(rows, 3).model, rows.inputs);
        EXPECT_LE((a - b).cwiseAbs().maxCoeff(), 1e-9) << "round " << round;
    }
}

TEST(MultinomialLogistic, GivesTheSameBytesOnAnyNumberOfThreads) {
    Rng rng(1, Draw::test);
    const LinearRows rows = test::random_rows(rng, 50'000, 4);
    const LogisticFit one = fitted(rows, 3);
    for (const int threads : {2, 5}) EXPECT_EQ(fitted(rows, 3, {.threads = threads}).model, one.model);
}

TEST(MultinomialLogistic, GivesAClassThatNeverOccursNoProbabilityAndLeavesTheOthersAlone) {
    LinearRows rows = logistic_case(7, 3);
    const Matrix p = probabilities(fitted(rows, 3).model, rows.inputs);
    for (int& k : rows.class_of) k = k == 0 ? 1 : k + 2;  // 1, 3, 4 of 6
    const Matrix q = probabilities(fitted(rows, 6).model, rows.inputs);
    expect_probabilities(q);
    for (const Eigen::Index never : {0, 2, 5}) EXPECT_EQ(q.col(never).cwiseAbs().maxCoeff(), 0);
    EXPECT_EQ(q.col(1), p.col(0));
    EXPECT_EQ(q.col(3), p.col(1));
    EXPECT_EQ(q.col(4), p.col(2));
}

TEST(MultinomialLogistic, IsSureOfTheOnlyClassThereIs) {
    LinearRows rows = logistic_case(8, 3);
    std::ranges::fill(rows.class_of, 1);
    const LogisticFit fit = fitted(rows, 3);
    EXPECT_TRUE(fit.converged);
    const Matrix p = probabilities(fit.model, rows.inputs);
    EXPECT_EQ(p.col(1), Vector::Ones(p.rows()));
    EXPECT_EQ(probabilities(fitted(rows, 2).model, rows.inputs).col(1), Vector::Ones(p.rows()));
}

TEST(MultinomialLogistic, ConvergesOnClassesThatCanBeSeparated) {
    for (const double penalty : {1.0, 1e-3, 1e-6, 1e-8}) {
        for (const int classes : {2, 3, 10}) {
            SCOPED_TRACE(testing::Message() << "penalty " << penalty << ", classes " << classes);
            Rng rng(1, Draw::test);
            LinearRows rows = test::random_rows(rng, 200, 4, classes);
            for (Eigen::Index i = 0; i < 200; ++i)
                rows.inputs(i, 0) = rows.class_of[static_cast<std::size_t>(i)] + 0.1 * rng.uniform();
            const LogisticFit fit = fitted(rows, classes, {.penalty = penalty});
            EXPECT_TRUE(fit.converged) << fit.steps;
            expect_probabilities(probabilities(fit.model, rows.inputs));
            expect_no_slope(rows, fit.model, penalty, 1e-6);
        }
    }
}

TEST(MultinomialLogistic, CopesWithDegenerateRows) {
    Rng rng(1, Draw::test);
    const auto cope = [](const LinearRows& rows, int classes) {
        for (const double penalty : {1.0, 1e-6}) {
            const LogisticFit fit = fitted(rows, classes, {.penalty = penalty});
            EXPECT_TRUE(fit.converged);
            expect_probabilities(probabilities(fit.model, rows.inputs));
            expect_no_slope(rows, fit.model, penalty, 1e-6);
        }
    };
    LinearRows one_each = test::random_rows(rng, 10, 3);
    for (int k = 0; k < 10; ++k) one_each.class_of[static_cast<std::size_t>(k)] = k;
    cope(one_each, 10);

    LinearRows one = test::random_rows(rng, 1, 3);
    cope(one, 3);

    LinearRows equal = test::random_rows(rng, 30, 3);
    for (Eigen::Index i = 0; i < 30; ++i) equal.inputs.row(i) = equal.inputs.row(0);
    cope(equal, 3);
    EXPECT_EQ(fitted(equal, 3).model.weights, Matrix::Zero(3, 3));

    LinearRows few_values = test::random_rows(rng, 100, 3);
    for (Eigen::Index i = 0; i < 300; ++i) few_values.inputs.data()[i] = static_cast<double>(rng.below(2));
    few_values.inputs.col(2) = few_values.inputs.col(1);
    cope(few_values, 3);

    LinearRows wide = test::random_rows(rng, 20, 50);
    cope(wide, 3);

    LinearRows two = test::random_rows(rng, 2, 50);
    two.class_of = {0, 2};
    cope(two, 3);

    LinearRows scales = test::random_rows(rng, 100, 3);
    scales.inputs.col(0) *= 1e6;
    scales.inputs.col(2) *= 1e-6;
    cope(scales, 3);

    LinearRows outlier = test::random_rows(rng, 100, 3);
    outlier.inputs(7, 1) = 1e9;
    cope(outlier, 3);

    LinearRows rare = test::random_rows(rng, 500, 3, 2);
    rare.class_of[13] = 2;
    cope(rare, 3);
}

TEST(MultinomialLogistic, StopsWhereItIsToldAndSaysSo) {
    const LinearRows rows = logistic_case(4, 3);
    const LogisticFit none = fitted(rows, 3, {.most_steps = 0});
    EXPECT_FALSE(none.converged);
    EXPECT_EQ(none.model.weights.norm(), 0);
    double before = std::numeric_limits<double>::infinity();
    for (const int steps : {0, 1, 2, 3}) {
        const LogisticFit fit = fitted(rows, 3, {.most_steps = steps});
        EXPECT_EQ(fit.steps, steps);
        const double objective = test::slow_logistic_objective(fit.model, rows, 1);
        EXPECT_LT(objective, before);
        before = objective;
    }
}

}  // namespace
}  // namespace polyrx
