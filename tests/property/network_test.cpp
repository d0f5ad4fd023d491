// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "polyrx/core/infinity.hpp"
#include "polyrx/network/fold.hpp"
#include "polyrx/network/relu_network.hpp"
#include "tests/support/kernel_targets.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/slow_forward.hpp"

namespace polyrx {
namespace {

TEST(Forward, IsBitForBitTheSlowForwardPassForAnyShapeAndNumberOfRows) {
    for (std::uint64_t round = 0; round < 60; ++round) {
        Rng rng(round, Draw::test);
        const Eigen::Index widest = round % 10 == 0 ? 300 : 40;
        const ReluNetwork network = test::random_network(
            rng, test::random_widths(rng, round % 4, widest, 1 + static_cast<Eigen::Index>(round % 5)));
        const Matrix rows = test::random_matrix(rng, static_cast<Eigen::Index>(rng.below(70)), network.inputs());
        const Matrix expected = test::slow_forward(network, rows);
        test::for_each_target([&] { EXPECT_EQ(forward(network, rows), expected) << "round " << round; });
    }
}

TEST(Forward, OfInfiniteMissingHugeAndTinyNumbersIsTheSlowForwardPassToo) {
    const std::array<double, 10> strange = {infinity, -infinity, std::nan(""), 1e308,   -1e308,
                                            0.0,      -0.0,      5e-324,       -2e-310, 1};
    Rng rng(1, Draw::test);
    for (std::size_t hidden = 0; hidden < 3; ++hidden) {
        const ReluNetwork network = test::random_network(rng, test::random_widths(rng, hidden, 9, 3));
        Matrix rows = test::random_matrix(rng, 200, network.inputs());
        for (Eigen::Index i = 0; i < rows.size(); i += 1 + static_cast<Eigen::Index>(rng.below(4)))
            rows.data()[i] = strange[rng.below(strange.size())];
        const Matrix expected = test::slow_forward(network, rows);
        test::for_each_target([&] {
            const Matrix outcomes = forward(network, rows);
            for (Eigen::Index i = 0; i < outcomes.size(); ++i) {
                if (std::isnan(expected.data()[i]))
                    EXPECT_TRUE(std::isnan(outcomes.data()[i]));
                else
                    EXPECT_EQ(std::bit_cast<std::uint64_t>(outcomes.data()[i]),
                              std::bit_cast<std::uint64_t>(expected.data()[i]));
            }
        });
    }
}

TEST(LargestSafeInput, KeepsEveryValueOfTheNetworkFinite) {
    for (std::uint64_t round = 0; round < 30; ++round) {
        Rng rng(round, Draw::test);
        const ReluNetwork network = test::random_network(rng, test::random_widths(rng, round % 4, 9, 3));
        const double largest = largest_safe_input(network);
        EXPECT_GT(largest, 1e290);
        // Layer by layer, as networks of their own whose outputs are that layer's sums.
        for (std::size_t depth = 1; depth <= network.layers().size(); ++depth) {
            const ReluNetwork part({network.layers().begin(), network.layers().begin() + static_cast<long>(depth)});
            Matrix rows = Matrix::Constant(40, network.inputs(), largest);
            for (Eigen::Index i = 0; i < rows.size(); ++i)
                if (rng.bernoulli(0.5)) rows.data()[i] = -largest;
            EXPECT_TRUE(forward(part, rows).allFinite());
        }
    }
}

TEST(LargestSafeInput, IsNearWhereTheFirstOverflowIs) {
    const ReluNetwork network(
        {{Matrix::Constant(1, 1, 1e8), Vector::Zero(1)}, {Matrix::Constant(1, 1, 1e-8), Vector::Zero(1)}});
    const double largest = largest_safe_input(network);
    EXPECT_TRUE(forward(network, Matrix::Constant(1, 1, largest)).allFinite());
    EXPECT_FALSE(forward(network, Matrix::Constant(1, 1, 1.02 * largest)).allFinite());
    EXPECT_EQ(largest_safe_input(ReluNetwork({{Matrix::Zero(2, 1), Vector::Ones(2)}})),
              std::numeric_limits<double>::max());
    // Biases alone can overflow the next layer.
    const ReluNetwork hopeless(
        {{Matrix::Zero(1, 1), Vector::Constant(1, 1e300)}, {Matrix::Constant(1, 1, 1e10), Vector::Zero(1)}});
    EXPECT_LT(largest_safe_input(hopeless), 0);
}

TEST(Forward, DoesNotDependOnHowTheRowsAreCutIntoBlocks) {
    Rng rng(1, Draw::test);
    const ReluNetwork network = test::random_network(rng, {5, 17, 3});
    const Matrix rows = test::random_matrix(rng, 100, 5);
    const Matrix whole = forward(network, rows);
    for (Eigen::Index first = 0; first < 100; first += 7) {
        const Eigen::Index count = std::min<Eigen::Index>(7, 100 - first);
        EXPECT_EQ(forward(network, rows.middleRows(first, count)), whole.middleRows(first, count));
    }
}

TEST(Forward, ChangesNothingWhenHiddenNeuronsArePermuted) {
    for (std::uint64_t round = 0; round < 30; ++round) {
        Rng rng(round, Draw::test);
        const ReluNetwork network = test::random_network(rng, {6, 12, 9, 4});
        std::vector<Layer> layers = network.layers();
        for (std::size_t hidden = 0; hidden < 2; ++hidden) {
            std::vector<Eigen::Index> order(static_cast<std::size_t>(layers[hidden].weights.rows()));
            std::iota(order.begin(), order.end(), Eigen::Index{0});
            rng.shuffle(std::span(order));
            const Layer before = layers[hidden];
            const Layer after = layers[hidden + 1];
            for (std::size_t i = 0; i < order.size(); ++i) {
                const auto to = static_cast<Eigen::Index>(i);
                layers[hidden].weights.row(to) = before.weights.row(order[i]);
                layers[hidden].bias[to] = before.bias[order[i]];
                layers[hidden + 1].weights.col(to) = after.weights.col(order[i]);
            }
        }
        const Matrix rows = test::random_matrix(rng, 200, 6);
        const Matrix original = forward(network, rows);
        const Matrix permuted = forward(ReluNetwork(layers), rows);
        EXPECT_LT((original - permuted).cwiseAbs().maxCoeff(), 1e-11);
        EXPECT_EQ(argmin_rows(original), argmin_rows(permuted));
    }
}

TEST(FoldInputScaling, KeepsOutcomesAndPrescriptions) {
    for (std::uint64_t round = 0; round < 30; ++round) {
        Rng rng(round, Draw::test);
        const ReluNetwork network = test::random_network(rng, test::random_widths(rng, round % 3, 20, 3));
        Scaling scaling{test::random_matrix(rng, network.inputs(), 1).col(0) * 50, Vector(network.inputs())};
        for (double& scale : scaling.scale) scale = std::exp(2 * rng.normal());
        const Matrix scaled = test::random_matrix(rng, 300, network.inputs());
        const Matrix raw = (scaled.array().rowwise() * scaling.scale.transpose().array()).rowwise() +
                           scaling.shift.transpose().array();
        const Matrix expected = forward(network, scaled);
        const Matrix folded = forward(fold_input_scaling(network, scaling), raw);
        EXPECT_LT((expected - folded).cwiseAbs().maxCoeff(), 1e-8 * (1 + expected.cwiseAbs().maxCoeff()));
        EXPECT_EQ(argmin_rows(expected), argmin_rows(folded));
    }
}

TEST(FoldOutputScaling, ShiftsAndScalesEveryOutcomeAndKeepsPrescriptions) {
    Rng rng(7, Draw::test);
    const ReluNetwork network = test::random_network(rng, {4, 8, 3});
    const Matrix rows = test::random_matrix(rng, 100, 4);
    const Matrix before = forward(network, rows);
    const Matrix after = forward(fold_output_scaling(network, -12.5, 3.25), rows);
    EXPECT_LT(((before.array() * 3.25 - 12.5) - after.array()).abs().maxCoeff(), 1e-11);
    EXPECT_EQ(argmin_rows(before), argmin_rows(after));
}

}  // namespace
}  // namespace polyrx
