// SPDX-License-Identifier: Apache-2.0
// Rounding errors of values computed in double precision: splits, and outcomes of the forward pass.
//
// A sum of n products and a constant, added in any order, fused or not, has an error of at most
//     gamma (sum_j |w_j x_j| + |c|) + tiny,   gamma = (n + 2) u / (1 - (n + 2) u),   u = 2^-53
// (Higham, Accuracy and Stability of Numerical Algorithms, 2002, Section 3.1), where tiny covers underflow of products.
// If something overflows, the bounds are infinite. This assumes rounding to nearest and finite rows.
#pragma once

#include <cstddef>
#include <vector>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/verify/linear_bounds.hpp"

namespace polyrx::checking {

// Rounded up.
[[nodiscard]] double gamma(Eigen::Index terms);
// n products that underflow lose n times half the smallest denormal number. This is larger, and fast to compute with.
inline constexpr double tiny = 1e-300;

// Bounds |computed - exact| of w·x + c for every row of the box.
[[nodiscard]] double split_error(const AffineFunction& function, const Box& box);

struct ForwardError {
    std::vector<double> outcomes;  // bounds of |computed - exact|
    // Neurons of the last hidden layer (or inputs, if there is none) whose computed value may differ from 0.
    // Meaningless if errors are infinite.
    std::vector<char> live;
};

// For rows where `known` holds.
[[nodiscard]] ForwardError forward_error(const ReluNetwork& network, const Known& known);

}  // namespace polyrx::checking
