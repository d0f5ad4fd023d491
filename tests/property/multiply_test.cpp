// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/multiply.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_network.hpp"

namespace polyrx {
namespace {

// The slow, obvious twin: one element at a time, in the order of a's columns.
MatrixF slow_multiply(const MatrixF& a, const MatrixF& b) {
    MatrixF product(a.rows(), b.cols());
    for (Eigen::Index i = 0; i < a.rows(); ++i)
        for (Eigen::Index j = 0; j < b.cols(); ++j) {
            float sum = 0;
            for (Eigen::Index k = 0; k < a.cols(); ++k) {
                const float term = a(i, k) * b(k, j);
                sum = sum + term;
            }
            product(i, j) = sum;
        }
    return product;
}

TEST(Multiply, IsBitForBitTheSlowProductForAnyShape) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        Rng rng(round, Draw::test);
        const auto size = [&] { return static_cast<Eigen::Index>(1 + rng.below(40)); };
        const MatrixF a = test::random_matrix_f(rng, size(), size());
        const MatrixF b = test::random_matrix_f(rng, a.cols(), size());
        MatrixF product(a.rows(), b.cols());
        multiply(a, b, product);
        EXPECT_EQ(product, slow_multiply(a, b)) << a.rows() << " x " << a.cols() << " x " << b.cols();
    }
}

}  // namespace
}  // namespace polyrx
