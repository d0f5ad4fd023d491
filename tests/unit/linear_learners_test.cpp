// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/learners/linear/least_squares.hpp"
#include "polyrx/learners/linear/multinomial_logistic.hpp"
#include "polyrx/learners/linear/ridge.hpp"

namespace polyrx {
namespace {

template <class Call>
std::string usage_sentence(const Call& call) {
    try {
        (void)call();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        return error.what();
    }
    return "nothing was thrown";
}

Vector vector_of(std::initializer_list<double> values) {
    Vector vector(static_cast<Eigen::Index>(values.size()));
    std::copy(values.begin(), values.end(), vector.begin());
    return vector;
}

Matrix column_of(std::initializer_list<double> values) {
    return vector_of(values);
}

TEST(LeastSquares, DrawsALineThroughTwoPoints) {
    const LinearModel model = least_squares(column_of({1, 3}), vector_of({2, 8}));
    EXPECT_NEAR(model.weights[0], 3, 1e-14);
    EXPECT_NEAR(model.intercept, -1, 1e-14);
    EXPECT_NEAR(predict(model, column_of({5}))[0], 14, 1e-13);
}

TEST(LeastSquares, GivesOneRowItsOutcomeAndNoSlope) {
    const LinearModel model = least_squares(Matrix::Constant(1, 3, 0.1), vector_of({7.3}));
    EXPECT_EQ(model, (LinearModel{Vector::Zero(3), 7.3}));
}

TEST(LeastSquares, GivesConstantInputsNoWeightWhateverTheirValue) {
    Matrix inputs(7, 3);
    inputs.col(0).setConstant(0.1);
    inputs.col(1) = vector_of({1, 2, 3, 4, 5, 6, 7});
    inputs.col(2).setConstant(-1e17);
    const LinearModel model = least_squares(inputs, 2 * inputs.col(1));
    EXPECT_EQ(model.weights[0], 0);
    EXPECT_NEAR(model.weights[1], 2, 1e-14);
    EXPECT_EQ(model.weights[2], 0);
}

TEST(LeastSquares, WithoutInputsIsTheWeightedMean) {
    const LinearModel model = least_squares(Matrix(3, 0), vector_of({1, 2, 5}), vector_of({1, 1, 2}));
    EXPECT_EQ(model.weights.size(), 0);
    EXPECT_DOUBLE_EQ(model.intercept, 13.0 / 4);
    EXPECT_EQ(ridge(Matrix(3, 0), vector_of({1, 2, 5}), vector_of({1, 1, 2}), 3), model);
}

TEST(LeastSquares, MeetsAConstantOutcomeExactly) {
    const LinearModel model = least_squares(column_of({1, 2, 4, 9}), Vector::Constant(4, 0.1));
    EXPECT_EQ(model, (LinearModel{Vector::Zero(1), 0.1}));
}

TEST(LeastSquares, SplitsTheWeightOfEqualColumnsEvenly) {
    Matrix inputs(4, 2);
    inputs << 1, 1, 2, 2, 3, 3, 7, 7;
    const LinearModel model = least_squares(inputs, 4 * inputs.col(0));
    EXPECT_NEAR(model.weights[0], 2, 1e-13);
    EXPECT_NEAR(model.weights[1], 2, 1e-13);
}

TEST(LeastSquares, WorksAtTheEndsOfTheRangeOfDoubles) {
    for (const double unit : {1e-300, 1e-160, 1e160, 1e300}) {
        const LinearModel model = least_squares(unit * column_of({1, 2, 3, 4.5}), vector_of({2, 4, 6, 9}));
        EXPECT_NEAR(model.weights[0] * unit, 2, 1e-13) << unit;
        EXPECT_NEAR(model.intercept, 0, 1e-12) << unit;
    }
}

TEST(LeastSquares, AsksForRowsAndWeightsThatFit) {
    const Matrix two = column_of({1, 2});
    EXPECT_EQ(usage_sentence([&] { return least_squares(Matrix(0, 2), Vector(0)); }),
              "a linear model needs at least one row whose weight is above 0");
    EXPECT_EQ(usage_sentence([&] { return least_squares(two, vector_of({1, 2}), Vector::Zero(2)); }),
              "a linear model needs at least one row whose weight is above 0");
    EXPECT_EQ(usage_sentence([&] { return least_squares(two, vector_of({1})); }), "1 outcomes were given for 2 rows");
    EXPECT_EQ(usage_sentence([&] { return least_squares(two, vector_of({1, 2}), vector_of({1})); }),
              "1 weights were given for 2 rows");
    EXPECT_EQ(usage_sentence([&] { return least_squares(two, vector_of({1, 2}), vector_of({1, -1})); }),
              "weights must be finite and at least 0, but row 1 has weight -1");
    EXPECT_EQ(usage_sentence([&] { return least_squares(two, vector_of({1, 2}), vector_of({NAN, 1})); }),
              "weights must be finite and at least 0, but row 0 has weight nan");
    EXPECT_EQ(usage_sentence([&] { return predict(LinearModel{Vector::Zero(3), 0}, two); }),
              "the model has 3 inputs, but the rows have 1");
}

TEST(Ridge, AsksForPenaltiesThatMeanSomething) {
    const Matrix two = column_of({1, 2});
    const Vector outcome = vector_of({1, 2});
    EXPECT_EQ(usage_sentence([&] { return ridge(two, outcome, {}, -1); }),
              "the penalty must be finite and at least 0, not -1");
    EXPECT_EQ(usage_sentence([&] { return ridge_cv(two, outcome, {}, {}); }),
              "no penalties to choose from; expected at least one");
    EXPECT_EQ(usage_sentence([&] { return ridge_cv(two, outcome, {}, {1, 0}); }),
              "penalties to choose from must be finite and above 0, not 0");
}

TEST(MultinomialLogistic, WithoutInputsGivesTheShares) {
    const std::vector<int> class_of = {0, 1, 1, 2};
    const LogisticFit fit = multinomial_logistic(Matrix(4, 0), class_of, 3, vector_of({1, 1, 2, 4}));
    EXPECT_TRUE(fit.converged);
    const Matrix p = probabilities(fit.model, Matrix(1, 0));
    EXPECT_NEAR(p(0, 0), 1.0 / 8, 1e-14);
    EXPECT_NEAR(p(0, 1), 3.0 / 8, 1e-14);
    EXPECT_NEAR(p(0, 2), 4.0 / 8, 1e-14);
}

TEST(MultinomialLogistic, AsksForClassesAndOptionsInRange) {
    const Matrix two = column_of({1, 2});
    const std::vector<int> class_of = {0, 2};
    EXPECT_EQ(usage_sentence([&] { return multinomial_logistic(two, class_of, 2); }),
              "classes must be 0 to 1, but row 1 has class 2");
    EXPECT_EQ(usage_sentence([&] { return multinomial_logistic(two, std::span(class_of).first(1), 3); }),
              "1 classes were given for 2 rows");
    EXPECT_EQ(usage_sentence([&] { return multinomial_logistic(two, class_of, 0); }),
              "there must be at least one class, not 0");
    EXPECT_EQ(usage_sentence([&] { return multinomial_logistic(two, class_of, 3, {}, {.penalty = 0}); }),
              "the penalty must be finite and above 0, not 0");
    EXPECT_EQ(usage_sentence([&] { return multinomial_logistic(two, class_of, 3, {}, {.most_steps = -1}); }),
              "the number of steps must be at least 0, not -1");
    EXPECT_EQ(usage_sentence([&] { return multinomial_logistic(Matrix(0, 1), {}, 3); }),
              "a linear model needs at least one row whose weight is above 0");
    EXPECT_EQ(usage_sentence([&] { return probabilities(LogisticModel{Matrix::Zero(2, 3), Vector::Zero(2)}, two); }),
              "the model has 3 inputs, but the rows have 1");
}

}  // namespace
}  // namespace polyrx
