// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/relu_network.hpp"
#include "polyrx/core/infinity.hpp"

#include <gtest/gtest.h>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

// Example 1 of the paper.
ReluNetwork toy_network() {
    Layer hidden;
    hidden.weights.resize(2, 2);
    hidden.weights << 1, -1, 1, 1;
    hidden.bias.resize(2);
    hidden.bias << 0, -0.5;
    Layer output;
    output.weights.resize(2, 2);
    output.weights << -0.5, 2, 0.5, -1;
    output.bias = Vector::Zero(2);
    return ReluNetwork({hidden, output});
}

Matrix point(double x1, double x2) {
    Matrix x(1, 2);
    x << x1, x2;
    return x;
}

TEST(ToyNetwork, HasTheOutcomesOfExample1WhereBothNeuronsAreOn) {
    for (const auto& [x1, x2] : {std::pair{0.5, 0.2}, {0.9, 0.1}, {1.0, 0.99}, {0.3, 0.25}}) {
        const Matrix y = forward(toy_network(), point(x1, x2));
        EXPECT_NEAR(y(0, 0), 1.5 * x1 + 2.5 * x2 - 1, 1e-15);
        EXPECT_NEAR(y(0, 1), -0.5 * x1 - 1.5 * x2 + 0.5, 1e-15);
    }
}

TEST(ToyNetwork, DependsOnTheSecondNeuronOnlyWhereTheFirstIsOff) {
    for (const auto& [x1, x2] : {std::pair{0.2, 0.5}, {0.1, 0.9}, {0.5, 0.6}}) {
        const Matrix y = forward(toy_network(), point(x1, x2));
        EXPECT_NEAR(y(0, 0), 2 * (x1 + x2 - 0.5), 1e-15);
        EXPECT_NEAR(y(0, 1), -(x1 + x2 - 0.5), 1e-15);
    }
}

TEST(ToyNetwork, DependsOnTheFirstNeuronOnlyWhereTheSecondIsOff) {
    for (const auto& [x1, x2] : {std::pair{0.3, 0.1}, {0.4, 0.05}, {0.2, 0.0}}) {
        const Matrix y = forward(toy_network(), point(x1, x2));
        EXPECT_NEAR(y(0, 0), -0.5 * (x1 - x2), 1e-15);
        EXPECT_NEAR(y(0, 1), 0.5 * (x1 - x2), 1e-15);
    }
}

TEST(ToyNetwork, IsZeroWithATieForTreatment0WhereBothNeuronsAreOff) {
    const Matrix y = forward(toy_network(), point(0.1, 0.2));
    EXPECT_EQ(y(0, 0), 0);
    EXPECT_EQ(y(0, 1), 0);
    EXPECT_EQ(argmin_rows(y), std::vector<int>{0});
}

TEST(ToyNetwork, PrescribesByTheSignOfTheDifferenceInsideP1) {
    // y0 < y1 where 2 x1 + 4 x2 < 1.5
    EXPECT_EQ(argmin_rows(forward(toy_network(), point(0.5, 0.1))), std::vector<int>{0});
    EXPECT_EQ(argmin_rows(forward(toy_network(), point(0.5, 0.2))), std::vector<int>{1});
}

TEST(Forward, TakesANeuronThatIsNotANumberForOff) {
    const Layer hidden{Matrix::Ones(1, 2), Vector::Zero(1)};
    const Layer output{Matrix::Ones(1, 1), Vector::Constant(1, 7)};
    EXPECT_EQ(forward(ReluNetwork({hidden, output}), point(infinity, -infinity))(0, 0), 7);
}

TEST(ArgminRows, GivesTiesToTheLowestIndex) {
    Matrix outcomes(3, 3);
    outcomes << 2, 1, 1, 0, 0, 0, 3, 2, 1;
    EXPECT_EQ(argmin_rows(outcomes), (std::vector<int>{1, 0, 2}));
}

TEST(ReluNetwork, RefusesWidthsThatDoNotFit) {
    EXPECT_THROW(ReluNetwork(std::vector<Layer>{}), Error);
    EXPECT_THROW(ReluNetwork({Layer{Matrix::Zero(2, 3), Vector::Zero(3)}}), Error);
    EXPECT_THROW(ReluNetwork({Layer{Matrix::Zero(2, 3), Vector::Zero(2)}, Layer{Matrix::Zero(2, 3), Vector::Zero(2)}}),
                 Error);
    EXPECT_THROW(ReluNetwork({Layer{Matrix::Constant(1, 1, std::nan("")), Vector::Zero(1)}}), Error);
    EXPECT_THROW((void)forward(toy_network(), Matrix::Zero(1, 3)), Error);
}

}  // namespace
}  // namespace polyrx
