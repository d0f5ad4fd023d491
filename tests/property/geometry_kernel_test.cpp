// SPDX-License-Identifier: Apache-2.0
// The kernels under the searches give the bits of plain loops, whatever the machine's vectors.
#include <gtest/gtest.h>

#include "polyrx/geometry/simplex_kernel.hpp"
#include "polyrx/network/weighted_rows_kernel.hpp"
#include "tests/support/kernel_targets.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx {
namespace {

void slow_exchange(Matrix& lines, Eigen::Index leaving, Eigen::Index column) {
    const double inverse = 1 / lines(leaving, column);
    for (Eigen::Index c = 0; c < lines.cols(); ++c) lines(leaving, c) *= -inverse;
    lines(leaving, column) = inverse;
    for (Eigen::Index i = 0; i < lines.rows(); ++i) {
        const double factor = lines(i, column);
        if (i == leaving || factor == 0) continue;
        lines(i, column) = 0;
        for (Eigen::Index c = 0; c < lines.cols(); ++c) {
            const double product = factor * lines(leaving, c);
            lines(i, c) += product;
        }
    }
}

int slow_steepest_column(const Vector& objective, const Vector& way, double sign, double least) {
    int steepest = -1;
    for (Eigen::Index i = 0; i < objective.size(); ++i) {
        if (sign * objective[i] * way[i] <= least) continue;
        least = sign * objective[i] * way[i];
        steepest = static_cast<int>(i);
    }
    return steepest;
}

TEST(GeometryKernels, ExchangeALineAndAColumnAsThePlainLoopDoes) {
    test::for_each_target([] {
        Rng rng(31, Draw::test);
        for (int round = 0; round < 200; ++round) {
            const auto lines = static_cast<Eigen::Index>(1 + rng.below(9));
            const auto stride = static_cast<Eigen::Index>(dictionary_step * (1 + rng.below(7)));
            Matrix cells = test::random_matrix(rng, lines, stride);
            const auto leaving = static_cast<Eigen::Index>(rng.below(static_cast<std::uint64_t>(lines)));
            const auto column = static_cast<Eigen::Index>(rng.below(static_cast<std::uint64_t>(stride)));
            if (const Eigen::Index other = (leaving + 1) % lines; other != leaving) cells(other, column) = 0;
            Matrix expected = cells;
            slow_exchange(expected, leaving, column);
            exchange({cells.data(), static_cast<std::size_t>(lines), static_cast<std::size_t>(stride)},
                     static_cast<std::size_t>(leaving), static_cast<std::size_t>(column));
            EXPECT_EQ(cells, expected);
        }
    });
}

TEST(GeometryKernels, FindTheSteepestColumnAndTheFirstOfEqualOnes) {
    test::for_each_target([] {
        Rng rng(32, Draw::test);
        for (int round = 0; round < 2000; ++round) {
            const auto stride = static_cast<Eigen::Index>(dictionary_step * (1 + rng.below(7)));
            Vector objective(stride);
            Vector way(stride);
            for (Eigen::Index i = 0; i < stride; ++i) {
                objective[i] = static_cast<double>(rng.below(7)) - 3;  // few values, so that many are equal
                way[i] = static_cast<double>(rng.below(3)) - 1;
            }
            const double sign = rng.below(2) ? 1 : -1;
            const double least = static_cast<double>(rng.below(4));
            EXPECT_EQ(steepest_column(objective.data(), way.data(), static_cast<std::size_t>(stride), sign, least),
                      slow_steepest_column(objective, way, sign, least));
        }
    });
}

TEST(GeometryKernels, AddWeightedRowsInTheOrderThatTheyAreNamedIn) {
    test::for_each_target([] {
        Rng rng(33, Draw::test);
        for (Eigen::Index columns = 1; columns < 150; ++columns) {
            const auto height = static_cast<Eigen::Index>(1 + rng.below(12));
            const Matrix matrix = test::random_matrix(rng, height, columns);
            const Vector weights = test::random_matrix(rng, height, 1).col(0);
            std::vector<Eigen::Index> rows;
            for (Eigen::Index row = 0; row < height; ++row)
                if (rng.below(2)) rows.push_back(row);
            Vector sums = test::random_matrix(rng, columns, 1).col(0);
            Vector expected = sums;
            for (const Eigen::Index row : rows)
                for (Eigen::Index j = 0; j < columns; ++j) {
                    const double product = weights[row] * matrix(row, j);
                    expected[j] += product;
                }
            add_weighted_rows(matrix, rows, weights.data(), sums.data());
            EXPECT_EQ(sums, expected) << columns << " columns";
        }
    });
}

}  // namespace
}  // namespace polyrx
