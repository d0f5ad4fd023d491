// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/linear/least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/support/slow_linear.hpp"

namespace polyrx {
namespace {

using test::LinearRows;

LinearModel fitted(const LinearRows& rows) {
    return least_squares(rows.inputs, rows.outcome, rows.weights);
}

void expect_near(const LinearModel& a, const LinearModel& b, double relative) {
    ASSERT_EQ(a.weights.size(), b.weights.size());
    const double size = b.weights.norm() + std::abs(b.intercept) + 1e-300;
    EXPECT_LE((a.weights - b.weights).norm(), relative * size);
    EXPECT_NEAR(a.intercept, b.intercept, relative * size);
}

void expect_same_predictions(const Vector& a, const Vector& b, double relative) {
    EXPECT_LE((a - b).cwiseAbs().maxCoeff(), relative * (b.cwiseAbs().maxCoeff() + 1));
}

LinearRows least_squares_case(std::uint64_t round) {
    Rng rng(round, Draw::test);
    const auto inputs = static_cast<Eigen::Index>(rng.below(12));
    return test::random_rows(rng, inputs + 2 + static_cast<Eigen::Index>(rng.below(600)), inputs);
}

// Two groups of one-hot columns, a column twice, one that is a sum of others, and a constant.
LinearRows collinear_case(std::uint64_t round) {
    Rng rng(round, Draw::test);
    LinearRows rows = test::random_rows(rng, 5 + static_cast<Eigen::Index>(rng.below(300)), 12);
    for (Eigen::Index i = 0; i < rows.inputs.rows(); ++i) {
        rows.inputs.row(i).head(7).setZero();
        rows.inputs(i, static_cast<Eigen::Index>(rng.below(3))) = 1;
        rows.inputs(i, 3 + static_cast<Eigen::Index>(rng.below(4))) = 1;
    }
    rows.inputs.col(9) = rows.inputs.col(8);
    rows.inputs.col(10) = rows.inputs.col(7) - 2 * rows.inputs.col(8);
    rows.inputs.col(11).setConstant(0.1);
    return rows;
}

TEST(LeastSquares, SolvesTheNormalEquationsInLongDouble) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        SCOPED_TRACE(round);
        const LinearRows rows = least_squares_case(round);
        if (rows.inputs.rows() < 2 * rows.inputs.cols() + 2) continue;  // else too badly conditioned for the equations
        expect_near(fitted(rows), test::slow_normal_equations(rows), 1e-11);
    }
}

TEST(LeastSquares, HasTheSmallestWeightsOfAllBestFits) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        SCOPED_TRACE(round);
        LinearRows rows = collinear_case(round);
        const bool in_other_units = round % 2 == 1;
        for (Eigen::Index j = 0; in_other_units && j < 12; ++j)
            rows.inputs.col(j) *= std::pow(1e3, static_cast<double>(j % 3) - 1);
        // Raw weights that differ by six orders of magnitude have so many digits less in common.
        expect_near(fitted(rows), test::slow_minimum_norm(rows), in_other_units ? 1e-7 : 1e-9);
    }
}

TEST(LeastSquares, HasTheSmallestWeightsWithFewerRowsThanInputs) {
    for (std::uint64_t round = 0; round < 300; ++round) {
        SCOPED_TRACE(round);
        Rng rng(round, Draw::test);
        const auto inputs = 2 + static_cast<Eigen::Index>(rng.below(60));
        const LinearRows rows =
            test::random_rows(rng, 2 + static_cast<Eigen::Index>(rng.below(round % 3 == 0 ? 1 : inputs - 1)), inputs);
        expect_near(fitted(rows), test::slow_minimum_norm(rows), 1e-9);
        expect_same_predictions(predict(fitted(rows), rows.inputs), rows.outcome, 1e-9);
    }
}

TEST(LeastSquares, LeavesResidualsThatNoInputExplains) {
    for (std::uint64_t round = 0; round < 100; ++round) {
        const LinearRows rows = round % 2 == 0 ? least_squares_case(round) : collinear_case(round);
        const Vector residual = rows.weights.cwiseProduct(rows.outcome - predict(fitted(rows), rows.inputs));
        const double size =
            rows.weights.sum() * (1 + rows.inputs.cwiseAbs().sum() / static_cast<double>(rows.inputs.rows()));
        EXPECT_NEAR(residual.sum(), 0, 1e-11 * size) << "round " << round;
        for (Eigen::Index j = 0; j < rows.inputs.cols(); ++j)
            EXPECT_NEAR(residual.dot(rows.inputs.col(j)), 0, 1e-10 * size) << "round " << round;
    }
}

TEST(LeastSquares, TakesTwoEqualRowsForOneOfWeightTwo) {
    for (std::uint64_t round = 0; round < 50; ++round) {
        SCOPED_TRACE(round);
        const LinearRows rows = collinear_case(round);
        const Eigen::Index n = rows.inputs.rows();
        LinearRows twice{Matrix(2 * n, rows.inputs.cols()), Vector(2 * n), Vector(2 * n), {}};
        twice.inputs << rows.inputs, rows.inputs;
        twice.outcome << rows.outcome, rows.outcome;
        twice.weights << rows.weights, rows.weights;
        expect_near(fitted(twice), least_squares(rows.inputs, rows.outcome, 2 * rows.weights), 1e-10);
        expect_near(fitted(twice), fitted(rows), 1e-10);
    }
}

