// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/linear/ridge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/slow_linear.hpp"

namespace polyrx {
namespace {

using test::LinearRows;

LinearRows ridge_case(std::uint64_t round) {
    Rng rng(round, Draw::test);
    const auto inputs = 1 + static_cast<Eigen::Index>(rng.below(8));
    LinearRows rows = test::random_rows(rng, 3 + static_cast<Eigen::Index>(rng.below(80)), inputs);
    if (round % 3 == 0 && inputs > 1) rows.inputs.col(0) = rows.inputs.col(1);
    return rows;
}

TEST(Ridge, WithoutPenaltyIsLeastSquaresToTheByte) {
    for (std::uint64_t round = 0; round < 20; ++round) {
        const LinearRows rows = ridge_case(round);
        EXPECT_EQ(ridge(rows.inputs, rows.outcome, rows.weights, 0),
                  least_squares(rows.inputs, rows.outcome, rows.weights));
    }
}

TEST(Ridge, ApproachesLeastSquaresAsThePenaltyVanishesAndTheMeanAsItGrows) {
    for (std::uint64_t round = 1; round < 20; round += 3) {
        const LinearRows rows = ridge_case(round);
        if (rows.inputs.rows() < 2 * rows.inputs.cols() + 4) continue;
        const LinearModel free = least_squares(rows.inputs, rows.outcome, rows.weights);
        const LinearModel slight = ridge(rows.inputs, rows.outcome, rows.weights, 1e-10);
        EXPECT_LE((slight.weights - free.weights).norm(), 1e-7 * free.weights.norm());
        const LinearModel held = ridge(rows.inputs, rows.outcome, rows.weights, 1e15);
        EXPECT_LE(held.weights.norm(), 1e-8);
        EXPECT_NEAR(held.intercept, rows.weights.dot(rows.outcome) / rows.weights.sum(), 1e-8);
    }
}

TEST(Ridge, HasNoSlopeInItsObjectiveInAnyParameter) {
    for (std::uint64_t round = 0; round < 60; ++round) {
        const LinearRows rows = ridge_case(round);
        for (const double penalty : {1e-3, 1.0, 100.0}) {
            const LinearModel model = ridge(rows.inputs, rows.outcome, rows.weights, penalty);
            const double least = test::slow_ridge_objective(model, rows, penalty);
            const auto slope = [&](auto&& parameter, double step) {
                LinearModel above = model, below = model;
                parameter(above) += step;
                parameter(below) -= step;
                const double up = test::slow_ridge_objective(above, rows, penalty);
                const double down = test::slow_ridge_objective(below, rows, penalty);
                EXPECT_GT(std::min(up, down), least);
                // A parabola: in units of its curvature, the slope is how far away the lowest point is.
                EXPECT_LE(std::abs(up - down) / (up + down - 2 * least), 1e-6) << "round " << round;
            };
            slope([](LinearModel& m) -> double& { return m.intercept; }, 0.1 * (1 + std::abs(model.intercept)));
            for (Eigen::Index j = 0; j < rows.inputs.cols(); ++j)
                slope([j](LinearModel& m) -> double& { return m.weights[j]; }, 0.1 * (1 + std::abs(model.weights[j])));
        }
    }
}

TEST(Ridge, TakesTwoEqualRowsForOneOfWeightTwo) {
    const LinearRows rows = ridge_case(3);
    const Eigen::Index n = rows.inputs.rows();
    Matrix inputs(2 * n, rows.inputs.cols());
    Vector outcome(2 * n), weights(2 * n);
    inputs << rows.inputs, rows.inputs;
    outcome << rows.outcome, rows.outcome;
    weights << rows.weights, rows.weights;
    const LinearModel a = ridge(inputs, outcome, weights, 3);
    const LinearModel b = ridge(rows.inputs, rows.outcome, 2 * rows.weights, 3);
    EXPECT_LE((a.weights - b.weights).norm(), 1e-12 * (1 + b.weights.norm()));
    EXPECT_NEAR(a.intercept, b.intercept, 1e-12 * (1 + std::abs(b.intercept)));
}

TEST(Ridge, PredictsTheSameInAllUnitsAndWithAnyZeroOfTheInputs) {
    for (std::uint64_t round = 0; round < 20; ++round) {
        const LinearRows rows = ridge_case(round);
        Matrix changed = rows.inputs;
        for (Eigen::Index j = 0; j < changed.cols(); ++j)
            changed.col(j) = (changed.col(j).array() + 5) * (j % 2 == 0 ? 1e6 : 1e-6);
        const Vector a = predict(ridge(changed, rows.outcome, rows.weights, 2), changed);
        const Vector b = predict(ridge(rows.inputs, rows.outcome, rows.weights, 2), rows.inputs);
        EXPECT_LE((a - b).cwiseAbs().maxCoeff(), 1e-10 * (1 + b.cwiseAbs().maxCoeff()));
    }
}

// The errors of ridge_cv by fitting without each row. Its deviations are those of all rows, so the inputs are divided
// by them, and the penalty becomes rows of its own.
double slow_left_out_error(const LinearRows& rows, double penalty) {
    const Eigen::Index n = rows.inputs.rows(), d = rows.inputs.cols();
    const Eigen::RowVectorXd deviation = test::weighted_deviation(rows.inputs, rows.weights);
    const Matrix x = rows.inputs * deviation.cwiseInverse().asDiagonal();
    double sum = 0;
    for (Eigen::Index left = 0; left < n; ++left) {
        Vector weights = rows.weights;
        weights[left] = 0;
        const Eigen::RowVectorXd mean = test::weighted_mean(x, weights);
        const double outcome_mean = weights.dot(rows.outcome) / weights.sum();
        const Matrix centered = x.rowwise() - mean;
        const Matrix normal = centered.transpose() * weights.asDiagonal() * centered + penalty * Matrix::Identity(d, d);
        const Vector moment =
            centered.transpose() * weights.cwiseProduct((rows.outcome.array() - outcome_mean).matrix());
        const Vector slope = Eigen::MatrixXd(normal).jacobiSvd(Eigen::ComputeThinU | Eigen::ComputeThinV).solve(moment);
        const double error = rows.outcome[left] - outcome_mean - centered.row(left).dot(slope);
        sum += rows.weights[left] * error * error;
    }
    return sum / rows.weights.sum();
}

TEST(RidgeCv, HasTheErrorsOfFittingWithoutEachRow) {
    for (std::uint64_t round = 0; round < 40; ++round) {
        const LinearRows rows = ridge_case(round);
        const std::vector<double> penalties = {1e-2, 1, 50};
        const RidgeChoice choice = ridge_cv(rows.inputs, rows.outcome, rows.weights, penalties);
        for (std::size_t p = 0; p < penalties.size(); ++p) {
            const double slow = slow_left_out_error(rows, penalties[p]);
            EXPECT_NEAR(choice.errors[p], slow, 1e-7 * slow) << "round " << round;
        }
        const auto best = std::ranges::min_element(choice.errors) - choice.errors.begin();
        EXPECT_EQ(choice.penalty, penalties[static_cast<std::size_t>(best)]);
        EXPECT_EQ(choice.model, ridge(rows.inputs, rows.outcome, rows.weights, choice.penalty));
    }
}

TEST(RidgeCv, PenalizesNoiseAndLeavesSignal) {
    Rng rng(1, Draw::test);
    LinearRows rows = test::random_rows(rng, 60, 20);
    const RidgeChoice signal = ridge_cv(rows.inputs, rows.outcome);
    EXPECT_LE(signal.penalty, 1);
    const RidgeChoice noise = ridge_cv(rows.inputs, test::random_matrix(rng, 60, 1).col(0));
    EXPECT_GE(noise.penalty, 100);
}

TEST(RidgeCv, GivesTheSameBytesOnAnyNumberOfThreads) {
    Rng rng(1, Draw::test);
    const LinearRows rows = test::random_rows(rng, 50'000, 4);
    const RidgeChoice one = ridge_cv(rows.inputs, rows.outcome, rows.weights);
    const RidgeChoice four = ridge_cv(rows.inputs, rows.outcome, rows.weights, usual_penalties(), 4);
    EXPECT_EQ(one.model, four.model);
    EXPECT_EQ(one.errors, four.errors);
}

TEST(RidgeCv, SaysOfOneRowThatNothingCanBeSaidWithoutIt) {
    const RidgeChoice choice = ridge_cv(Matrix::Ones(1, 2), Vector::Constant(1, 7));
    EXPECT_EQ(choice.errors, std::vector<double>(usual_penalties().size(), std::numeric_limits<double>::infinity()));
    EXPECT_EQ(choice.model, (LinearModel{Vector::Zero(2), 7}));
}

}  // namespace
}  // namespace polyrx