TEST(LeastSquares, IsBlindToRowsOfWeightZeroToTheByte) {
    for (std::uint64_t round = 0; round < 50; ++round) {
        const LinearRows rows = least_squares_case(round);
        const Eigen::Index n = rows.inputs.rows();
        LinearRows more{Matrix::Constant(2 * n, rows.inputs.cols(), 1e300),
                        Vector::Constant(2 * n, -1e300),
                        Vector::Zero(2 * n),
                        {}};
        for (Eigen::Index i = 0; i < n; ++i) {
            more.inputs.row(2 * i + 1) = rows.inputs.row(i);
            more.outcome[2 * i + 1] = rows.outcome[i];
            more.weights[2 * i + 1] = rows.weights[i];
        }
        EXPECT_EQ(fitted(more), fitted(rows)) << "round " << round;
    }
}

TEST(LeastSquares, PredictsTheSameWhereverAnInputHasItsZero) {
    for (std::uint64_t round = 0; round < 50; ++round) {
        const LinearRows rows = collinear_case(round);
        LinearRows shifted = rows;
        shifted.inputs.col(7).array() += 1e3;
        shifted.inputs.col(0).array() -= 17;
        expect_same_predictions(predict(fitted(shifted), shifted.inputs), predict(fitted(rows), rows.inputs), 1e-8);
    }
}

TEST(LeastSquares, PredictsTheSameInAllUnitsOfTheInputs) {
    for (std::uint64_t round = 0; round < 50; ++round) {
        const LinearRows rows = collinear_case(round);
        LinearRows scaled = rows;
        const double unit = std::pow(10, 3 * static_cast<double>(round % 4));
        for (Eigen::Index j = 0; j < 12; ++j) scaled.inputs.col(j) *= std::pow(unit, static_cast<double>(j % 3) - 1);
        expect_same_predictions(predict(fitted(scaled), scaled.inputs), predict(fitted(rows), rows.inputs), 1e-8);
    }
}

TEST(LeastSquares, KeepsInputsOfMillionfoldDifferentScalesApart) {
    for (std::uint64_t round = 0; round < 50; ++round) {
        Rng rng(round, Draw::test);
        LinearRows rows = test::random_rows(rng, 200, 3);
        Vector truth(3);
        truth << 1e-6, 3, 2e6;
        rows.inputs.col(0) *= 1e6;
        rows.inputs.col(2) *= 1e-6;
        rows.outcome = (rows.inputs * truth).array() + 4;
        const LinearModel model = fitted(rows);
        for (Eigen::Index j = 0; j < 3; ++j) EXPECT_NEAR(model.weights[j], truth[j], 1e-11 * truth[j]);
        EXPECT_NEAR(model.intercept, 4, 1e-10);
    }
}

TEST(LeastSquares, LosesOnlyTheDigitsThatBadlyConditionedInputsCost) {
    // The normal equations of the first would keep no digit: their condition is the square, 1e16.
    Rng rng(1, Draw::test);
    LinearRows rows = test::random_rows(rng, 2000, 2);
    rows.inputs.col(1) = rows.inputs.col(0) + 1e-8 * test::random_matrix(rng, 2000, 1);
    rows.outcome = rows.inputs.col(0) - rows.inputs.col(1);
    const LinearModel model = fitted(rows);
    EXPECT_NEAR(model.weights[0], 1, 1e-6);
    EXPECT_NEAR(model.weights[1], -1, 1e-6);
}

TEST(LeastSquares, PermutesItsWeightsWithTheColumns) {
    for (std::uint64_t round = 0; round < 50; ++round) {
        SCOPED_TRACE(round);
        Rng rng(round, Draw::test, 1);
        const LinearRows rows = collinear_case(round);
        std::vector<Eigen::Index> order(12);
        std::iota(order.begin(), order.end(), Eigen::Index{0});
        rng.shuffle(std::span(order));
        LinearRows permuted = rows;
        permuted.inputs = rows.inputs(Eigen::all, order);
        LinearModel model = fitted(rows);
        model.weights = Vector(model.weights(order));
        expect_near(fitted(permuted), model, 1e-9);
    }
}

TEST(LeastSquares, GivesEachOfSeveralOutcomesTheModelItHasAloneToTheByte) {
    Rng rng(1, Draw::test);
    const LinearRows rows = collinear_case(1);
    const Matrix outcomes = test::random_matrix(rng, rows.inputs.rows(), 4);
    const std::vector<LinearModel> models = least_squares_all(rows.inputs, outcomes, rows.weights);
    ASSERT_EQ(models.size(), 4U);
    for (Eigen::Index m = 0; m < 4; ++m)
        EXPECT_EQ(models[static_cast<std::size_t>(m)], least_squares(rows.inputs, outcomes.col(m), rows.weights));
}

TEST(LeastSquares, GivesTheSameBytesOnAnyNumberOfThreads) {
    Rng rng(1, Draw::test);
    const LinearRows rows = test::random_rows(rng, 100'000, 5);
    for (const int threads : {2, 3, 8})
        EXPECT_EQ(least_squares(rows.inputs, rows.outcome, rows.weights, threads), fitted(rows));
}

TEST(LeastSquares, FindsAPlaneThroughManyRowsAndInputs) {
    Rng rng(1, Draw::test);
    LinearRows rows = test::random_rows(rng, 40'000, 30);
    const Vector truth = test::random_matrix(rng, 30, 1).col(0);
    rows.outcome = (rows.inputs * truth).array() - 2;
    expect_near(fitted(rows), {truth, -2}, 1e-12);
    rows = test::random_rows(rng, 700, 330);  // more inputs than a block has rows
    expect_near(fitted(rows), test::slow_normal_equations(rows), 1e-9);
}

}  // namespace
}  // namespace polyrx
